"""Boosting: committees of weak rules, each trained on what those before it got wrong; fitted on a window.

Read `stump_booster` first, the fit that `adaboost_mh` and `mpboost` share, then `committee`, the model that it
produces; `presence` records which document has which term. `boosting_mh` predicts exactly one label a document.
`adaboost_lc` boosts by a covering of the labels (`coverings`), with `adaboost_lc_rounds` and `adaboost_lc_templates`
beside it. `sliding_committee` carries a committee from window to window, and `document_weights` computes how much each
document of the new window counts.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

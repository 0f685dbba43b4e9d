"""Boosting: committees of weak rules, each of which mends what those before it got wrong; fitted on a window.

Read `stump_booster` first, the fit that `adaboost_mh` and `mpboost` have in common, then `committee`, the model it
ends in; `presence` holds which document has which term. `boosting_mh` boosts for one label a document. `adaboost_lc`
boosts by a covering of the labels (`coverings`), with `adaboost_lc_rounds` and `adaboost_lc_templates` beside it.
`sliding_committee` carries a committee from window to window, and `reweighted_rules` weighs anew the rules that it
keeps.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

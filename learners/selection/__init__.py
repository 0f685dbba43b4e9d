"""Feature selection: a batch learner is fitted on the best features only.

Read `selected_learner` first, the learner that wraps another; then `policies`, which choose by the scores per label.
`document_frequency`, `information_gain` and `rocchio` score terms, and `document_term_matrix` counts what they need.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

"""Which features of many are worth having: the few by which a learner of windows is fitted.

Read `select_terms` first, the learner that wraps another; then `policies`, the ways to choose from scores per label.
`document_frequency`, `information_gain` and `rocchio` score terms, and `term_table` counts what they need.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

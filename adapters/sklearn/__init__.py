"""scikit-learn in both directions: its estimators as learners, and Telex's learners as one of its estimators.

`family` finds a classifier by its name, as a learner of windows. Those that have ``partial_fit`` are also `online`
learners, found by `online_family`. `classifier` is an estimator of scikit-learn around any learner of Telex.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

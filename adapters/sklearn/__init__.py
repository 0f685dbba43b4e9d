"""Estimators of scikit-learn as learners of windows; `family` finds one by its name in scikit-learn."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

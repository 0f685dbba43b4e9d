"""Classifiers of river as learners of a stream.

Read `family` first, which finds a classifier by its name there, then `learner`, which uses one classifier per label.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

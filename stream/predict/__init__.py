"""Predictions from what a run has learnt, without the run.

Read `model` first: the learners and words of a checkpoint, ready to answer. `thresholds` decides which labels it
gives, and `followed_model` changes to each newer checkpoint.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

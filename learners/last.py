"""The baseline that repeats the last answer."""

from __future__ import annotations

from typing import ClassVar

from telex.learners.native_learner import NativeLearner


class Last(NativeLearner):
    """Predicts the labels of the last document learnt: hard to beat if stories come in runs.

    Parameters
    ----------
    seed
        Orders the labels within and outside the last document.

    Examples
    --------
    >>> from telex.learners import Last
    >>> model = Last()
    >>> model.learn_one({}, ["war"])
    >>> model.learn_one({}, ["trade"])
    >>> model.predict_one({})
    {'war': False, 'trade': True}
    """

    stored_name: ClassVar[str] = "last"
    kernel: ClassVar[str] = "last"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

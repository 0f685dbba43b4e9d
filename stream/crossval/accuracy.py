"""Accuracy: whether the predicted set is right, as cross-validations of classifiers report it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses import Judged


class Accuracy(Loss):
    """1 where the predicted set is exactly the true one, else 0: 1 - zero_one, for cross-validations only."""

    name = "accuracy"
    best = 1.0
    bounded = True
    binary = True
    unit = "ratio"
    priority = None

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1."""
        right: Reals = (judged.fp + judged.fn == 0).astype(float)
        return right

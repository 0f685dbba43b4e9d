"""Subset accuracy: whether the predicted set is exactly the true one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class SubsetAccuracy(Loss):
    """1 where the predicted set is exactly the true one, else 0: 1 - zero_one."""

    name = "subset_accuracy"
    best = 1.0
    bounded = True
    binary = True
    unit = "ratio"
    order = 85
    priority = None
    optional = True

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1."""
        right: Reals = (judged.fp + judged.fn == 0).astype(float)
        return right

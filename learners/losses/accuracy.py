"""Accuracy: whether the predicted set is right, for those who count what is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telex.learners.arrays import Reals
    from telex.learners.losses.judged import Judged


class Accuracy:
    """1 where the predicted set is exactly the true one, else 0: 1 - zero_one, shown where models are compared."""

    name = "accuracy"
    best = 1.0

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1."""
        right: Reals = (judged.fp + judged.fn == 0).astype(float)
        return right

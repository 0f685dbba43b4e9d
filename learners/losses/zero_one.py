"""Zero-one loss: whether the predicted set is wrong at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class ZeroOne(Loss):
    """1 where the predicted set is not exactly the true one, else 0."""

    name = "zero_one"
    bounded = True
    binary = True
    unit = "ratio"
    order = 80
    priority = None

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1."""
        return (judged.fp + judged.fn > 0).astype(float)

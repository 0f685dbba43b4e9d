"""Covering error ZO: one set for all labels together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class CoverZO(Loss):
    """The labelling as a whole is right or wrong: 1 for any mistake (AdaBoost.LC)."""

    name = "cover_zo"
    bounded = True
    binary = True
    unit = "ratio"
    order = 90
    priority = None
    same_as = "zero_one"

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1."""
        return (judged.fp + judged.fn > 0).astype(float)

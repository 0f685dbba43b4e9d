"""Covering error WN: the irrelevant labels together, with a weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class CoverWN(Loss):
    """4 for adding anything, and 1 for each label missed (AdaBoost.LC)."""

    name = "cover_wn"
    order = 130
    priority = None
    weight = 4

    def of(self, judged: Judged) -> Reals:
        """Return 4 [something added] + false negatives."""
        return self.weight * (judged.fp > 0).astype(float) + judged.fn

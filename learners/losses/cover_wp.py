"""Covering error WP: the relevant labels together, with a weight."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class CoverWP(Loss):
    """6 for missing anything, and 1 for each wrong label added (AdaBoost.LC)."""

    name = "cover_wp"
    order = 120
    priority = None
    weight = 6

    def of(self, judged: Judged) -> Reals:
        """Return 6 [something missed] + false positives."""
        return self.weight * (judged.fn > 0).astype(float) + judged.fp

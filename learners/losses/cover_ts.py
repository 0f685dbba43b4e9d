"""Covering error TS: one set for the relevant labels, one for the irrelevant ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class CoverTS(Loss):
    """1 for missing anything plus 1 for adding anything (AdaBoost.LC)."""

    name = "cover_ts"
    order = 110
    priority = None

    def of(self, judged: Judged) -> Reals:
        """Return 0, 1 or 2."""
        return (judged.fn > 0).astype(float) + (judged.fp > 0)

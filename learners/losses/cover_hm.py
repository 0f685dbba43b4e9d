"""Covering error HM: one set for each label."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class CoverHM(Loss):
    """Every wrong label is one uncovered set (AdaBoost.LC): the Hamming loss."""

    name = "cover_hm"
    unit = "labels"
    order = 100
    priority = None
    same_as = "hamming"

    def of(self, judged: Judged) -> Reals:
        """Return false positives plus false negatives."""
        return (judged.fp + judged.fn).astype(float)

"""Covering error HM: one set for each label."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telex.learners.arrays import Reals
    from telex.learners.losses.judged import Judged


class CoverHM:
    """Every wrong label is one uncovered set (AdaBoost.LC): the Hamming loss."""

    name = "cover_hm"
    best = 0.0

    def of(self, judged: Judged) -> Reals:
        """Return false positives plus false negatives."""
        return (judged.fp + judged.fn).astype(float)

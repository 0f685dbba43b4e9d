"""Hamming loss: how many labels are wrong in the predicted set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class Hamming(Loss):
    """Size of the symmetric difference of predicted and true set, not divided by the number of labels."""

    name = "hamming"
    unit = "labels"
    order = 70
    priority = 90

    def of(self, judged: Judged) -> Reals:
        """Return false positives plus false negatives."""
        return (judged.fp + judged.fn).astype(float)

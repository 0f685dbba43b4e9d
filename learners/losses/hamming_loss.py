"""Hamming loss: which share of the labels is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class HammingLoss(Loss):
    """Share of the known labels that are predicted and not true, or true and not predicted, from 0 to 1."""

    name = "hamming_loss"
    bounded = True
    unit = "ratio"
    order = 75
    priority = None

    def of(self, judged: Judged) -> Reals:
        """Return the share, NaN where no label is known."""
        labels = judged.relevant + judged.irrelevant
        return np.where(labels > 0, (judged.fp + judged.fn) / np.maximum(labels, 1), np.nan)

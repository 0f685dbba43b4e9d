"""Jaccard index: which share of the predicted and true labels is in both sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class Jaccard(Loss):
    """Size of the intersection of predicted and true set over that of their union, 1 where both are empty."""

    name = "jaccard"
    best = 1.0
    bounded = True
    unit = "ratio"
    order = 86
    priority = 110
    optional = True

    def of(self, judged: Judged) -> Reals:
        """Return the share."""
        union = judged.tp + judged.fp + judged.fn
        return np.where(union > 0, judged.tp / np.maximum(union, 1), 1.0)

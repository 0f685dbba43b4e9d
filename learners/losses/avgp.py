"""Average precision: how pure the ranking is above each relevant label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class AvgP(Loss):
    """Mean over the relevant labels of the precision at their rank, 1 at best (Schapire and Singer 2000)."""

    name = "avgp"
    best = 1.0
    bounded = True
    unit = "ratio"
    order = 40
    priority = 20

    def of(self, judged: Judged) -> Reals:
        """Return the mean precision, NaN where there is nothing to rank."""
        return np.where(judged.ranked(), judged.precision_sum / np.maximum(judged.relevant, 1), np.nan)

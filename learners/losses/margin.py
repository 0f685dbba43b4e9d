"""Margin: how far apart the worst placed relevant and irrelevant labels are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class Margin(Loss):
    """Rank of the last relevant label less that of the first irrelevant one (Crammer and Singer 2003)."""

    name = "margin"
    unit = "ranks"
    order = 30
    priority = 80

    def of(self, judged: Judged) -> Reals:
        """Return the distance in ranks, NaN where there is nothing to rank."""
        return np.where(judged.ranked(), np.maximum(judged.worst - judged.first_irrelevant, 0), np.nan)

"""Coverage: how far down one must read to have met every relevant label."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class Coverage(Loss):
    """Rank of the last relevant label less one (Schapire and Singer 2000)."""

    name = "coverage"
    unit = "ranks"
    order = 60
    priority = 70

    def of(self, judged: Judged) -> Reals:
        """Return the number of steps, NaN where there is nothing to rank."""
        return np.where(judged.ranked(), judged.worst - 1, np.nan)

"""Error set size: how many pairs of labels are in the wrong order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class ErrSetSize(Loss):
    """Pairs of a relevant and an irrelevant label with the irrelevant one above (Crammer and Singer 2003)."""

    name = "errsetsize"
    unit = "pairs"
    order = 20
    priority: int | None = 40

    def of(self, judged: Judged) -> Reals:
        """Return the number of pairs, NaN where there is nothing to rank."""
        # The ranks of Y summed, less what they sum to where all of Y is at the top.
        in_order = judged.relevant.astype(np.int64) * (judged.relevant + 1) // 2
        return np.where(judged.ranked(), judged.rank_sum - in_order, np.nan)

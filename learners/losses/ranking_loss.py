"""Ranking loss: which share of the pairs of labels is in the wrong order."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.errsetsize import ErrSetSize

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class RankingLoss(ErrSetSize):
    """Share of the pairs of a relevant and an irrelevant label with the irrelevant one above, from 0 to 1."""

    name = "ranking_loss"
    bounded = True
    unit = "ratio"
    order = 25
    priority = None

    def of(self, judged: Judged) -> Reals:
        """Return the share, NaN where there is nothing to rank."""
        pairs = judged.relevant.astype(np.int64) * judged.irrelevant
        share: Reals = super().of(judged) / np.maximum(pairs, 1)
        return share

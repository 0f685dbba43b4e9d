"""Precision at 1, and the base class of precisions further down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class Prec1(Loss):
    """Share of relevant labels among the first one of the ranking."""

    name = "prec1"
    k = 1
    best = 1.0
    bounded = True
    unit = "ratio"
    order = 61
    priority = 120
    optional = True

    def of(self, judged: Judged) -> Reals:
        """Return the share of the first ``k`` places, NaN where there is nothing to rank."""
        found = np.count_nonzero(judged.first(self.k), axis=1)
        return np.where(judged.ranked(), found / self.k, np.nan)

"""Is-error: whether the ranking is imperfect at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class IsErr(Loss):
    """1 where some relevant label ranks below some irrelevant one, else 0 (Loza Mencía and Fürnkranz 2008, II-C)."""

    name = "iserr"
    bounded = True
    binary = True
    unit = "ratio"
    order = 10
    priority = 10

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1, NaN where there is nothing to rank."""
        return np.where(judged.ranked(), judged.worst > judged.relevant, np.nan)

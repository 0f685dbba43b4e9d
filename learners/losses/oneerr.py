"""One-error: whether the top label is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class OneErr(Loss):
    """1 where the label ranked first is not relevant, else 0 (Schapire and Singer 2000)."""

    name = "oneerr"
    bounded = True
    binary = True
    unit = "ratio"
    order = 50
    priority = 60

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1, NaN where there is nothing to rank."""
        return np.where(judged.ranked(), judged.best > 1, np.nan)

"""The Wilcoxon signed-rank test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Reals


def wilcoxon(differences: Reals) -> tuple[float, float]:
    """Return p of the signed-rank test that ``differences`` are symmetric about 0, two-sided, and the effect.

    As scipy has it by default: differences of 0 are left out (Wilcoxon's own way; of a loss that is 0 or 1 what remains
    is a sign test); p is exact for few differences without ties, else from the normal approximation, corrected for
    ties. The effect is the matched-pairs rank-biserial correlation, (R+ - R-) / (R+ + R-), from -1 to 1. Both are NaN
    where all differences are 0.

    >>> [round(x, 4) for x in wilcoxon(np.array([0.3, -0.1, 0.5, 0.0, 0.2]))]
    [0.25, 0.8]
    """
    from scipy import stats  # noqa: PLC0415 - half a second

    moved = differences[differences != 0]
    if not len(moved):
        return math.nan, math.nan
    ranks = stats.rankdata(np.abs(moved))
    return float(stats.wilcoxon(moved).pvalue), float(np.sum(np.sign(moved) * ranks) / np.sum(ranks))

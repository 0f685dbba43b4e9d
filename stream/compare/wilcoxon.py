"""The Wilcoxon signed-rank test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Reals


def wilcoxon(differences: Reals) -> tuple[float, float]:
    """Return p of the two-sided signed-rank test that ``differences`` are symmetric about 0, and the effect.

    These are scipy's defaults. Differences of 0 are left out, as Wilcoxon did; for a loss of 0 or 1 a sign test
    remains. p is exact for few differences without ties, else from the normal approximation, corrected for ties. The
    effect is the matched-pairs rank-biserial correlation, (R+ - R-) / (R+ + R-), from -1 to 1. Both are NaN if all
    differences are 0.

    >>> [round(x, 4) for x in wilcoxon(np.array([0.3, -0.1, 0.5, 0.0, 0.2]))]
    [0.25, 0.8]
    """
    from scipy import stats  # noqa: PLC0415 - half a second

    moved = differences[differences != 0]
    if not len(moved):
        return math.nan, math.nan
    ranks = stats.rankdata(np.abs(moved))
    return float(stats.wilcoxon(moved).pvalue), float(np.sum(np.sign(moved) * ranks) / np.sum(ranks))

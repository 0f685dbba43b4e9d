"""The Wilcoxon signed-rank test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Flags, Reals

_FEW = 13
"""Up to so many differences scipy's p is exact even if some are equal."""


def wilcoxon(differences: Reals, alternative: Literal["two-sided", "less"] = "two-sided") -> tuple[float, float]:
    """Return p of the signed-rank test that ``differences`` are symmetric about 0, and the effect.

    With the ``alternative`` less the test is one-sided: p is small only where the differences are below 0.

    These are scipy's defaults. Differences of 0 are left out, as Wilcoxon did; for a loss of 0 or 1 a sign test
    remains. p is exact for up to 13 differences, and for up to 50 without ties, else from the normal approximation,
    corrected for ties. The effect is the matched-pairs rank-biserial correlation, (R+ - R-) / (R+ + R-), from -1 to 1.
    Both are NaN if all differences are 0.

    >>> [round(x, 4) for x in wilcoxon(np.array([0.3, -0.1, 0.5, 0.0, 0.2]))]
    [0.25, 0.8]
    """
    from scipy import stats  # noqa: PLC0415 - half a second

    moved = differences[differences != 0]
    if not len(moved):
        return math.nan, math.nan
    ranks = stats.rankdata(np.abs(moved))
    if len(moved) <= _FEW:
        p = _exact(ranks, moved > 0, alternative)
    else:
        p = float(stats.wilcoxon(moved, alternative=alternative).pvalue)
    return p, float(np.sum(np.sign(moved) * ranks) / np.sum(ranks))


def _exact(ranks: Reals, positive: Flags, alternative: str) -> float:
    """Return p by the number of ways to give signs to the ranks: scipy tries them all, in .15 s if there are ties."""
    doubled = np.rint(2 * ranks).astype(int)  # the mean of two ranks is a half at the least
    ways = np.ones(1)
    for rank in doubled.tolist():
        ways = np.append(ways, np.zeros(rank)) + np.append(np.zeros(rank), ways)
    found = int(doubled[positive].sum())
    below, above = ways[: found + 1].sum() / ways.sum(), ways[found:].sum() / ways.sum()
    return float(below if alternative == "less" else min(1.0, 2 * min(below, above)))

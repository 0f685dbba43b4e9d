"""Friedman's test over collections, and Nemenyi's of all pairs behind it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from telex.learners.base import Reals


@dataclass(frozen=True, slots=True)
class Ranks:
    """The ranks of learners over collections, after Demsar (JMLR 7, 2006).

    ``means`` has each learner's mean rank, 1 for the best. ``p`` is that of Friedman's test that all learners are
    equally good; ``p_iman`` that of Iman and Davenport's, which is less cautious. Two learners whose mean ranks differ
    by more than ``critical`` are not equally good by Nemenyi's test; ``pairs`` has its p for each pair.
    """

    means: Reals
    p: float
    p_iman: float
    critical: float
    pairs: Reals


def friedman(costs: Reals, alpha: float = 0.05) -> Ranks:
    """Compare learners by their ``costs``, lower is better: a row for each collection, a column for each learner.

    Learners with equal costs share their ranks. The p values are approximate, and good from about ten collections on.

    >>> found = friedman(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.5], [0.1, 0.4, 0.3], [0.3, 0.5, 0.6]]))
    >>> found.means.tolist(), round(found.p, 4), round(found.critical, 4)
    ([1.0, 2.25, 2.75], 0.0388, 1.6572)
    """
    from scipy import stats  # noqa: PLC0415 - half a second

    collections, learners = costs.shape
    if collections < 2 or learners < 2:
        raise UsageError(
            f"ranks of {learners} learners over {collections} collections tell nothing; give two of each or more"
        )
    ranks = np.apply_along_axis(stats.rankdata, 1, costs)
    means = ranks.mean(axis=0)
    spread = float(((ranks - (learners + 1) / 2) ** 2).sum())
    between = float(collections**2 * ((means - (learners + 1) / 2) ** 2).sum())
    chi = (learners - 1) * between / spread if spread else math.nan
    rest = collections * (learners - 1) - chi
    iman = (collections - 1) * chi / rest if rest > 0 else math.inf
    error = math.sqrt(learners * (learners + 1) / (12 * collections))
    apart = np.abs(means[:, None] - means[None, :]) / error
    return Ranks(
        means,
        float(stats.chi2.sf(chi, learners - 1)),
        math.nan if math.isnan(chi) else float(stats.f.sf(iman, learners - 1, (learners - 1) * (collections - 1))),
        float(stats.studentized_range.isf(alpha, learners, np.inf)) * error,
        stats.studentized_range.sf(apart, learners, np.inf),
    )

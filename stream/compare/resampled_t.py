"""The corrected resampled t-test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Reals


def resampled_t(differences: Reals, share: float) -> float:
    """Return p of the two-sided corrected resampled t-test that the mean of ``differences`` over folds is 0.

    Folds share training documents, so their differences vary less than those of independent samples would, and the
    plain t-test finds too much. Nadeau and Bengio (2003) take the variance (1/n + ``share``) s^2 instead of s^2 / n,
    with ``share`` the size of a test part over that of its training part: 1/9 for ten folds. NaN if s is 0.

    >>> round(resampled_t(np.array([0.01, 0.02, 0.0, 0.03, 0.02]), 1 / 4), 4)
    0.1046
    """
    from scipy import stats  # noqa: PLC0415 - half a second

    n = len(differences)
    if n < 2 or (differences == differences[0]).all():
        return math.nan
    variance = (1 / n + share) * np.var(differences, ddof=1)
    return float(2 * stats.t.sf(abs(np.mean(differences)) / math.sqrt(variance), n - 1))

"""The paired Wald test."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Reals


def wald(differences: Reals) -> tuple[float, float]:
    """Return p of the paired, two-sided Wald test that the mean of ``differences`` is 0, and the effect.

    W = mean / (s / sqrt(n)), with the n - 1 standard deviation s, is compared with the normal distribution. The effect
    is mean / s. Both are NaN if s is 0.

    >>> [round(x, 4) for x in wald(np.array([1.0, 0.0, 1.0, 0.0, 1.0]))]
    [0.0143, 1.0954]
    """
    n = len(differences)
    if not n or (differences == differences[0]).all():
        return math.nan, math.nan
    effect = float(np.mean(differences) / np.std(differences, ddof=1))
    return math.erfc(abs(effect) * math.sqrt(n / 2)), effect

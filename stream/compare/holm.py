"""Holm's correction for several tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence


def holm(values: Sequence[float]) -> list[float]:
    """Return corrected p values: with probability 1 - alpha, all that are below alpha are true findings (Holm 1979).

    The k-th smallest of m is multiplied by m - k + 1; it is at least the one before it and at most 1. NaN, a test that
    could not be made, stays NaN and does not count among the m.

    >>> [round(p, 3) for p in holm([0.01, 0.04, 0.03])]
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(values, float)
    order = np.argsort(p)[: np.count_nonzero(~np.isnan(p))]  # NaN is sorted to the end
    corrected = np.full(len(p), np.nan)
    corrected[order] = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1)), 1.0)
    result: list[float] = corrected.tolist()
    return result

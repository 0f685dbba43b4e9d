"""A histogram without labels, locks or names."""

from __future__ import annotations

import math
from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Reals

WORK = (1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 5e-3, 1e-2, 5e-2, 0.25, 1.0)
"""Seconds that a learner takes for a document, or for a few."""
STRETCHES = (1e-4, 1e-3, 5e-3, 1e-2, 2.5e-2, 5e-2, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0)
"""Seconds that a learner takes for all documents of one call."""
LATENCIES = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0)
"""Seconds from a record to the curve."""
EVENT_TIMES = (0.1, 1.0, 10.0, 60.0, 300.0, 1800.0, 3600.0, 21600.0, 86400.0, 604800.0, 2592000.0)
"""Seconds of event time, up to a month."""
TASKS = (0.01, 0.05, 0.25, 1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0)
"""Seconds of a refit or a checkpoint."""


class Histogram:
    """How many values were at most each of ``bounds``, and their sum.

    >>> sizes = Histogram((1.0, 10.0))
    >>> sizes.observe(1.0)
    >>> sizes.observe(5.0, times=2)
    >>> sizes.observe_all(np.array([0.5, 99.0]))
    >>> sizes.buckets(), sizes.sum
    ([('1.0', 2), ('10.0', 4), ('+Inf', 5)], 110.5)
    """

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float, times: int = 1) -> None:
        """Count a value, ``times`` times."""
        self.counts[bisect_left(self.bounds, value)] += times
        self.sum += value * times

    def observe_all(self, values: Reals) -> None:
        """Count each of many values; NaN does not count."""
        known = values[~np.isnan(values)]
        places = np.searchsorted(self.bounds, known)
        for place, count in enumerate(np.bincount(places, minlength=len(self.counts)).tolist()):
            self.counts[place] += count
        self.sum += math.fsum(known)

    def buckets(self) -> list[tuple[str, float]]:
        """Return how many values were at most each bound, ``+Inf`` the last."""
        return list(zip([*map(str, self.bounds), "+Inf"], accumulate(self.counts), strict=True))

"""How old documents are when they are scored: by the clock on the wall, and by the times of the stream."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.prometheus.families import counter, histogram
from telex.adapters.prometheus.histogram import EVENT_TIMES, LATENCIES, Histogram

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric

    from telex.learners.base import Reals

ARCHIVED = 7 * 86400.0
"""Seconds after which a record is part of an archive that is replayed: as long as topics keep records by default."""


class Latencies:
    """Counts the ages of records that all learners have been scored on.

    The first age is by the wall clock, but for records older than a week: those are replayed, and their age says
    nothing of this run. The second is in event time, from the record's time to the ``newest`` one that had been fetched
    by then. It is as long for a wire that is replayed as it was for the wire itself, at any speed.

    >>> latencies = Latencies()
    >>> latencies.observe(np.array([840499200.0, 840499207.0]), newest=840499207.0)
    >>> [family.samples[-1].value for family in latencies.families()]  # sums of seconds, and numbers of records
    [0.0, 7.0, 0, 2]
    """

    def __init__(self) -> None:
        self._wall, self._event = Histogram(LATENCIES), Histogram(EVENT_TIMES)
        self._ahead = self._archived = 0

    def observe(self, times: Reals, newest: float = math.nan) -> None:
        """Count records by their times, in epoch seconds; NaN does not count."""
        now = time.time()
        if len(times) == 1:  # a live wire often brings one at a time, for which arrays cost too much
            self._observe_one(now - float(times[0]), newest - float(times[0]))
            return
        ages = now - times
        self._ahead += int(np.count_nonzero(ages < 0))
        archived = ages > ARCHIVED
        self._archived += int(np.count_nonzero(archived))
        self._wall.observe_all(np.maximum(ages[~archived], 0.0))
        self._event.observe_all(np.maximum(newest - times, 0.0))

    def _observe_one(self, age: float, behind: float) -> None:
        if age > ARCHIVED:
            self._archived += 1
        elif not math.isnan(age):
            self._ahead += age < 0
            self._wall.observe(max(0.0, age))
        if not math.isnan(behind):
            self._event.observe(max(0.0, behind))

    def families(self) -> Iterator[Metric]:
        """Yield the histograms and counters."""
        yield histogram(
            "telex_end_to_end_latency_seconds",
            "From a record's time until all learners were scored on it; a time in the future counts as 0, and one "
            "more than a week ago does not count.",
            self._wall,
        )
        yield histogram(
            "telex_event_time_latency_seconds",
            "From a record's time to the newest time that had been fetched when all learners were scored on it.",
            self._event,
        )
        yield counter(
            "telex_records_ahead_of_clock_total",
            "Records whose time was in the future when they were read.",
            self._ahead,
        )
        yield counter(
            "telex_archived_records_total",
            "Records whose time was more than a week ago when they were scored.",
            self._archived,
        )

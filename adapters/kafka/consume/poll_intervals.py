"""Counts of the time between polls: a broker removes a member from the group that polls too rarely."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

BOUNDS = (0.001, 0.01, 0.1, 0.5, 1.0, 5.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds; as in the Prometheus metrics, whose module is too slow to import in a process that only counts."""


class Polled(NamedTuple):
    """How many times were at most each of :data:`BOUNDS` and above the one before; the last counts the longer ones."""

    counts: tuple[int, ...]
    seconds: float


NO_POLLS = Polled((0,) * (len(BOUNDS) + 1), 0.0)


class Polls:
    """Counts the times between calls of :meth:`polled`.

    >>> polls = Polls()
    >>> for now in (50.0, 50.2, 50.9):
    ...     polls.polled(now)
    >>> polled = polls.counts()
    >>> [bound for bound, count in zip(BOUNDS, polled.counts) if count], round(polled.seconds, 6)
    ([0.5, 1.0], 0.9)
    """

    def __init__(self) -> None:
        self._counts = list(NO_POLLS.counts)
        self._seconds = 0.0
        self._last: float | None = None

    def polled(self, now: float) -> None:
        """Count a poll."""
        if self._last is not None:
            self._counts[bisect_left(BOUNDS, now - self._last)] += 1
            self._seconds += now - self._last
        self._last = now

    def counts(self) -> Polled:
        """Return the counts since the first poll."""
        return Polled(tuple(self._counts), self._seconds)

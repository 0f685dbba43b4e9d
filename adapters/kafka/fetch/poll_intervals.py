"""Counts of the time between polls: a broker removes a member from the group that polls too rarely."""

from __future__ import annotations

from bisect import bisect_left
from typing import NamedTuple

POLL_BOUNDS = (0.001, 0.01, 0.1, 0.5, 1.0, 5.0, 30.0, 60.0, 120.0, 300.0)
"""Seconds; the longest is the default of Kafka's ``max.poll.interval.ms``."""


class PollCounts(NamedTuple):
    """A histogram of times, whose sum is ``seconds``.

    ``counts`` tells how many were at most each of :data:`POLL_BOUNDS` and above the one before; the last, how many were
    longer.
    """

    counts: tuple[int, ...]
    seconds: float


NO_POLLS = PollCounts((0,) * (len(POLL_BOUNDS) + 1), 0.0)


class PollIntervals:
    """Counts the times between calls of :meth:`observe`.

    >>> polls = PollIntervals()
    >>> for now in (50.0, 50.2, 50.9):
    ...     polls.observe(now)
    >>> polled = polls.counts()
    >>> [bound for bound, count in zip(POLL_BOUNDS, polled.counts) if count], round(polled.seconds, 6)
    ([0.5, 1.0], 0.9)
    """

    def __init__(self) -> None:
        self._counts = list(NO_POLLS.counts)
        self._seconds = 0.0
        self._last: float | None = None

    def observe(self, now: float) -> None:
        """Count a poll."""
        if self._last is not None:
            self._counts[bisect_left(POLL_BOUNDS, now - self._last)] += 1
            self._seconds += now - self._last
        self._last = now

    def counts(self) -> PollCounts:
        """Return the counts since the first poll."""
        return PollCounts(tuple(self._counts), self._seconds)

"""The pace at which documents are published: a rate, or their own times."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

import numpy as np

from telex.stream.refit import EventClock

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners.base import Reals


class Pace:
    """Tells when documents are due: ``rate`` a second, or by their times, ``speed`` times as fast as they once came.

    Event time begins with the first document that has a time. A document without one is due with the one before it,
    and so is one that is earlier than that.

    >>> now = iter([10.0, 11.0, 11.0])
    >>> pace = Pace(speed=60.0, now=lambda: next(now))
    >>> pace.due(np.array([3600.0, 3650.0, 3680.0]))
    (1, 0.0)
    >>> pace.passed(np.array([3600.0]))
    >>> pace.due(np.array([3650.0, 3680.0]))
    (1, 0.0)
    >>> pace.event_time
    3660.0
    """

    def __init__(
        self, *, rate: float | None = None, speed: float | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate, self._speed, self._now = rate, speed, now
        self._began = self._first = math.nan
        self._count = 0
        self._clock = EventClock()

    def due(self, times: Reals) -> tuple[int, float]:
        """Return how many of the next documents are due, and, if none is, the seconds until the first."""
        now = self._now()
        if math.isnan(self._began):
            self._began = now
        if self._rate is not None:
            moments = self._began + np.arange(self._count, self._count + len(times)) / self._rate
        elif self._speed is not None:
            clock = np.fmax.accumulate(np.concatenate([[self._clock.newest], times]))[1:]
            if math.isnan(self._first) and not math.isnan(clock[-1]):
                self._began, self._first = now, float(clock[~np.isnan(clock)][0])
            moments = self._began + np.nan_to_num((clock - self._first) / self._speed)
        else:
            return len(times), 0.0
        count = int(np.searchsorted(moments, now, side="right"))
        return count, 0.0 if count else float(moments[0]) - now

    def passed(self, times: Reals) -> None:
        """Note the times of documents that were published."""
        self._count += len(times)
        self._clock.advance(times)

    @property
    def event_time(self) -> float:
        """The event time now; NaN if documents do not come by their times."""
        return self._first + (self._now() - self._began) * self._speed if self._speed is not None else math.nan

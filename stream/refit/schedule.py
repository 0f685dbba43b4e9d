"""The schedule of refits, in documents or in event time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import UsageError
from telex.stream.refit.event_clock import EventClock

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Reals, Span

_TIMELESS = 1_000
"""After this many documents without a time, a schedule in event time is an error."""


class RefitSchedule:
    """Counts answered documents, or follows their times, until a refit is ``due``.

    The first is due after ``after``, the next ``every`` after the last :meth:`restart`; if ``every`` is None, there is
    no next. Event time is the time of the newest document so far, counted from the first; a document without a time
    does not move the clock, nor does a late one. In a second pass the clock runs on
    (:class:`~telex.stream.refit.EventClock`).

    >>> from telex.learners.base import Span
    >>> schedule, times = RefitSchedule(Span(documents=3), Span(documents=2)), np.zeros(5)
    >>> schedule.until_due(times), schedule.until_due(times[:1])
    (2, None)
    >>> schedule.count_answers(times[:2])
    >>> schedule.due
    True
    """

    def __init__(self, every: Span | None, after: Span) -> None:
        self._every, self._after, self._first = every, after, True
        self._count, self._began, self._clock = 0, math.nan, EventClock()

    @property
    def _span(self) -> Span | None:
        return self._after if self._first else self._every

    @property
    def due(self) -> bool:
        """Whether a refit is due."""
        if self._span is None:
            return False
        if self._span.documents is not None:
            return self._count >= self._span.documents
        assert self._span.seconds is not None
        return self._clock.newest - self._began >= self._span.seconds

    def until_due(self, times: Reals) -> int | None:
        """Return after how many of these next documents a refit is due; None if it is due now, or not after any."""
        if self._span is None or self.due:
            return None
        if self._span.documents is not None:
            left = self._span.documents - self._count
            return left if left <= len(times) else None
        assert self._span.seconds is not None
        read = self._clock.shifted(times)
        newest = np.fmax.accumulate(np.concatenate([[self._clock.newest], read]))[1:]
        hits = np.flatnonzero(newest - self._start(read) >= self._span.seconds)
        return int(hits[0]) + 1 if len(hits) else None

    def count_answers(self, times: Reals) -> None:
        """Count documents that were answered."""
        self._count += len(times)
        self._began = self._start(self._clock.shifted(times))
        self._clock.advance(times)
        timed = self._span is not None and self._span.seconds is not None
        if timed and math.isnan(self._clock.newest) and self._count >= _TIMELESS:
            raise UsageError(
                f"refits are scheduled in event time, but {self._count:,} documents have come and none has a time; "
                "give every=5000, a number of documents, or have the format find their times"
            )

    def begin_pass(self) -> None:
        """Start another pass over the stream."""
        self._clock.begin_pass()

    def restart(self, *, first: bool = False) -> None:
        """Count from here to the next refit, or to the ``first`` one again."""
        self._count, self._began, self._first = 0, self._clock.newest, first

    def save(self) -> dict[str, Any]:
        """Return the counts and the clock, as plain data."""
        return {"first": self._first, "count": self._count, "began": self._began, "clock": self._clock.save()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned."""
        self._first = bool(state["first"])
        self._count, self._began = int(state["count"]), float(state["began"])
        self._clock.load(state["clock"])

    def _start(self, times: Reals) -> float:
        if not math.isnan(self._began):
            return self._began
        known = times[~np.isnan(times)]
        return float(known[0]) if len(known) else math.nan

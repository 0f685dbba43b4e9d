"""When it is time again: every so many documents, or every so much event time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Reals
    from telex.stream.span import Span


class Cadence:
    """Counts answered documents, or reads their times, until it is ``due``.

    The first time is after ``after``, then ``every`` since the last :meth:`restart`. Event time is that of the
    newest document so far, counted from the first; a document without a time moves no clock, nor does a late one.

    >>> from telex.stream.span import Span
    >>> cadence, times = Cadence(Span(documents=3), Span(documents=2)), np.zeros(5)
    >>> cadence.until_due(times), cadence.until_due(times[:1])
    (2, None)
    >>> cadence.passed(times[:2])
    >>> cadence.due
    True
    """

    def __init__(self, every: Span, after: Span) -> None:
        self._every, self._span = every, after
        self._count, self._began, self._newest = 0, math.nan, math.nan

    @property
    def due(self) -> bool:
        """Whether it is time."""
        if self._span.documents is not None:
            return self._count >= self._span.documents
        assert self._span.seconds is not None
        return self._newest - self._began >= self._span.seconds

    def until_due(self, times: Reals) -> int | None:
        """Return after how many of these next documents it will be time; None where it is already, or not by then."""
        if self.due:
            return None
        if self._span.documents is not None:
            left = self._span.documents - self._count
            return left if left <= len(times) else None
        assert self._span.seconds is not None
        newest = np.fmax.accumulate(np.concatenate([[self._newest], times]))[1:]
        hits = np.flatnonzero(newest - self._start(times) >= self._span.seconds)
        return int(hits[0]) + 1 if len(hits) else None

    def passed(self, times: Reals) -> None:
        """Note documents that were answered."""
        self._count += len(times)
        self._began = self._start(times)
        self._newest = float(np.fmax.reduce(times, initial=self._newest))

    def restart(self) -> None:
        """Count from here."""
        self._count, self._began, self._span = 0, self._newest, self._every

    def _start(self, times: Reals) -> float:
        if not math.isnan(self._began):
            return self._began
        known = times[~np.isnan(times)]
        return float(known[0]) if len(known) else math.nan

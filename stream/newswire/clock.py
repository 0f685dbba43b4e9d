"""The times of documents: more come on weekdays and by day."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Reals

_HOURS = (3, 2, 2, 2, 3, 5, 8, 11, 13, 13, 12, 12, 12, 13, 14, 14, 13, 12, 10, 8, 6, 5, 5, 4)
_DAYS = (10, 11, 11, 11, 10, 2, 3)
_WEEK, _MONDAY = 7 * 24 * 3600, 345_600  # in seconds: a week, and the first Monday after 1970 began
_MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)


class Clock:
    """Gives each document its time, in whole seconds from ``start`` on; times never go back.

    >>> Clock(840542400.0, rate=24).times(0, 3).tolist()
    [840542400.0, 840545077.0, 840547628.0]
    """

    def __init__(self, start: float, rate: int) -> None:
        # A week has 7 * rate documents. _starts has, for each hour of the week, how many of them come before it.
        hours = np.outer(_DAYS, _HOURS).ravel()
        self._week = 7 * rate
        self._starts = np.append(0, np.cumsum(hours)) * self._week // int(hours.sum())
        self._first_week, second = divmod(int(start) - _MONDAY, _WEEK)
        hour, into = divmod(second, 3600)
        held = int(self._starts[hour + 1] - self._starts[hour])
        self._before = int(self._starts[hour]) + -(-held * into // 3600)  # of the first week, before ``start``

    def times(self, first: int, count: int) -> Reals:
        """Return the times of ``count`` documents from number ``first``."""
        numbers = np.arange(first, first + count)
        week, place = np.divmod(numbers + self._before, self._week)
        hour = np.searchsorted(self._starts, place, "right") - 1
        held = self._starts[hour + 1] - self._starts[hour]
        # Within its hour a document gets an equal share of the time, and a jitter from a hash of its number.
        mixed = numbers.astype(np.uint64) * _MIX[0]
        mixed = (mixed ^ mixed >> np.uint64(29)) * _MIX[1]
        jitter = (mixed >> np.uint64(33)).astype(np.int64) % 3600
        into = (3600 * (place - self._starts[hour]) + jitter) // held
        times: Reals = ((self._first_week + week) * _WEEK + _MONDAY + 3600 * hour + into).astype(np.float64)
        return times

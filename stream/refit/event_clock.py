"""The clock of a stream that may be read more than once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Reals


class EventClock:
    """The newest time so far, in seconds; it never goes back, and a document without a time does not move it.

    When another pass over the stream begins, the clock runs on: the first document of the pass that has a time gets the
    clock's newest time, and all other times of the pass are shifted by the same amount.

    >>> clock = EventClock()
    >>> clock.advance(np.array([100.0, 130.0]))
    >>> clock.begin_pass()
    >>> clock.shifted(np.array([100.0, 110.0])).tolist(), clock.newest
    ([130.0, 140.0], 130.0)
    """

    def __init__(self) -> None:
        self.newest = math.nan
        self._ahead = 0.0
        self._new_pass = False

    def begin_pass(self) -> None:
        """Start another pass over the stream."""
        self._new_pass = not math.isnan(self.newest)

    def shifted(self, times: Reals) -> Reals:
        """Return the times of the next documents on this clock; do not move the clock."""
        shifted: Reals = times + self._ahead_of(times)
        return shifted

    def advance(self, times: Reals) -> None:
        """Move the clock on by these documents."""
        read = self.shifted(times)
        if not np.isnan(times).all():
            self._ahead, self._new_pass = self._ahead_of(times), False
        self.newest = float(np.fmax.reduce(read, initial=self.newest))

    def save(self) -> dict[str, Any]:
        """Return the clock as plain data."""
        return {"newest": self.newest, "ahead": self._ahead, "anew": self._new_pass}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned."""
        self.newest, self._ahead = float(state["newest"]), float(state["ahead"])
        self._new_pass = bool(state["anew"])

    def _ahead_of(self, times: Reals) -> float:
        if not self._new_pass:
            return self._ahead
        known = times[~np.isnan(times)]
        return self.newest - float(known[0]) if len(known) else self._ahead

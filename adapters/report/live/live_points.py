"""The points of a running run."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from telex.stream.run_folder import SPANS, CurveTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_MOST = 20_000


class LivePoints:
    """Collects the figures of all learners, point by point; any thread may read.

    Beyond ``most`` points every second one is dropped: a run may last for months.

    >>> points = LivePoints(["mmp"], ["iserr"])
    >>> points.add(1, 0.5, {"mmp": {"iserr": 1.0, "iserr_window": None}})
    >>> points.add(2, None, {"mmp": {"iserr": 0.5, "iserr_window": 0.5}})
    >>> curves = points.curves(after=1)
    >>> curves.documents.tolist(), curves.learners["mmp"]["iserr"].tolist()
    ([2], [0.5])
    """

    def __init__(self, learners: Iterable[str], figures: Sequence[str], most: int = _MOST) -> None:
        self.figures = tuple(figures)
        self._columns = [name + span for name in figures for span in SPANS]
        self._most = most
        self._places = array("q")
        self._times = array("d")
        self._rows = {name: array("d") for name in learners}
        self._lock = Lock()

    def add(self, documents: int, time: float | None, figures: Mapping[str, Mapping[str, float | None]]) -> None:
        """Append a point, unless there is one at this document already."""
        if self._places and self._places[-1] >= documents:
            return
        with self._lock:
            for name, row in self._rows.items():
                own = figures.get(name, {})  # none of a learner that was set aside
                row.extend([math.nan if (x := own.get(column)) is None else x for column in self._columns])
            self._times.append(math.nan if time is None else time)
            self._places.append(documents)
            if len(self._places) > self._most:
                self._halve()

    def curves(self, after: int = 0) -> CurveTable:
        """Return the points after document ``after``."""
        width = len(self._columns)
        with self._lock:
            start = bisect_right(self._places, after)
            rows = {name: np.array(row[start * width :]).reshape(-1, width) for name, row in self._rows.items()}
            places, times = np.array(self._places[start:], np.int64), np.array(self._times[start:])
        tables = {name: dict(zip(self._columns, row.T, strict=True)) for name, row in rows.items()}
        return CurveTable(places, times, self.figures, tables)

    def _halve(self) -> None:
        width = len(self._columns)
        self._rows = {
            name: array("d", np.array(row).reshape(-1, width)[1::2].tobytes()) for name, row in self._rows.items()
        }
        self._places, self._times = self._places[1::2], self._times[1::2]

"""curves.csv: the learning curves of a run, a row for each learner and point."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np

from telex.stream.curves import columns_of, iso
from telex.stream.run_folder.events_jsonl import read_events
from telex.stream.run_folder.file_reader import csv_rows, reading
from telex.stream.run_folder.file_sink import FileSink, csv_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from telex.learners.base import Offsets, Reals
    from telex.stream.curves import Point
    from telex.stream.run import RunView

CURVES_CSV = "curves.csv"
SPANS = ("", "_window")
"""The two curves of a figure that are read: over all documents so far, and over the sliding window."""
_KEYS = ("learner", "documents", "time")


@dataclass(frozen=True, slots=True, eq=False)
class CurveTable:
    """The points of all learners: their places, and each learner's columns, NaN where undefined.

    ``times`` are epoch seconds, NaN before the first document with a time. ``figures`` are the names of losses and
    measures; a learner has each of them once for each of :data:`SPANS`.
    """

    documents: Offsets
    times: Reals
    figures: tuple[str, ...]
    learners: Mapping[str, Mapping[str, Reals]]


class CurvesFile(FileSink):
    """curves.csv: one row a learner and point of the first training pass, undefined figures empty."""

    def head(self, run: RunView) -> str:
        """Return the names of the columns."""
        return csv_text([[*_KEYS, *columns_of(run.settings.names)]])

    def point(self, point: Point) -> None:
        """Write a row for each learner."""
        if point.part == "train" and point.epoch == 1:
            head = (point.documents, iso(point.time))
            self.write(csv_text((name, *head, *figures.values()) for name, figures in point.learners.items()))
            self.flush()


def read_curves(folder: Path) -> CurveTable | None:
    """Return the curves of the run in ``folder``; None if it has no point yet.

    A run may still be writing: a point counts once each learner has its row. The lines of a learner that was set aside
    end where it failed.
    """
    path = folder / CURVES_CSV
    with reading(path):
        lines = csv_rows(path)
        heading = next(lines, [])
        figures = tuple(name for name in heading[len(_KEYS) :] if not name.endswith(("_window", "_since")))
        wanted = [(heading.index(name + span), name + span) for name in figures for span in SPANS]
        points: dict[int, str] = {}
        found: dict[str, list[list[float]]] = {}
        for row in lines:
            learner, documents, time = row[: len(_KEYS)]
            points[int(documents)] = time
            found.setdefault(learner, []).append([float(row[i] or "nan") for i, _ in wanted])
        if not found:
            return None
        failed = {event["learner"] for event in read_events(folder) if event["event"] == "learner set aside"}
        count = min((len(table) for name, table in found.items() if name not in failed), default=len(points))
        tables = {name: _as_long(np.array(table[:count]).T, count) for name, table in found.items()}
        return CurveTable(
            np.array(list(points)[:count]),
            np.array([epoch_seconds(time) for time in list(points.values())[:count]]),
            figures,
            {name: {column: table[i] for i, (_, column) in enumerate(wanted)} for name, table in tables.items()},
        )


def _as_long(columns: Reals, count: int) -> Reals:
    """Return columns with ``count`` rows, undefined behind those that there are."""
    return np.pad(columns, ((0, 0), (0, count - columns.shape[1])), constant_values=np.nan)


def epoch_seconds(time: str) -> float:
    """Return the epoch seconds of a time in the file, NaN if there is none.

    >>> epoch_seconds("1996-08-20T12:00:00Z"), epoch_seconds("")
    (840542400.0, nan)
    """
    if not time:
        return float("nan")
    return datetime.fromisoformat(time).timestamp() if "T" in time else float(time)

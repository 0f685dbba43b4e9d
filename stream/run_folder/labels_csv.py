"""labels.csv: each learner's counts, precision, recall and F1 of each label."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from telex.learners.base import without_nan
from telex.stream.curves import COLUMNS
from telex.stream.run import Sink
from telex.stream.run_folder.file_reader import csv_table, reading
from telex.stream.run_folder.file_sink import csv_text, replace_file

if TYPE_CHECKING:
    from pathlib import Path

    from telex.stream.curves import Point
    from telex.stream.run import RunView

LABELS_CSV = "labels.csv"
LABEL_COUNTS = tuple(name for name in COLUMNS if name not in {"precision", "recall", "f1"})
"""The columns that are read: the label, its counts, and the document that had it first. The others follow from them."""
_LEARNER = "learner"
_LABELS_SHARE = 0.02
"""The share of a run's time that the table of labels may take: each write replaces the whole file."""


class LabelsFile(Sink):
    """labels.csv: each learner's counts per label, replaced as a whole now and then, and at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run: RunView | None = None
        self._next_write = 0.0

    def begin(self, run: RunView) -> None:
        """Store the view of the run."""
        self.run = run

    def point(self, point: Point) -> None:
        """Write the table, if the last write is long enough ago."""
        if (start := time.perf_counter()) >= self._next_write:
            self.write()
            end = time.perf_counter()
            self._next_write = end + (end - start) / _LABELS_SHARE

    def write(self) -> None:
        """Replace the file."""
        if self.run is not None:
            tables = {name: self.run.labels(name) for name in self.run.learners}
            body = (
                (name, *map(without_nan, row))
                for name, table in tables.items()
                for row in zip(
                    *(table[column] if column == "label" else table[column].tolist() for column in COLUMNS),
                    strict=True,
                )
            )
            replace_file(self.path, csv_text([[_LEARNER, *COLUMNS]]) + csv_text(body))

    def close(self) -> None:
        """Write the table a last time."""
        self.write()
        self.run = None


def read_labels(folder: Path) -> dict[str, dict[str, list[Any]]]:
    """Return the columns :data:`LABEL_COUNTS` of the run in ``folder``, by learner; empty if there is no table yet."""
    path = folder / LABELS_CSV
    label, *counts = LABEL_COUNTS
    found: dict[str, dict[str, list[Any]]] = {}
    with reading(path):
        for row in csv_table(path):
            columns = found.setdefault(row[_LEARNER], {name: [] for name in LABEL_COUNTS})
            columns[label].append(row[label])
            for name in counts:
                columns[name].append(int(row[name]))
    return found


def label_columns(folder: Path) -> dict[str, list[Any]]:
    """Return the whole table of the run in ``folder`` as columns, with None where a figure is undefined."""
    path = folder / LABELS_CSV
    kinds = {name: float if name in {"precision", "recall", "f1"} else int for name in COLUMNS[1:]}
    found: dict[str, list[Any]] = {name: [] for name in (_LEARNER, *COLUMNS)}
    with reading(path):
        for row in csv_table(path):
            for name in (_LEARNER, COLUMNS[0]):
                found[name].append(row[name])
            for name, kind in kinds.items():
                found[name].append(kind(row[name]) if row[name] else None)
    return found

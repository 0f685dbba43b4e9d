"""label-history.csv: how each label's counts grew."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses import label_counts as counts
from telex.stream.run import next_point
from telex.stream.run_folder.file_reader import csv_rows, reading
from telex.stream.run_folder.file_sink import FileSink, csv_text

if TYPE_CHECKING:
    from pathlib import Path

    from telex.learners.base import Offsets, State
    from telex.stream.curves import Point
    from telex.stream.run import RunView

LABEL_HISTORY_CSV = "label-history.csv"
_COLUMNS = ("learner", "documents", "label", "tp", "fp", "fn")


class LabelHistoryFile(FileSink):
    """Writes a row for each learner and label whose counts have changed, each time the stream has grown by a third.

    Counts are of all documents of the first training pass so far, at the first point of the run after such a place.
    For L labels and n documents these are at most 8 L log10(n) rows a learner, however many points a run has.
    """

    def begin(self, run: RunView) -> None:
        """Open the file, to continue behind its rows."""
        if self._length is None:
            self._written = {name: counts.no_counts() for name in run.learners}
            self._next = 1
        super().begin(run)

    def head(self, run: RunView) -> str:
        """Return the names of the columns."""
        return csv_text([_COLUMNS])

    def point(self, point: Point) -> None:
        """Write the counts that have changed, if it is time."""
        if point.part != "train" or point.epoch > 1 or point.documents < self._next:
            return
        while self._next <= point.documents:
            self._next = next_point("geometric", self._next * 4 // 3)
        self._write(point.documents)

    def save(self) -> State | None:
        """Return the length of the file, and the counts in its newest rows."""
        state = super().save()
        return state and {
            **state,
            "next": self._next,
            "told": {name: counts.copy() for name, counts in self._written.items()},
        }

    def load(self, state: State) -> None:
        """Cut the file back to that length when the run begins."""
        super().load(state)
        self._next, self._written = int(state["next"]), dict(state["told"])

    def close(self) -> None:
        """Write the last counts, and close the file."""
        if self.run is not None and self.file is not None:
            self._write(self.run.sections[0].documents)
        super().close()

    def _write(self, documents: int) -> None:
        assert self.run is not None
        section = self.run.sections[0]
        for name, curve in section.curves.items():
            now, then = curve.counts, self._written[name]
            changed = _changed(now, then)
            columns = counts.columns(now)[:, changed]
            labels = [section.label_names[i] for i in changed.tolist()]
            self.write(
                csv_text((name, documents, label, *of) for label, of in zip(labels, columns.T.tolist(), strict=True))
            )
            self._written[name] = now.copy()
        self.flush()


def _changed(now: Offsets, then: Offsets) -> Offsets:
    """Return the labels that have counts, and whose counts have changed."""
    new, old = counts.columns(now), counts.columns(then)
    changed = np.asarray(new.any(axis=0))
    changed[: old.shape[1]] = (new[:, : old.shape[1]] != old).any(axis=0)
    return np.flatnonzero(changed)


def read_label_history(folder: Path) -> dict[str, dict[str, list[tuple[int, int, int, int]]]]:
    """Return ``(documents, tp, fp, fn)`` of each row, by learner and label, of the run in ``folder``."""
    path = folder / LABEL_HISTORY_CSV
    found: dict[str, dict[str, list[tuple[int, int, int, int]]]] = {}
    with reading(path):
        for learner, documents, label, tp, fp, fn in islice(csv_rows(path), 1, None):
            counts = int(documents), int(tp), int(fp), int(fn)
            found.setdefault(learner, {}).setdefault(label, []).append(counts)
    return found

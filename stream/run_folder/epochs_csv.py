"""epochs.csv: each learner's figures over each pass and over the test after it, of a run of several passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.curves import COUNTS
from telex.stream.run import Sink
from telex.stream.run_folder.file_reader import csv_table, reading
from telex.stream.run_folder.file_sink import csv_text, replace_file

if TYPE_CHECKING:
    from pathlib import Path

    from telex.stream.curves import Point
    from telex.stream.run import RunView

EPOCHS_CSV = "epochs.csv"
_NAMES = ("learner", "part")
_PLACES = ("epoch", "documents")
_KEYS = ("learner", "epoch", "part", "documents")


class EpochsFile(Sink):
    """epochs.csv: a row for each pass, section and learner, replaced as a whole when a section ends, and at the end.

    The figures are means over the documents of the section: of ``train`` as they were predicted in that pass, each
    before it was learnt again, of ``test`` after the pass. A run of one pass has no such file. It follows from the
    curves of the run, so a checkpoint holds nothing of it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run: RunView | None = None
        self._sections = 0

    def begin(self, run: RunView) -> None:
        """Store the view of the run, if it has several passes."""
        self.run = run if run.settings.epochs > 1 else None
        self._sections = len(run.sections)

    def point(self, point: Point) -> None:
        """Write the table, if a section has ended since the last point."""
        if self.run is not None and self._sections < len(self.run.sections):
            self._sections = len(self.run.sections)
            self.write()

    def write(self) -> None:
        """Replace the file."""
        if self.run is not None:
            names = [*self.run.settings.names, *COUNTS]
            rows = (
                (learner, section.epoch, section.name, section.documents, *(figures[name] for name in names))
                for section in self.run.sections
                for learner, figures in section.so_far(self.run.learners).items()
                if section.documents
            )
            replace_file(self.path, csv_text([[*_KEYS, *names]]) + csv_text(rows))

    def close(self) -> None:
        """Write the table a last time."""
        self.write()
        self.run = None


def read_epochs(folder: Path) -> dict[str, list[Any]]:
    """Return the table of the run in ``folder`` as columns, with None where a figure is undefined.

    The columns are empty where the run has one pass, or no document yet.
    """
    path = folder / EPOCHS_CSV
    found: dict[str, list[Any]] = {name: [] for name in _KEYS}
    with reading(path):
        for row in csv_table(path):
            for name, cell in row.items():
                kind = str if name in _NAMES else int if name in (*_PLACES, *COUNTS) else float
                found.setdefault(name, []).append(kind(cell) if cell else None)
    return found

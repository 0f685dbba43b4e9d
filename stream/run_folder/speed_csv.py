"""speed.csv: seconds since the start and documents, at every point; no other file has the wall clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.stream.run_folder.file_reader import csv_table, reading
from telex.stream.run_folder.file_sink import FileSink, csv_text

if TYPE_CHECKING:
    from pathlib import Path

    from telex.stream.curves import Point
    from telex.stream.run import RunView

SPEED_CSV = "speed.csv"
_COLUMNS = ("part", "epoch", "documents", "seconds", "docs_per_second")


class SpeedFile(FileSink):
    """speed.csv: seconds since the start and documents, at every point of every part."""

    def head(self, run: RunView) -> str:
        """Return the names of the columns."""
        return csv_text([_COLUMNS])

    def point(self, point: Point) -> None:
        """Write a row; the speed is that of the whole run so far."""
        if self.run is not None:
            seconds = self.run.seconds
            speed = f"{self.run.progress.documents / seconds:.1f}"
            self.write(csv_text([[point.part, point.epoch, point.documents, f"{seconds:.6f}", speed]]))
            self.flush()


def read_speed(folder: Path) -> list[tuple[float, int]]:
    """Return the points of the first training pass, as ``(seconds, documents)``, of the run in ``folder``."""
    path = folder / SPEED_CSV
    part, epoch, documents, seconds, _ = _COLUMNS
    with reading(path):
        return [
            (float(row[seconds]), int(row[documents]))
            for row in csv_table(path)
            if row[part] == "train" and row[epoch] == "1"
        ]

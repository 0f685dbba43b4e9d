"""Predictions as JSON lines."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from telex.learners.base import UsageError
from telex.stream.run import Sink
from telex.stream.run_folder.file_reader import reading, whole_lines
from telex.stream.run_folder.file_sink import flushed_length, is_regular, open_output, writing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from telex.learners.base import Batch, Predictions, State
    from telex.stream.curves import Point
    from telex.stream.run import RunView, StepResult


class Line(msgspec.Struct):
    """One learner's prediction: its set in sorted order, its best labels, the answer where there is one."""

    id: str
    learner: str
    labels: list[Any]
    top: list[tuple[Any, float]]
    true: list[Any] | msgspec.UnsetType = msgspec.UNSET


class PredictionsFile(Sink):
    """Writes a line for each document and learner, in the order of the stream, then of the learners.

    In a run that chooses a champion there is one line a document, the champion's.
    ``top`` is how many [label, score] pairs a line has. With several epochs these are the predictions of the
    first training pass, and of the test that follows the last.
    """

    stored_name: ClassVar[str] = "predictions"

    def __init__(self, path: str | Path, top: int = 10) -> None:
        self.path = Path(path)
        self.top = top
        self._encoder = msgspec.json.Encoder(enc_hook=str)
        self._file: BinaryIO | None = None
        self._length: int | None = None
        self._resumed = False
        if top < 0:
            raise UsageError(f"top must be at least 0, not {top}")
        if self.path.is_dir():
            raise UsageError(f"{self.path} is a folder; name a file for the predictions")
        if not self.path.parent.is_dir():
            raise UsageError(f"the folder {self.path.parent} is not there; make it, or name another file")

    def begin(self, run: RunView) -> None:
        """Open the file; that of a resumed run is cut back to the checkpoint."""
        regular = not self.path.exists() or self.path.is_file()
        self._file = open_output(self.path, self._length, exclusive=self._resumed and regular, follow=True)

    def save(self) -> State | None:
        """Return the length of the file; a pipe or a device has none."""
        if self._file is None or not is_regular(self._file):
            return None
        with writing(self.path):
            return {"bytes": flushed_length(self._file)}

    def load(self, state: State) -> None:
        """Cut the file back to that length when the run begins."""
        self._length = int(state["bytes"])

    def resumed(self, number: int, place: State | None) -> None:
        """Note that the run resumes: an existing file must not be overwritten."""
        self._resumed = True

    def sync(self) -> None:
        """Put it on the disk."""
        if self._file and is_regular(self._file):
            os.fsync(self._file.fileno())

    def step(self, result: StepResult) -> None:
        """Write the lines of each document, or that of the learner that was chosen for it."""
        if self._file is None or not result.watched:
            return
        columns = [self._lines(name, made, result.documents) for name, made in result.predictions.items()]
        if result.chosen is None:
            lines = [line for document in zip(*columns, strict=True) for line in document]
        else:
            lines = [columns[learner][row] for row, learner in enumerate(result.chosen.tolist())]
        with writing(self.path):
            self._file.write(self._encoder.encode_lines(lines))

    def _lines(self, name: str, made: Predictions, batch: Batch) -> list[Line]:
        return [
            Line(batch.ids[row], name, labels, top, batch.labels_of(row) if batch.labelled[row] else msgspec.UNSET)
            for row, labels, top in zip(made.rows.tolist(), made.sets(), made.rankings(self.top), strict=True)
        ]

    def point(self, point: Point) -> None:
        """Hand to the operating system what was written."""
        if self._file:
            with writing(self.path):
                self._file.flush()

    def close(self) -> None:
        """Close the file."""
        if self._file:
            with writing(self.path):
                self._file.close()


def read_predictions(path: str | Path) -> Iterator[Line]:
    """Yield the predictions in a file that :class:`PredictionsFile` wrote, in their order."""
    decode = msgspec.json.Decoder(Line).decode
    with reading(Path(path)):
        yield from map(decode, whole_lines(Path(path), follow=True))

"""Predictions as JSON lines."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from telex.learners.base import UsageError
from telex.stream.run import Sink
from telex.stream.run_folder.file_reader import reading, whole_lines
from telex.stream.run_folder.file_sink import flushed_length, open_output, writing
from telex.stream.run_folder.output_file import OutputFile, check_output, is_stream
from telex.stream.text_files import encoded, parse_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import BinaryIO

    from telex.learners.base import Batch, Predictions, State
    from telex.stream.curves import Point
    from telex.stream.run import RunView, StepResult


class Line(msgspec.Struct):
    """One learner's prediction: its set in sorted order, its best labels, the answer where there is one.

    Of a newer version of a document, ``revises`` is the place of the one before it.
    """

    id: str
    learner: str
    labels: list[Any]
    top: list[tuple[Any, float]]
    true: list[Any] | msgspec.UnsetType = msgspec.UNSET
    revises: str | msgspec.UnsetType = msgspec.UNSET


class PredictionsFile(Sink):
    """Writes a line for each document and learner, in the order of the stream, then of the learners.

    In a run that chooses a champion there is one line a document, the champion's.
    ``top`` is how many [label, score] pairs a line has. With several epochs these are the predictions of the
    first training pass, and of the test that follows the last.

    A run with checkpoints writes under the name of the file, and continues it when it resumes. Without, the file is
    ``PATH.part`` until the run ends. An existing file is refused, unless ``overwrite`` is set.
    """

    stored_name: ClassVar[str] = "predictions"

    def __init__(self, path: str | Path, top: int = 10, *, overwrite: bool = False) -> None:
        self.path = Path(path)
        self.top, self.overwrite = top, overwrite
        self._encoder = msgspec.json.Encoder(enc_hook=str)
        self._file: BinaryIO | None = None
        self._output: OutputFile | None = None
        self._length: int | None = None
        self._resumed = False
        self._learners: list[str] = []
        if top < 0:
            raise UsageError(f"top must be at least 0, not {top}")
        check_output(self.path, overwrite=True)

    def begin(self, run: RunView) -> None:
        """Open the file; that of a resumed run is cut back to the checkpoint."""
        self._learners = list(run.learners)
        if self._resumed and not is_stream(self.path):
            self._file = open_output(self.path, self._length, follow=True)
        else:
            in_place = run.checkpoints is not None
            self._output = OutputFile(self.path, overwrite=self.overwrite, in_place=in_place)
            self._file = self._output.file

    def save(self) -> State | None:
        """Return the length of the file; a pipe or a device has none."""
        if self._file is None or is_stream(self.path):
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
        if self._file and not is_stream(self.path):
            os.fsync(self._file.fileno())

    def step(self, result: StepResult) -> None:
        """Write the lines of each document, or that of the learner that was chosen for it."""
        if self._file is None or not result.watched:
            return
        columns = {name: self._lines(name, made, result.documents) for name, made in result.predictions.items()}
        for row, older in zip(result.revised.rows.tolist(), result.revised.older, strict=True):
            for lines in columns.values():
                lines[row].revises = older.text
        if result.chosen is None:
            lines = [line for document in zip(*columns.values(), strict=True) for line in document]
        else:
            lines = [columns[self._learners[one]][row] for row, one in enumerate(result.chosen.tolist())]
        with writing(self.path):
            self._file.write(self._encoded(lines))

    def _encoded(self, lines: list[Line]) -> bytes:
        try:
            return self._encoder.encode_lines(lines)
        except UnicodeEncodeError:  # half a surrogate pair in an id or label; Python's json can write it
            plain: Any = msgspec.to_builtins(lines, enc_hook=str)
            return b"".join(encoded(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n") for one in plain)

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

    def end(self, summary: Mapping[str, Any]) -> None:
        """Give the file its name: it is whole."""
        if self._output:
            with writing(self.path):
                self._output.finish()

    def close(self) -> None:
        """Close the file."""
        if self._file:
            with writing(self.path):
                self._file.close()


def read_predictions(path: str | Path) -> Iterator[Line]:
    """Yield the predictions in a file that :class:`PredictionsFile` wrote, in their order."""
    decode = msgspec.json.Decoder(Line).decode
    with reading(Path(path)):
        for line in whole_lines(Path(path), follow=True):
            try:
                yield decode(line)
            except (msgspec.DecodeError, UnicodeEncodeError):
                yield msgspec.convert(parse_json(line), Line)

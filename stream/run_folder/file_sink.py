"""The files of a run folder, one sink each. Only speed.csv knows the wall clock."""

from __future__ import annotations

import base64
import csv
import io
import json
import os
import stat
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

from telex.learners.base import StoppedError, UsageError, without_nan
from telex.stream.curves import COLUMNS, columns_of, iso
from telex.stream.run import Sink

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from telex.learners.base import State
    from telex.stream.curves import Point
    from telex.stream.run import RunView
    from telex.stream.sources import DeadLetter

_LABELS_SHARE = 0.02
"""How much of a run's time the table of labels may take: it is written whole each time."""


class File(Sink):
    """A sink that writes one file, begun with the run, or cut back to where the run goes on."""

    buffer = -1
    """How many bytes are held back before they are written; the usual number."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file: BinaryIO | None = None
        self.run: RunView | None = None
        self._length: int | None = None

    def begin(self, run: RunView) -> None:
        """Open the file; a new one begins with its heading."""
        self.run = run
        self.file = opened(self.path, self._length, self.buffer, exclusive=True)
        if self._length is None:
            self.write(self.head(run))

    def head(self, run: RunView) -> str:
        """Return what a new file begins with."""
        return ""

    def write(self, text: str) -> None:
        """Write whole lines."""
        if self.file is not None:
            with writing(self.path):
                self.file.write(text.encode("utf-8", "surrogatepass"))

    def flush(self) -> None:
        """Hand to the operating system what was written."""
        if self.file is not None:
            with writing(self.path):
                self.file.flush()

    def save(self) -> State | None:
        """Return the length of the file."""
        if self.file is None:
            return None
        with writing(self.path):
            return {"bytes": length(self.file)}

    def load(self, state: State) -> None:
        """Cut the file back to that length when it begins."""
        self._length = int(state["bytes"])

    def sync(self) -> None:
        """Put it on the disk."""
        if self.file is not None:
            os.fsync(self.file.fileno())

    def close(self) -> None:
        """Close the file."""
        if self.file is not None:
            file, self.file = self.file, None
            with writing(self.path):
                file.close()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Have the error of a file that takes no more say which one it is, and what to do."""
    try:
        yield
    except BrokenPipeError:  # its reader has left, which is not for us to judge
        raise
    except OSError as error:
        raise StoppedError(
            f"{path} cannot be written ({error.strerror}); make room there, then go on with --resume where the run "
            "has a checkpoint"
        ) from error


def opened(path: Path, size: int | None, buffer: int = -1, *, exclusive: bool = False) -> BinaryIO:
    """Open the file at ``path`` to write to: a new one, or the one that is there, cut back to ``size`` bytes.

    An ``exclusive`` new file must not be there yet: what a run has written is never begun anew.
    """
    if size is None:
        try:
            return path.open("xb" if exclusive else "wb", buffer)
        except FileExistsError:
            raise UsageError(
                f"{path} is there, but the checkpoint does not say how much of it belongs to this run; move it away, "
                "or start a new run"
            ) from None
    if not path.is_file() or path.stat().st_size < size:
        raise UsageError(
            f"{path} is not there any more as it was at the checkpoint, with {size:,} bytes or more; put it back, "
            "or start a new run"
        )
    file = path.open("r+b", buffer)
    file.truncate(size)
    file.seek(size)
    return file


def is_regular(file: BinaryIO) -> bool:
    """Tell whether a file is one that can be cut back, and no pipe or device."""
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def length(file: BinaryIO) -> int:
    """Return how many bytes a file has, with those that are still to be handed to the operating system."""
    file.flush()
    return file.tell()


class CurvesFile(File):
    """curves.csv: one row a learner and point of the first training pass, undefined figures empty."""

    def head(self, run: RunView) -> str:
        """Return the names of the columns."""
        return rows([["learner", "documents", "time", *columns_of(run.settings.names)]])

    def point(self, point: Point) -> None:
        """Write a row for each learner."""
        if point.part == "train" and point.epoch == 1:
            head = (point.documents, iso(point.time))
            self.write(rows((name, *head, *figures.values()) for name, figures in point.learners.items()))
            self.flush()


class SpeedFile(File):
    """speed.csv: seconds since the start and documents, at every point of every part."""

    def head(self, run: RunView) -> str:
        """Return the names of the columns."""
        return rows([["part", "epoch", "documents", "seconds", "docs_per_second"]])

    def point(self, point: Point) -> None:
        """Write a row; the speed is that of the whole run so far."""
        if self.run is not None:
            seconds = self.run.seconds
            speed = f"{self.run.progress.documents / seconds:.1f}"
            self.write(rows([[point.part, point.epoch, point.documents, f"{seconds:.6f}", speed]]))
            self.flush()


class DeadLettersFile(File):
    """dead-letters.jsonl: what was refused, where and why; ``raw_base64`` has bytes that are no UTF-8."""

    def dead_letter(self, letter: DeadLetter) -> None:
        """Write a line."""
        fields = {name: getattr(letter, name) for name in ("path", "line", "offset", "stage", "reason")}
        try:
            raw = {"raw": letter.raw.decode()}
        except UnicodeDecodeError:
            raw = {"raw_base64": base64.b64encode(letter.raw).decode("ascii")}
        self.write(json.dumps({**fields, **raw}, ensure_ascii=False) + "\n")
        self.flush()


class EventsFile(File):
    """events.jsonl: what happened beside the documents, such as a refit or another champion, without the wall clock."""

    def event(self, event: Mapping[str, Any]) -> None:
        """Write a line."""
        self.write(json.dumps({name: value for name, value in event.items() if name != "seconds"}) + "\n")
        self.flush()


class LabelsFile(Sink):
    """labels.csv: each learner's counts per label, replaced as a whole now and then, and at the end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.run: RunView | None = None
        self.again = 0.0

    def begin(self, run: RunView) -> None:
        """Take note of the run."""
        self.run = run

    def point(self, point: Point) -> None:
        """Write the table, if the last time is long ago."""
        if (start := time.perf_counter()) >= self.again:
            self.write()
            end = time.perf_counter()
            self.again = end + (end - start) / _LABELS_SHARE

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
            replace(self.path, rows([["learner", *COLUMNS]]) + rows(body))

    def close(self) -> None:
        """Write the table a last time."""
        self.write()
        self.run = None


def rows(table: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV: floats in their shortest exact form, None empty."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(table)
    return text.getvalue()


def replace(path: Path, content: str | bytes) -> None:
    """Put ``content`` in the place of the file at ``path``, which is whole at any instant."""
    new = path.with_name(path.name + ".new")
    with writing(path):
        new.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
        os.replace(new, path)

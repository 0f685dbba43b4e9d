"""A sink that writes one file of a run folder, and what such sinks share."""

from __future__ import annotations

import csv
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

from telex.learners.base import StoppedError, UsageError
from telex.stream.checkpoints import sync_folder
from telex.stream.run import Sink
from telex.stream.run_folder.output_file import lock
from telex.stream.text_files import encoded, open_regular, safe_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from telex.learners.base import State
    from telex.stream.run import RunView

_LINE_END = "\r\n"


class FileSink(Sink):
    """A sink that writes one file: a new one, or that of a run that resumes, cut back to the checkpoint."""

    buffer = -1
    """How many bytes are buffered before they are written; -1 is the usual number."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file: BinaryIO | None = None
        self.run: RunView | None = None
        self._length: int | None = None

    def begin(self, run: RunView) -> None:
        """Open the file; a new one begins with its heading."""
        self.run = run
        self.file = open_output(self.path, self._length, self.buffer)
        if self._length is None:
            self.write(self.head(run))

    def head(self, run: RunView) -> str:
        """Return what a new file begins with."""
        return ""

    def write(self, text: str) -> None:
        """Write whole lines."""
        if self.file is not None:
            with writing(self.path):
                self.file.write(encoded(text))

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
            return {"bytes": flushed_length(self.file)}

    def load(self, state: State) -> None:
        """Cut the file back to that length when the run begins."""
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
    """Name the file in the error if it cannot be written, and say what to do."""
    try:
        yield
    except BrokenPipeError:  # its reader has left, which is no error of the file
        raise
    except OSError as error:
        raise StoppedError(
            f"{path} cannot be written ({error.strerror}); make room there, then continue with --resume if the run has "
            "a checkpoint"
        ) from error


def open_output(path: Path, size: int | None, buffer: int = -1, *, follow: bool = False) -> BinaryIO:
    """Open a file of a run for writing: a new one, or the existing one, cut back to ``size`` bytes.

    A new file must not exist yet, so that what a run has written is never overwritten. An existing one may be a
    symbolic link if ``follow`` says so, as a person has named it.
    """
    if size is None:
        try:
            return path.open("xb", buffer)
        except FileExistsError:
            raise UsageError(
                f"{path} exists, but the checkpoint does not say how much of it belongs to this run; move it away, "
                "or start a new run"
            ) from None
    if not path.is_file() or path.stat().st_size < size:
        raise UsageError(
            f"{path} is missing or shorter than at the checkpoint, when it had {size:,} bytes; put it back, "
            "or start a new run"
        )
    file = path.open("r+b", buffer) if follow else open_regular(path, "r+b", buffer)
    try:
        lock(file, path)
    except UsageError:
        file.close()
        raise
    file.truncate(size)
    file.seek(size)
    return file


def flushed_length(file: BinaryIO) -> int:
    """Flush the file, and return how many bytes it has."""
    file.flush()
    return file.tell()


def csv_text(table: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV: floats in their shortest exact form, None empty, no text a formula."""
    lines = _Lines()
    csv.writer(lines, lineterminator=_LINE_END).writerows(
        [safe_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in table
    )
    return "".join(lines)


class _Lines(list[str]):
    """The rows of a CSV file: the writer quotes a carriage return only if rows end in one, which is taken away here."""

    def write(self, row: str) -> None:
        self.append(f"{row.removesuffix(_LINE_END)}\n")


def replace_file(path: Path, content: str | bytes, *, sync: bool = False) -> None:
    """Replace the file at ``path`` by one with ``content``; it is whole at any instant.

    With ``sync`` it is on the disk when this returns.
    """
    new = path.with_name(path.name + ".new")
    with writing(path):
        if os.path.lexists(new):  # of a run that was killed; or it may be a link to another file
            new.unlink()
        with new.open("xb") as file:
            file.write(content if isinstance(content, bytes) else encoded(content))
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(new, path)
        if sync:
            sync_folder(path.parent)

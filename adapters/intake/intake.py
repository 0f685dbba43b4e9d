"""The intake of a run: the list of the files that it learns one after the other."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from telex.learners.base import StoppedError, UsageError
from telex.stream.checkpoints import sync_folder
from telex.stream.run_folder import INTAKE_JSONL
from telex.stream.text_files import open_regular

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_NO_OPTIONS = {"paths", "format", "budget", "skip_records", "guess", "labelled", "readable"}
"""Arguments of ``open_archive`` that are no options of a format: a list from somebody else may not set them."""
_Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 62)]


class FedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file of an intake, or what was appended to it since: the bytes from ``start`` to ``end``.

    ``sum`` is a hash of all bytes before ``end``, and ``lines`` the number of lines before ``start``. The first
    ``header`` bytes name the columns of what comes behind them. ``settings`` are options of the ``format``; ``stamp``
    is what the file was when it was looked at.
    """

    path: str
    format: str
    settings: dict[str, str]
    end: _Count
    sum: str
    stamp: tuple[int, int, int]
    start: _Count = 0
    header: _Count = 0
    lines: _Count = 0

    def __post_init__(self) -> None:
        """Refuse settings that are no options of a format."""
        if wrong := sorted(_NO_OPTIONS & self.settings.keys()):
            raise ValueError(f"a format has no option {wrong[0]}")


class _Head(msgspec.Struct, frozen=True):
    replayed: _Count


class _Lost(msgspec.Struct, frozen=True):
    lost: int
    reason: str


class Intake:
    """The files that the run in ``folder`` learns, in their order, on the disk before any of them is read.

    The first ``replayed`` of them were learnt before the run was fed. ``lost`` has the files that could not be read
    when their turn came, by number, and why: the run passes over them, also when it resumes from an earlier checkpoint.
    One process at a time may append.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> monday = FedFile(path="/news/monday.csv", format="csv", settings={}, end=9, sum="5f", stamp=(9, 0, 0))
    >>> Intake(folder).append([monday])
    >>> [file.path for file in Intake(folder).files], Intake(folder).with_sum("5f") == monday
    (['/news/monday.csv'], True)
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.path = Path(folder, INTAKE_JSONL)
        self.files: list[FedFile] = []
        self.lost: dict[int, str] = {}
        self.replayed = 0
        self._length = 0
        self._by_sum: dict[str, FedFile] = {}
        self._by_path: dict[str, FedFile] = {}
        try:
            self._read()
        except (OSError, ValueError, RecursionError, msgspec.ValidationError) as error:
            raise UsageError(
                f"{self.path} cannot be read ({error}); put it back as the run wrote it, or start a new run"
            ) from error

    @property
    def begun(self) -> bool:
        """Whether there is a list yet."""
        return self._length > 0

    def begin(self, replayed: Iterable[FedFile]) -> None:
        """Begin the list of a run that has learnt some files, unless that is done."""
        if not self.begun:
            known = list(replayed)
            self._write([{"replayed": len(known)}, *map(msgspec.to_builtins, known)])
            self.replayed = len(known)
            self._add(known)

    def append(self, files: Iterable[FedFile]) -> None:
        """Add files to the end of the list; they are on the disk when this returns."""
        new = list(files)
        self.begin(())
        self._write(map(msgspec.to_builtins, new))
        self._add(new)

    def lose(self, number: int, reason: str) -> None:
        """Note that the run passes over a file, which may be fed again."""
        self._write([{"lost": number, "reason": reason}])
        self.lost[number] = reason
        self._index()

    def with_sum(self, content: str) -> FedFile | None:
        """Return the first file with that content, or None."""
        return self._by_sum.get(content)

    def newest(self, path: str) -> FedFile | None:
        """Return the newest file from that path, or None."""
        return self._by_path.get(path)

    def _add(self, files: Iterable[FedFile]) -> None:
        for file in files:
            self.files.append(file)
            self._by_sum.setdefault(file.sum, file)
            self._by_path[file.path] = file

    def _index(self) -> None:
        """Look through all files again, without those that were lost."""
        found, self.files = self.files, []
        self._by_sum, self._by_path = {}, {}
        self._add(file for i, file in enumerate(found) if i not in self.lost)
        self.files = found

    def _read(self) -> None:
        try:
            with open_regular(self.path) as file:
                lines = file.read().split(b"\n")
        except FileNotFoundError:
            return
        lines.pop()  # empty, or what a kill has left of a line
        for number, line in enumerate(lines):
            found = json.loads(line)
            if number == 0:
                self.replayed = msgspec.convert(found, _Head).replayed
            elif "lost" in found:
                lost = msgspec.convert(found, _Lost)
                self.lost[lost.lost] = lost.reason
            else:
                self._add([msgspec.convert(found, FedFile)])
        self._index()
        self._length = sum(len(line) + 1 for line in lines)

    def _write(self, lines: Iterable[Mapping[str, Any]]) -> None:
        text = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        try:
            with open(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o666), "r+b") as file:
                file.truncate(self._length)
                file.seek(self._length)
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self.path.parent)
        except OSError as error:
            raise StoppedError(f"{self.path} cannot be written ({error.strerror}); make room, and try again") from error
        self._length += len(text)

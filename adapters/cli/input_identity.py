"""The identities of the files that a run reads, by which a resumed run recognises them."""

from __future__ import annotations

import hashlib
import os
import stat
import zlib
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.run import Sink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telex.stream import DeadLetter, RunFolder
    from telex.stream.run import StepResult
    from telex.stream.sources import Archive

_PIECE, _PIECES = 1 << 16, 64
_TIMES = ("mtime_ns", "times")


def file_identity(path: str) -> dict[str, Any] | None:
    """Return the identity of a file or folder: sizes, times of the last change and sums of pieces.

    A file has up to 64 pieces of 64 KiB, evenly spread, with both ends: the whole file, up to 4 MiB. A folder has the
    names, sizes and times of all files in it, and the beginnings of 64 of them. For anything else it is None: reading a
    pipe here would take the bytes away from the run.
    """
    try:
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            return _folder(path)
        if not stat.S_ISREG(found.st_mode):
            return None
        sums = [_sum(path, start) for start in piece_offsets(found.st_size)]
    except OSError:
        return None
    return {"path": path, "bytes": found.st_size, "mtime_ns": found.st_mtime_ns, "crc32": sums}


def same_beginning(path: str, then: dict[str, Any]) -> bool:
    """Tell whether a file begins with what it was at its :func:`file_identity`."""
    try:
        size = int(then["bytes"])
        sums = [_sum(path, start, size) for start in piece_offsets(size)] if os.path.getsize(path) >= size else []
        return bool(sums == then["crc32"])
    except OSError:
        return False


def piece_offsets(size: int) -> list[int]:
    """Return where the pieces of a file of ``size`` bytes begin.

    >>> piece_offsets(100), piece_offsets(65_537), len(piece_offsets(10**9)), piece_offsets(10**9)[-1] + 65_536
    ([0], [0, 1], 64, 1000000000)
    """
    count = min(_PIECES, max(1, -(-size // _PIECE)))
    return [i * (size - _PIECE) // (count - 1) for i in range(count)] if count > 1 else [0]


def check_inputs(
    files: Iterable[dict[str, Any] | None], folder: str, warn: Callable[[str], None], mended: dict[str, Any] | None
) -> None:
    """Refuse a file that differs from its :func:`file_identity`; warn about one that was written but shows no change.

    ``mended`` is the record noted by :class:`BrokenRecordNote`: of its file, only the bytes before it must be
    unchanged.
    """
    for then in files:
        if then is None:
            continue
        path, now = then["path"], file_identity(then["path"])
        if now is None:
            where = "" if os.path.isabs(path) else f" in {folder}, where this run began"
            raise UsageError(f"{path} is not there any more{where}; put it back, or start a new run")
        if mended and mended["path"] == path and sum_before(path, mended["offset"]) == mended["before"]:
            continue
        if _lasting(now) != _lasting(then):
            raise UsageError(f"{path} is not what this run has read so far; put it back, or start a new run")
        if now != then:
            warn(f"{path} was written after this run began, but what was compared is unchanged, so the run continues")


def sum_before(path: str, offset: int) -> str | None:
    """Return the checksum of a file up to ``offset``, None if it ends sooner or cannot be read."""
    sums, left = hashlib.blake2b(digest_size=16), offset
    try:
        with open(path, "rb") as file:
            while left and (piece := file.read(min(left, 1 << 20))):
                sums.update(piece)
                left -= len(piece)
    except OSError:
        return None
    return None if left else sums.hexdigest()


class BrokenRecordNote(Sink):
    """Notes in run.json the record at which a strict run stops, so that the run can resume once the record is mended.

    It needs documents in the order of their file, which is not compressed: only then everything learnt comes before the
    record.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder

    def dead_letter(self, letter: DeadLetter) -> None:
        """Note its place, and the checksum of the bytes before it."""
        if letter.stage == "skip" or letter.offset is None or not letter.raw or not os.path.isfile(letter.path):
            return
        with open(letter.path, "rb") as file:
            file.seek(letter.offset)
            if file.read(len(letter.raw)) != letter.raw:
                return
        place = {"path": letter.path, "offset": letter.offset, "before": sum_before(letter.path, letter.offset)}
        self._folder.note(broken=place)


class FormatNote(Sink):
    """Notes in run.json what a wire has found its records to be, before anything is stored that was learnt of them."""

    def __init__(self, folder: RunFolder, wire: Archive) -> None:
        self._folder, self._wire = folder, wire
        self._noted = dict(folder.settings.get("detected", {}))

    def step(self, result: StepResult) -> None:
        """Note it with the first documents."""
        self._note()

    def dead_letter(self, letter: DeadLetter) -> None:
        """Note it with the first dead letters."""
        self._note()

    def _note(self) -> None:
        if self._wire.detected and self._wire.detected != self._noted:
            self._noted = dict(self._wire.detected)
            self._folder.note(detected=self._noted)


def _lasting(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name not in _TIMES}


def _folder(path: str) -> dict[str, Any]:
    found = sorted(_files(path))
    names, times = (hashlib.blake2b(digest_size=16) for _ in range(2))
    for name, size, time in found:
        names.update(f"{name}\0{size}\0".encode("utf-8", "surrogateescape"))
        times.update(f"{time}\0".encode())
    step = -(-len(found) // _PIECES) or 1
    return {
        "path": path,
        "files": len(found),
        "bytes": sum(size for _, size, _ in found),
        "names": names.hexdigest(),
        "times": times.hexdigest(),
        "crc32": [_sum(os.path.join(path, name), 0) for name, _, _ in found[::step]],
    }


def _files(path: str) -> Iterator[tuple[str, int, int]]:
    for folder, folders, names in os.walk(path):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            whole = os.path.join(folder, name)
            if not name.startswith(".") and os.path.isfile(whole):
                known = os.stat(whole)
                yield os.path.relpath(whole, path), known.st_size, known.st_mtime_ns


def _sum(path: str, start: int, end: int | None = None) -> int:
    with open(path, "rb") as file:
        file.seek(start)
        return zlib.crc32(file.read(_PIECE if end is None else min(_PIECE, end - start)))

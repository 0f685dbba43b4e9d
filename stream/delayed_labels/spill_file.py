"""One temporary file for many pieces of bytes, in which freed space is used again."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections import deque
from typing import TYPE_CHECKING

from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import BinaryIO


class _OpenFile:
    """The open file; it is closed when the last object that can read it is gone."""

    def __init__(self) -> None:
        file: BinaryIO = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - lives as long as this object
        self.descriptor = file.fileno()
        weakref.finalize(self, file.close)


class Extent:
    """A range of the file. Its bytes can be read from any thread, and stay there as long as this object lives."""

    __slots__ = ("__weakref__", "_file", "_offset", "_size")

    def __init__(self, file: _OpenFile, offset: int, size: int) -> None:
        self._file, self._offset, self._size = file, offset, size

    def read(self) -> bytes:
        """Return the bytes."""
        parts, offset, left = [], self._offset, self._size
        while left:
            data = os.pread(self._file.descriptor, left, offset)
            if not data:
                raise StoppedError("a temporary file was cut short; start the run anew, or continue with --resume")
            parts.append(data)
            offset, left = offset + len(data), left - len(data)
        return b"".join(parts)


class SpillFile:
    """One temporary file without a name: no other program sees it, and nothing is left behind, even after a kill.

    The space of an :class:`Extent` is free once the object is gone: later bytes go there, and free space at the end of
    the file is given back to the disk. ``instead`` ends the error for a full disk: it says what else the user can do.

    >>> spill = SpillFile()
    >>> first, second = spill.put([b"ab", b"c"]), spill.put([b"defg"])
    >>> first.read(), second.read(), spill.size
    (b'abc', b'defg', 7)
    >>> del first
    >>> third = spill.put([b"hi"])
    >>> third.read(), second.read(), spill.size
    (b'hi', b'defg', 7)
    """

    def __init__(self, instead: str = "let fewer documents wait") -> None:
        self.size = 0
        self._instead = instead
        self._file: _OpenFile | None = None
        self._freed: deque[tuple[int, int]] = deque()  # freed ranges; any thread may append, as finalizers run there
        self._free: list[tuple[int, int]] = []  # free ranges (start, stop), ascending, no two adjacent

    def put(self, pieces: Iterable[bytes | memoryview]) -> Extent:
        """Write ``pieces`` one after the other, as one extent."""
        data = b"".join(pieces)
        start = self._allocate(len(data))
        try:
            if self._file is None:
                self._file = _OpenFile()
            written = 0
            while written < len(data):
                written += os.pwrite(self._file.descriptor, memoryview(data)[written:], start + written)
        except OSError as error:
            self._freed.append((start, start + len(data)))
            raise StoppedError(
                f"the temporary folder {tempfile.gettempdir()} cannot be written ({error.strerror}); "
                f"point TMPDIR to a larger one, or {self._instead}"
            ) from error
        extent = Extent(self._file, start, len(data))
        weakref.finalize(extent, self._freed.append, (start, start + len(data))).atexit = False
        return extent

    def _allocate(self, size: int) -> int:
        """Return an offset for ``size`` bytes: in the first free range that is large enough, else at the end."""
        self._merge_freed()
        for i, (start, stop) in enumerate(self._free):
            if stop - start >= size:
                self._free[i : i + 1] = [(start + size, stop)] if stop - start > size else []
                return start
        start, self.size = self.size, self.size + size
        return start

    def _merge_freed(self) -> None:
        """Merge the freed ranges with adjacent free ones, and shorten the file if its end is free."""
        if not self._freed:
            return
        while self._freed:
            self._free.append(self._freed.popleft())
        joined = list[tuple[int, int]]()
        for start, stop in sorted(self._free):
            if joined and joined[-1][1] == start:
                joined[-1] = joined[-1][0], stop
            else:
                joined.append((start, stop))
        if joined and joined[-1][1] == self.size:
            self.size = joined.pop()[0]
            if self._file is not None:
                os.ftruncate(self._file.descriptor, self.size)
        self._free = joined

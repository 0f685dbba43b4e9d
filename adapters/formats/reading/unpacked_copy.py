"""What a compressed file holds, kept for the passes that follow: unpacking takes longer than all else about reading."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MOST = 1 << 30
_PACKED = 4  # a file usually unpacks to no more than this many times its size
_FREE = 4  # times `_MOST` must be free in the temporary folder


class UnpackedCopy:
    """A temporary file with the bytes of one compressed file, complete once :meth:`made` was read to its end.

    It is a shortcut and never a duty: what unpacks to more than 1 GiB, or finds the temporary folder short of room, is
    unpacked again in each pass. Any number of passes may read it at a time. The file has no name, so that nothing is
    left behind.

    >>> copy = UnpackedCopy()
    >>> list(copy.made([b"ab", b"c"])), copy.size, list(copy.chunks(2))
    ([b'ab', b'c'], 3, [b'ab', b'c'])
    """

    def __init__(self) -> None:
        self.size: int | None = None
        """How many bytes there are; None before the copy is complete."""
        self._file: IO[bytes] | None = None

    @staticmethod
    def pays(packed: int) -> bool:
        """Tell whether a file of ``packed`` bytes is likely to have room."""
        try:
            free = shutil.disk_usage(tempfile.gettempdir()).free
        except OSError:
            return False
        return packed * _PACKED <= _MOST and free >= _FREE * _MOST

    def made(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the chunks, and copy them; nothing is kept of chunks that end in an error."""
        size, file = 0, _opened()
        try:
            for chunk in chunks:
                size += len(chunk)
                if file is not None and not _written(file, chunk, size):
                    file.close()
                    file = None
                yield chunk
            if file is not None and self.size is None:
                weakref.finalize(self, file.close)
                self._file, self.size = file, size
        finally:
            if file is not None and file is not self._file:
                file.close()

    def chunks(self, size: int) -> Iterator[bytes]:
        """Yield the bytes from the start, ``size`` at a time."""
        assert self._file is not None
        assert self.size is not None
        for offset in range(0, self.size, size):
            yield os.pread(self._file.fileno(), size, offset)


def _opened() -> IO[bytes] | None:
    try:
        return tempfile.TemporaryFile(buffering=0)
    except OSError:
        return None


def _written(file: IO[bytes], chunk: bytes, size: int) -> bool:
    try:
        return size <= _MOST and file.write(chunk) == len(chunk)
    except OSError:
        return False

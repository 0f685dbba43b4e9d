"""A temporary file without a name: no other program sees it, and nothing is left behind, even after a kill."""

from __future__ import annotations

import os
import tempfile
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING

from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class ScratchFile:
    """Bytes written once and read any number of times, by several readers at a time.

    ``instead`` ends the error for a full disk: it says what else the user can do.

    >>> scratch = ScratchFile([b"abc", b"de"])
    >>> list(scratch.chunks(2)), len(scratch)
    ([b'ab', b'cd', b'e'], 5)
    """

    def __init__(self, pieces: Iterable[bytes | memoryview], instead: str = "give order=file") -> None:
        file = tempfile.TemporaryFile(buffering=1 << 20)  # noqa: SIM115 - lives as long as this object
        self._close = weakref.finalize(self, file.close)
        try:
            for piece in pieces:
                file.write(piece)
            file.flush()
        except OSError as error:
            with suppress(OSError):  # closing writes again what did not fit
                self._close()
            raise StoppedError(
                f"the temporary folder {tempfile.gettempdir()} cannot be written ({error.strerror}); "
                f"point TMPDIR to a larger one, or {instead}"
            ) from error
        self._file = file
        self._size = file.tell()

    def __len__(self) -> int:
        return self._size

    def chunks(self, size: int) -> Iterator[bytes]:
        """Yield the bytes from the start, ``size`` at a time."""
        for offset in range(0, self._size, size):
            yield os.pread(self._file.fileno(), size, offset)

"""The files of a run folder, which may come from somebody else: only regular ones are opened.

Through a symbolic link a run would read or overwrite files elsewhere, and a pipe or a device may never end.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from io import BufferedRandom
    from pathlib import Path

LARGEST = 64 << 20


def open_regular(path: str | Path, mode: str = "rb", buffer: int = -1) -> BufferedRandom:
    """Open an existing file; raise an OSError that says so if it is a link, a pipe or a device."""
    return cast("BufferedRandom", open(path, mode, buffer, opener=_open_regular))


def read_regular_file(path: str | Path, largest: int = LARGEST) -> bytes:
    """Return the bytes of a regular file (see :func:`open_regular`); more than ``largest`` are a ValueError."""
    with open_regular(path) as file:
        return read_at_most(file, largest)


def read_at_most(file: IO[bytes], largest: int = LARGEST) -> bytes:
    """Return the rest of an open file; more than ``largest`` bytes are a ValueError."""
    pieces, left = list[bytes](), largest + 1
    while left and (piece := file.read(min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    if not left:
        raise ValueError(f"it has more than {largest:,} bytes")
    return b"".join(pieces)


def _open_regular(path: str, flags: int) -> int:
    kind = os.lstat(path).st_mode  # before it is opened: that alone may do something to a device, or wait for ever
    if stat.S_ISLNK(kind):
        raise OSError(errno.ELOOP, "it is a symbolic link, which Telex does not follow in the folder of a run", path)
    if not stat.S_ISREG(kind):
        raise OSError(errno.EINVAL, "it is not a plain file", path)
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)

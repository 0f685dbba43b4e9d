"""A small file, read whole without a hang."""

from __future__ import annotations

import os
import stat
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

LARGEST = 64 << 20


def read_regular_file(path: str | Path, largest: int = LARGEST) -> bytes:
    """Return the bytes of a regular file of at most ``largest`` bytes.

    Anything else is a ValueError: a named pipe or a device could hang for ever, and a symbolic link in the folder of a
    run that comes from somebody else leads anywhere. What the system refuses is an OSError.
    """
    if os.path.islink(path):
        raise ValueError("it is a symbolic link, which Telex does not follow in the folder of a run")
    with open(path, "rb", buffering=0, opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise ValueError("it is a pipe or a device, not a plain file")
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


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOFOLLOW)  # else opening a named pipe waits for its writer

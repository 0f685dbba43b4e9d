"""Compressed bytes: the same comes out however they come in, in bounded pieces, and damage is one kind of error."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.formats.reading import decompress
from telex.adapters.formats.reading.compression import CHUNK
from telex.learners.base import TelexError

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST = 32 << 20  # bytes of a bomb that are looked at
ZSTD = b"\x28\xb5\x2f\xfd"
PIECES = (1 << 20, 1000, 1)


def expand_(data: bytes) -> None:
    """Expand what comes as one piece, as a few, and as single bytes."""
    found = [expanded(data, size) for size in PIECES]
    if any(len(out) > MOST for out, _ in found):
        return
    if not data.startswith(ZSTD):  # its library sees less of what is damaged where bytes come one by one
        assert len({broken for _, broken in found}) == 1, [broken for _, broken in found]
    (first, first_broken), *others = found
    for other, broken in others:
        # up to damage one way may come further than another
        shorter, longer = sorted((first, other), key=len)
        assert longer.startswith(shorter) if broken or first_broken else other == first


def expanded(data: bytes, size: int) -> tuple[bytes, bool]:
    """Return what comes out, and whether it ended in an error."""
    out = bytearray()
    try:
        for piece in decompress(cut(data, size)):
            assert len(piece) <= max(CHUNK, size)
            out += piece
            if len(out) > MOST:
                break
    except TelexError:
        return bytes(out), True
    return bytes(out), False


def cut(data: bytes, size: int) -> Iterator[bytes]:
    """Cut into pieces of one size."""
    return (data[i : i + size] for i in range(0, len(data), size))

"""Raw records before they are decoded, with their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Place = tuple[str, int | None, int | None]
"""Path, line from 1, offset in the decompressed file."""


@dataclass(frozen=True, slots=True)
class RawLines:
    r"""Whole lines of a file, in its order; ``line`` and ``offset`` are those of the first.

    Without any data it means that nothing more is there for now.

    >>> block = RawLines(b"a\nbc\n", "wire.dat", 7, 100)
    >>> block.lines(), block.place(1, 2)
    ([b'a', b'bc'], ('wire.dat', 8, 102))
    """

    data: bytes
    path: str
    line: int
    offset: int

    def lines(self) -> list[bytes]:
        """Return the lines without their newlines."""
        lines = self.data.split(b"\n")
        if not lines[-1]:
            lines.pop()
        return lines

    def place(self, line: int, offset: int) -> Place:
        """Return the place of the line of index ``line``, which begins at ``offset`` in ``data``."""
        return self.path, self.line + line, self.offset + offset

    def records(self) -> Iterator[tuple[bytes, Place]]:
        """Yield each line with its place."""
        offset = 0
        for i, line in enumerate(self.lines()):
            yield line, self.place(i, offset)
            offset += len(line) + 1


@dataclass(frozen=True, slots=True)
class GatheredLines:
    """Lines brought together from anywhere, each with the place it came from."""

    raws: list[bytes]
    places: list[Place]

    @property
    def data(self) -> bytes:
        """The lines in one piece."""
        return b"\n".join([*self.raws, b""])

    def lines(self) -> list[bytes]:
        """Return the lines without their newlines."""
        return self.raws

    def place(self, line: int, offset: int) -> Place:
        """Return the place of the line of index ``line``."""
        return self.places[line]

    def records(self) -> Iterator[tuple[bytes, Place]]:
        """Yield each line with its place."""
        return zip(self.raws, self.places, strict=True)

"""JSON that is not a line a record: an array, an object around one, or objects over several lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from telex.adapters.formats.reading import KEPT, LONGEST
from telex.learners.base import BrokenRecordError
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.stream.raw_records import Place

_OUTSIDE = re.compile(rb'["{}\[\]]')
_BRACKET = re.compile(rb"[{}\[\]]")
_INSIDE = re.compile(rb'[\\"]')
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BOM = b"\xef\xbb\xbf"
_DEEPEST = 1000


def cut_values(chunks: Iterable[bytes], path: str, depth: int) -> Iterator[tuple[bytes, Place] | DeadLetter | None]:
    r"""Yield the JSON objects at a ``depth`` of brackets, with their numbers from 1 and their offsets.

    Strings may hold brackets. An object of more than 16 MiB, and a file that breaks off, end the file with a dead
    letter. None means that nothing more is there for now.

    >>> chunks = [b'{"news": [{"a": "]}"}, ', b'{"a":\n 2}], "pages": {"more": 1}}']
    >>> [(raw, place) for raw, place in cut_values(chunks, "x.json", depth=2)]
    [(b'{"a": "]}"}', ('x.json', 1, 10)), (b'{"a":\n 2}', ('x.json', 2, 23))]
    """
    cutter, reason = _Cutter(depth), ""
    try:
        for chunk in chunks:
            if not chunk:
                yield None
            for raw, offset in cutter.feed(chunk):
                yield raw, (path, cutter.number, offset)
            reason = cutter.excess
            if reason:
                break
    except BrokenRecordError as error:
        reason = str(error)
    if not reason and not cutter.complete:
        reason = "the JSON ends before it is complete"
    if reason or not cutter.number:
        empty = not cutter.base and not cutter.buffer
        reason = reason or ("the file is empty" if empty else "there is no object in it")
        yield DeadLetter(bytes(cutter.buffer[:KEPT]), path, cutter.number + 1, cutter.base, "read", reason)


class _Cutter:
    """Where in a JSON text the reading is: ``buffer`` begins at the offset ``base``, and is scanned up to ``at``.

    ``start`` is where the object that is read began, -1 between two; ``done`` says that the array of objects is over.
    """

    def __init__(self, depth: int) -> None:
        self.buffer, self.base, self.number = bytearray(), 0, 0
        self._depth, self._brackets = depth, bytearray()
        self._at, self._start, self._quoted, self._done = 0, -1, False, False

    @property
    def complete(self) -> bool:
        """Whether all that was opened is closed."""
        return not self._brackets and not self._quoted

    @property
    def excess(self) -> str:
        """What is too much to read on; empty if nothing is."""
        if len(self.buffer) > LONGEST:
            return f"an object is longer than {LONGEST >> 20} MiB; what follows is not read"
        return "this is nested too deeply; what follows is not read" if len(self._brackets) > _DEEPEST else ""

    def feed(self, chunk: bytes) -> Iterator[tuple[bytes, int]]:
        """Yield the objects that end in this chunk, with their offsets."""
        self.buffer += chunk
        while (found := (_INSIDE if self._quoted else _OUTSIDE).search(self.buffer, self._at)) is not None:
            if found[0] == b"\\" and found.end() == len(self.buffer):  # what it escapes is in the next chunk
                self._at = found.start()
                break
            self._at = found.end() + (found[0] == b"\\")
            if found[0] == b'"':
                self._quoted = not self._quoted
            elif found[0] in {b"{", b"["}:
                self._open(found[0], found.start())
            elif found[0] != b"\\" and self._close():
                self.number += 1
                yield bytes(self.buffer[self._start : self._at]), self.base + self._start
                self._start = -1
        else:
            self._at = len(self.buffer)
        keep = self._at if self._start < 0 else self._start
        del self.buffer[:keep]
        self.base, self._at, self._start = self.base + keep, self._at - keep, min(self._start, 0)

    def _open(self, bracket: bytes, at: int) -> None:
        within = bytes(self._brackets[-1:]) in {b"", b"["}
        if bracket == b"{" and len(self._brackets) == self._depth and within and not self._done:
            self._start = at
        self._brackets += bracket

    def _close(self) -> bool:
        """Tell whether this bracket ends an object."""
        del self._brackets[-1:]
        self._done = self._done or (self.number > 0 and len(self._brackets) < self._depth)
        return self._start >= 0 and len(self._brackets) == self._depth


def depth_of_objects(head: bytes) -> int:
    """Return in how many brackets the records of a file are: 0 for objects alone, 1 for an array, more for one within.

    >>> depth_of_objects(b'[{"a": 1}'), depth_of_objects(b'{"a": 1,'), depth_of_objects(b'{"n": 2, "news": [{"a": 1}')
    (1, 0, 2)
    """
    text = _STRING.sub(b'""', head.removeprefix(_BOM)).lstrip()
    if text.startswith(b"["):
        return 1
    brackets, within = bytearray(), 0
    for found in _BRACKET.finditer(text):
        if found[0] in {b"{", b"["}:
            if found[0] == b"{" and brackets[-1:] == b"[" and not within:
                within = len(brackets)
            brackets += found[0]
        else:
            del brackets[-1:]
            if not brackets:  # objects one after the other may hold arrays of others
                return 0 if text[found.end() :].strip() else within
    return within

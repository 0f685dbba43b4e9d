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
_INSIDE = re.compile(rb'[\\"]')
_TOKEN = re.compile(rb'"((?:[^"\\]++|\\.)*+)"(\s*:(?=\s*("?)))?|["{}\[\]]', re.DOTALL)
_BOM = b"\xef\xbb\xbf"
_DEEPEST = 1000
_TEXTS = {"text", "body", "content", "article", "story", "full_text"}
"""The usual names of the field whose text makes an object a record, in any case."""


def cut_values(
    chunks: Iterable[bytes], path: str, depth: int, start: int = 0
) -> Iterator[tuple[bytes, Place] | DeadLetter | None]:
    r"""Yield the JSON objects at a ``depth`` of brackets, with their numbers from 1 and their offsets.

    Those that begin before the offset ``start`` are none of them. Strings may hold brackets. An object of more than 16
    MiB, and a file that breaks off, end the file with a dead letter. None means that nothing more is there for now.

    >>> chunks = [b'{"news": [{"a": "]}"}, ', b'{"a":\n 2}], "pages": {"more": 1}}']
    >>> [(raw, place) for raw, place in cut_values(chunks, "x.json", depth=2)]
    [(b'{"a": "]}"}', ('x.json', 1, 10)), (b'{"a":\n 2}', ('x.json', 2, 23))]
    """
    cutter, reason = _Cutter(depth, start), ""
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

    def __init__(self, depth: int, first: int) -> None:
        self.buffer, self.base, self.number = bytearray(), 0, 0
        self._depth, self._first, self._brackets = depth, first, bytearray()
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
            self._start = at if self.base + at >= self._first else -1
        self._brackets += bracket

    def _close(self) -> bool:
        """Tell whether this bracket ends an object."""
        del self._brackets[-1:]
        self._done = self._done or (self.number > 0 and len(self._brackets) < self._depth)
        return self._start >= 0 and len(self._brackets) == self._depth


def place_of_objects(head: bytes, text: str | None = None) -> tuple[int, int]:
    """Return in how many brackets the records of a file are, and the offset from which on they are records.

    0 brackets are objects alone, 1 are those of an array, more of an array within. An object that has a text is a
    record itself, whatever lists it holds. Of several arrays in it the first counts whose objects have a text, or else
    the first. ``text`` names the field of texts; by default it has one of the usual names.

    >>> place_of_objects(b'[{"a": 1}'), place_of_objects(b'{"a": 1,'), place_of_objects(b'{"n": 2, "news": [{"a": 1}')
    ((1, 0), (0, 0), (2, 18))
    >>> place_of_objects(b'{"tags": [{"text": "a"}], "text": "b"}')
    (0, 0)
    >>> place_of_objects(b'{"a": [{}], "b": [{"text": "c"}]}')
    (2, 18)
    """
    if head.removeprefix(_BOM).lstrip().startswith(b"["):
        return 1, 0
    usual = text is None or text in _TEXTS
    names = _TEXTS if usual else {str(text), str(text).partition(".")[0].removesuffix("[]")}
    brackets, within, own = bytearray(), 0, set[str]()
    arrays = list[tuple[int, int, set[str]]]()  # each with the names of its objects' fields
    for found in _TOKEN.finditer(head):
        if found[0] in {b"{", b"["}:
            if found[0] == b"{" and brackets[-1:] == b"[" and not within:
                within = len(brackets)
                arrays.append((within, found.start(), set()))
            brackets += found[0]
        elif found[0] in {b"}", b"]"}:
            del brackets[-1:]
            within = within if len(brackets) >= within else 0
            if not brackets:
                if head[found.end() :].strip():  # objects one after the other may hold arrays of others
                    return 0, 0
                break
        elif found[0] == b'"':  # not closed
            break
        elif found[2] and len(brackets) == within + 1:
            name = found[1].decode(errors="replace")
            name = name.lower() if usual else name
            if usual and not within and found[3] and name in names:
                return 0, 0
            (arrays[-1][2] if within else own).add(name)
    fitting = [array for array in arrays if names & array[2]]
    if not arrays or (not usual and names & own and not fitting):
        return 0, 0
    depth, start, _ = (fitting or arrays)[0]
    return depth, start

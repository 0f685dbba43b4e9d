"""Files of lines, cut into blocks of whole lines; what cannot be read becomes a dead letter at its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.formats.reading.option_checks import whole_number
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import RawLines, SortedLines, files_ascend
from telex.stream.sources import DeadLetter, StageLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from telex.adapters.formats.reading.input import Input
    from telex.stream.raw_records import EndsOf, GatheredLines

    Keys = Callable[[bytes], list[bytes | None]]

LONGEST = 16 << 20
KEPT = 1 << 16
ENDLESS = 1 << 30
"""The longest line, or run of blanks, in bytes: beyond it a file holds no records, and is not read to its end."""
_BLANK = 1 << 20
_BOM = b"\xef\xbb\xbf"
_NEWLINE = 10


class LineBlocks:
    """The lines of some files as blocks, pass after pass, in the requested order.

    ``keys`` are the sort keys of lines, by the name of the order; the order of the files needs none. ``ends_of`` is a
    faster look at them, by which several threads find out whether plain files are in order already.
    """

    def __init__(
        self,
        inputs: list[Input],
        order: str,
        keys: Mapping[str, Keys],
        passes: int | str = 1,
        ends_of: EndsOf | None = None,
    ) -> None:
        self.inputs, self._order = inputs, order
        self.title = title(inputs)
        self._ordered: SortedLines | None = None
        if order in keys:
            self._ordered = SortedLines(
                lambda: read_blocks(inputs),
                lambda block: keys[order](block.data),
                ends_of=(lambda block: ends_of(block.data, 0, len(block.data))) if ends_of else None,
                in_order=lambda: None if ends_of is None else _plain_files_ascend(inputs, ends_of),
            )
        if whole_number("passes", passes) > 1 or self._ordered:
            for source in inputs:
                source.copy_pipe()
                source.copy_unpacked()

    def __iter__(self) -> Iterator[RawLines | GatheredLines | DeadLetter]:
        if self._ordered is None:
            return read_blocks(self.inputs)
        blocks = iter(self._ordered)
        if not self._ordered.direct:  # all that comes later is read from what was sorted
            for source in self.inputs:
                source.drop_unpacked()
        return blocks

    def settle(self) -> None:
        """Look at the order of the lines now, unless it is known; the first pass does so at its beginning."""
        if self._ordered is not None:
            self._ordered.settle()

    @property
    def share_read(self) -> float | None:
        """Return how much of this pass is read, from 0 to 1; None if unknown."""
        return share_read(self.inputs, self._ordered)

    def stage_lines(self, gives: str, decoder: str) -> list[StageLine]:
        """Return the steps of a line until ``decoder`` makes a document of it, for --explain."""
        return record_lines(self.title, "lines", self._order if self._ordered else "", gives, decoder)


def _plain_files_ascend(inputs: Sequence[Input], ends_of: EndsOf) -> bool | None:
    paths = [source.path for source in inputs if source.is_plain]
    return files_ascend(paths, ends_of) if len(paths) == len(inputs) else None


def record_lines(title: str, cut: str, order: str, gives: str, decoder: str) -> list[StageLine]:
    """Return the steps of a record until it is a document; ``order`` is empty if records stay in their order."""
    sort = [StageLine("sort", "RawLines", "RawLines", f"sort by {order}, if that is not their order")]
    return [
        StageLine("read", "files", "bytes", f"read and decompress {title}"),
        StageLine(f"cut {cut}", "bytes", "RawLines", f"cut {cut}, and note the place of each"),
        *(sort if order else []),
        StageLine("decode", "RawLines", gives, f"decode {decoder}, and check records against the budget"),
    ]


def title(inputs: Sequence[Input]) -> str:
    """Return a name for some files together."""
    more = len(inputs) - 1
    return inputs[0].name + (f" and {more} more" if more else "")


def share_read(inputs: Sequence[Input], ordered: SortedLines | None) -> float | None:
    """Return how much of a pass over ``inputs`` is read, from 0 to 1; None if unknown."""
    if ordered is not None and not ordered.direct:
        return ordered.share_read
    sizes = [source.size for source in inputs if source.size is not None]
    if len(sizes) < len(inputs) or not sum(sizes):
        return None
    return min(1.0, sum(source.bytes_read for source in inputs) / sum(sizes))


def read_blocks(inputs: Sequence[Input], longest: int = LONGEST) -> Iterator[RawLines | DeadLetter]:
    """Yield the lines of all ``inputs``, one file after the other.

    A line of more than ``longest`` bytes, a file that breaks off and an empty file are dead letters. The last line of a
    broken file is not a record: it may be incomplete. A line of more than 1 GiB, or as many blanks, ends the reading
    of its file: a few megabytes can unpack to years of them. Blank lines stop being passed on long before that.

    A pipe yields an empty block when nothing more is there for now, so that records read so far need not wait.
    """
    for source in inputs:
        source.bytes_read = 0
    for source in inputs:
        yield from _Cutter(source.name, longest).cut(source)


class _Cutter:
    r"""Cuts one file into blocks of whole lines.

    ``rest`` holds the line that has begun, ``line`` and ``offset`` say where it begins. Chunks ``a\nb``, ``c\nd`` give
    the blocks ``a\n`` (line 1, offset 0) and ``bc\n`` (line 2, offset 2), and at the end of the file ``d`` (line 3,
    offset 5).
    """

    def __init__(self, path: str, longest: int) -> None:
        self.path, self.longest = path, longest
        self.line, self.offset = 1, 0
        self.rest = bytearray()
        self.long = 0  # length so far of an overlong line; then `rest` holds only its first KEPT bytes
        self.blank = 0  # length of the latest run of blank chunks

    def cut(self, source: Input) -> Iterator[RawLines | DeadLetter]:
        try:
            for chunk in source.chunks():
                if source.part is not None and self.offset == source.part.header:
                    self.line, self.offset = source.part.lines + 1, source.part.start
                yield from self._chunk(chunk)
        except BrokenRecordError as error:
            yield self._letter("read", str(error))
            return
        if self.long:
            yield self._overlong()
        elif self.rest:
            yield RawLines(bytes(self.rest), self.path, self.line, self.offset)
        elif self.offset == 0:
            yield self._letter("read", "the file is empty")

    def _chunk(self, chunk: bytes) -> Iterator[RawLines | DeadLetter]:
        if not chunk:
            yield RawLines(b"", self.path, self.line, self.offset)
            return
        self.blank = self.blank + len(chunk) if chunk.isspace() else 0
        if max(self.blank, self.long) > ENDLESS:
            what = "a line goes" if self.long else "blanks go"
            raise BrokenRecordError(f"{what} on for more than {ENDLESS >> 30} GiB; the rest of this file is not read")
        if self.offset == 0 and not self.rest and chunk.startswith(_BOM):
            self.offset, chunk = len(_BOM), chunk[len(_BOM) :]
        if self.long or len(self.rest) + len(chunk) > self.longest:
            first = chunk.find(b"\n")
            length = (self.long or len(self.rest)) + (len(chunk) if first < 0 else first)
            if length > self.longest:
                self.rest, self.long = (self.rest[:KEPT] + chunk[:KEPT])[:KEPT], length
                if first < 0:
                    return
                yield self._overlong()
                self.offset += length + 1
                self.line += 1
                self.rest, self.long, chunk = bytearray(), 0, chunk[first + 1 :]
        cut = chunk.rfind(b"\n") + 1
        if not cut:
            self.rest += chunk
            return
        data = b"".join((self.rest, memoryview(chunk)[:cut]))
        self.rest = bytearray(memoryview(chunk)[cut:])
        if self.blank <= _BLANK or not data.isspace():
            yield RawLines(data, self.path, self.line, self.offset)
        self.line += newlines(data)
        self.offset += len(data)

    def _overlong(self) -> DeadLetter:
        megabytes = self.longest >> 20
        return self._letter("decode", f"the line is longer than {megabytes} MiB; its first {KEPT >> 10} KiB are stored")

    def _letter(self, stage: str, reason: str) -> DeadLetter:
        return DeadLetter(bytes(self.rest[:KEPT]), self.path, self.line, self.offset, stage, reason)


def newlines(data: bytes) -> int:
    r"""Return the number of newlines, five times as fast as ``data.count`` where there are many.

    >>> newlines(b"a\nb\nc")
    2
    """
    return int(np.count_nonzero(np.frombuffer(data, np.uint8) == _NEWLINE))


def first_lines(head: bytes, most: int = 64) -> list[bytes]:
    r"""Return the first lines of a file that are not blank; an incomplete last line is left out.

    >>> first_lines(b"1 2:3\n\n4 5:6")
    [b'1 2:3', b'4 5:6']
    """
    lines = [line.removesuffix(b"\r") for line in head.removeprefix(_BOM).split(b"\n")]
    if len(head) >= KEPT and len(lines) > 1:
        lines.pop()
    return [line for line in lines if line.strip()][:most]

"""A file of converted documents, mapped into memory."""

from __future__ import annotations

import mmap
import zlib
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from telex.adapters.formats.converted.layout import (
    BLOCK,
    COLUMNS,
    END,
    HEADER,
    MAGIC,
    TRAILER,
    VERSION,
    Contents,
    StoredNames,
    StoredSpan,
    padding,
)
from telex.learners.base import StoppedError, Strings, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

_BEHIND = 64 << 20
"""How many bytes that were read may stay mapped, before the process gives them back."""


class MappedFile:
    """The ``contents`` of a file, its tables and its blocks; each is checked when it is read.

    A file that is not whole, or of a later layout, is a UsageError here; a block that differs from its checksum is a
    StoppedError when it is read. Arrays are views of the file: they cannot be written.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        with open(path, "rb") as file:
            head = file.read(HEADER.size)
            if len(head) < HEADER.size or not head.startswith(MAGIC):
                raise UsageError(f"{path} does not begin as `telex convert` writes it; convert the documents again")
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.size = len(self._map)
        layout = int(HEADER.unpack(head)[1])
        if layout > VERSION:
            raise UsageError(
                f"{path} was converted by a later Telex (layout {layout}, and this one knows {VERSION}); install that, "
                "or convert the documents again"
            )
        if head != HEADER.pack(MAGIC, layout):
            raise UsageError(self._broken("first line"))
        at, size, crc, end = TRAILER.unpack_from(self._map, max(self.size - TRAILER.size, 0))
        if end != END or at + size + TRAILER.size != self.size:
            raise UsageError(f"{path} is cut, or something was written behind its end; convert the documents again")
        try:
            self.contents = msgspec.json.decode(self._bytes(StoredSpan(at, size, crc), "contents"), type=Contents)
            self._columns = {column: np.dtype(kind) for column, kind in COLUMNS[self.contents.kind].items()}
            (found,) = self._arrays(self.contents.directory, "directory", [(np.dtype("<i8"), self._directory_size)])
        except (StoppedError, msgspec.MsgspecError) as error:
            raise UsageError(str(error) if isinstance(error, StoppedError) else self._broken("contents")) from error
        self._directory = found.reshape(self.contents.blocks, -1)
        self._mapped_from = 0

    @property
    def _directory_size(self) -> int:
        return self.contents.blocks * (len(BLOCK) + len(self._columns))

    def facts(self, block: int) -> dict[str, int]:
        """Return what the directory has of a block."""
        return dict(zip(BLOCK, self._directory[block].tolist(), strict=False))

    def block(self, block: int) -> dict[str, Any]:
        """Return the arrays of a block by name, in the bounds that readers trust."""
        facts, lengths = self.facts(block), self._directory[block, len(BLOCK) :].tolist()
        what = f"block {block + 1} of {self.contents.blocks}"
        span = StoredSpan(facts["offset"], facts["bytes"], facts["crc32"])
        found = self._arrays(span, what, zip(self._columns.values(), lengths, strict=True))
        arrays = dict(zip(self._columns, found, strict=True))
        if not _fits(arrays, facts):
            raise StoppedError(self._broken(what))
        self._give_back(facts["offset"])
        return arrays

    def names(self, table: StoredNames) -> Strings | npt.NDArray[np.int64]:
        """Return the names of a table by number."""
        ends = (np.dtype("<i8"), table.count + (table.kind == "text"))
        (offsets,) = self._arrays(table.span, "names", [ends])
        if table.kind == "number":
            return offsets
        data = self._arrays(table.span, "names", [ends, (np.dtype("|u1"), int(offsets[-1]))])[1]
        if not (_ascends(offsets, table.count, len(data)) and _is_text(data)):
            raise StoppedError(self._broken("names"))
        return Strings(data, offsets)

    def check(self) -> None:
        """Read all of the file, and raise a StoppedError at the first part that is not what was written."""
        for table in (self.contents.names, self.contents.labels):
            self.names(table)
        for block in range(self.contents.blocks):
            self.block(block)

    def _arrays(
        self, span: StoredSpan, what: str, kinds: Iterable[tuple[np.dtype[Any], int]]
    ) -> list[npt.NDArray[Any]]:
        self._bytes(span, what)
        found, at, end = [], span.offset, span.offset + span.bytes
        for dtype, length in kinds:
            size = dtype.itemsize * length
            if length < 0 or at + size > end:
                raise StoppedError(self._broken(what))
            # of the type of this machine: where that has its bytes the other way round, a copy
            found.append(np.frombuffer(self._map, dtype, length, at).astype(dtype.newbyteorder("="), copy=False))
            at += size + padding(size)
        return found

    def _bytes(self, span: StoredSpan, what: str) -> memoryview:
        """Return some bytes of the file, after a check."""
        if self._map.size() != self.size:  # to read what is gone would end the process
            raise StoppedError(f"{self.path} was cut or written while it was read; convert the documents again")
        inside = 0 <= span.offset <= span.offset + span.bytes <= self.size
        found = memoryview(self._map)[span.offset : span.offset + span.bytes] if inside else memoryview(b"")
        if not inside or zlib.crc32(found) != span.crc32:
            raise StoppedError(self._broken(what))
        return found

    def _broken(self, what: str) -> str:
        return f"{self.path} is damaged: its {what} is not what was written; convert the documents again"

    def _give_back(self, now: int) -> None:
        """Let the process own no more of the file than it reads; whoever still has older arrays reads them again."""
        if now < self._mapped_from:  # another pass
            self._mapped_from = 0
        if now - self._mapped_from > _BEHIND and hasattr(mmap, "MADV_DONTNEED"):
            start = self._mapped_from // mmap.PAGESIZE * mmap.PAGESIZE
            self._map.madvise(mmap.MADV_DONTNEED, start, now - start)
            self._mapped_from = now


def _fits(arrays: dict[str, Any], facts: dict[str, int]) -> bool:
    """Return whether arrays of a block are documents: native code would read past the end of others."""
    rows = facts["documents"]
    entries = {"label_indptr": "labels", "id_offsets": "ids"}
    numbers = {"labels": facts["labels"]}
    if "indptr" in arrays:
        entries["indptr"], numbers["features"] = "features", facts["names"]
        same = len(arrays["values"]) == len(arrays["features"])
    else:  # the bounds and the words are checked where they become tokens
        entries["title_offsets"] = "titles"
        same = len(arrays["fingerprints"]) == rows and len(arrays["bounds"]) == 2 * rows + 1
    return (
        same
        and len(arrays["labelled"]) == len(arrays["times"]) == rows
        and all(_ascends(arrays[ends], rows, len(arrays[of])) for ends, of in entries.items())
        and all(arrays[of].min(initial=0) >= 0 and arrays[of].max(initial=-1) < most for of, most in numbers.items())
    )


def _ascends(offsets: npt.NDArray[Any], rows: int, entries: int) -> bool:
    inside = len(offsets) == rows + 1 and offsets[0] == 0 and offsets[-1] == entries
    return bool(inside and (offsets[1:] >= offsets[:-1]).all())


def _is_text(data: npt.NDArray[np.uint8]) -> bool:
    try:
        data.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return False
    return True

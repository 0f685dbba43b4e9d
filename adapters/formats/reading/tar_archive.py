"""Members of tar archives, read as a stream in bounded memory.

Python's tarfile decodes the headers here, and no more: as a reader of streams it calls itself for each header that
extends another, seeks far beyond the end, and searches long headers in a time that grows with the square of their
length.
"""

from __future__ import annotations

import tarfile
from functools import partial
from typing import TYPE_CHECKING

from telex.adapters.formats.reading.line_blocks import LONGEST
from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Member = tuple[str, Callable[[], Iterable[bytes]] | None]

BLOCK = 512
"""How many bytes a header has, and the beginning that shows whether a file is an archive."""
_HEADERS = 1 << 20  # bytes of headers before one member, long names and comments included
_BROKEN = (tarfile.TarError, ValueError, OverflowError)
_ENCODING = ("utf-8", "backslashreplace")
_PAX = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
_ABOUT_MEMBERS = (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK)
_FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
_LINKS_AND_DEVICES = (tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE)
_NO_DATA = (*_LINKS_AND_DEVICES, tarfile.DIRTYPE)


def is_tar(head: bytes) -> bool:
    """Tell whether a file that begins with ``head`` is a tar archive."""
    if not head[148:154].strip(b" \0").isdigit():  # the checksum field rules out most files
        return False
    try:
        tarfile.TarInfo.frombuf(head[:BLOCK], *_ENCODING)
    except _BROKEN:
        return False
    return True


def tar_members(chunks: Iterable[bytes]) -> Iterator[Member]:
    """Yield the name of each file in a tar archive with a function that returns its bytes, None for a link or device.

    A damaged archive, or a member that breaks off, raises a
    BrokenRecordError.
    """
    stream = _Stream(chunks)
    try:
        while (header := _next_header(stream)) is not None:
            name, size, kind, sparse = header
            left = -(-size // BLOCK) * BLOCK
            if kind in _LINKS_AND_DEVICES:
                yield name, None
            elif sparse:
                yield name, _refuse_sparse
            elif kind in _FILES:
                raw = stream.take(min(size, LONGEST + 1))
                left -= len(raw)
                yield name, partial(iter, [raw])
            stream.skip(left)
    except (*_BROKEN, BrokenRecordError) as error:
        raise BrokenRecordError(f"the tar archive is damaged or incomplete: {error}") from error


def _next_header(stream: _Stream) -> tuple[str, int, bytes, bool] | None:
    """Return a member's name, the size of its data, its type, and whether it has holes; None at the end."""
    name, fields, total = "", dict[bytes, bytes](), 0
    while True:
        block = stream.take(BLOCK)
        if not any(block):
            return None
        info = _decoded(block)
        if info.size < 0:
            raise tarfile.ReadError("what follows is no header")
        if info.type not in (*_PAX, *_ABOUT_MEMBERS, tarfile.GNUTYPE_LONGNAME):
            break
        total += BLOCK + info.size
        if total > _HEADERS:
            raise tarfile.ReadError("a header does not end")
        raw = stream.take(-(-info.size // BLOCK) * BLOCK)[: info.size]
        if info.type in _PAX:
            fields |= _pax_fields(raw)
        elif info.type == tarfile.GNUTYPE_LONGNAME:
            name = raw.partition(b"\0")[0].decode(*_ENCODING)
    sparse = info.type == tarfile.GNUTYPE_SPARSE
    more = sparse and block[482]
    while more:  # further blocks say where a sparse file has its holes
        total += BLOCK
        if total > _HEADERS:
            raise tarfile.ReadError("a header does not end")
        more = stream.take(BLOCK)[504]
    size = 0 if info.type in _NO_DATA else int(fields.get(b"size", info.size))
    if size < 0:
        raise tarfile.ReadError("a member has a size below 0")
    name = fields[b"path"].decode(*_ENCODING) if b"path" in fields else name or info.name
    return name, size, info.type, sparse or any(key.startswith(b"GNU.sparse.") for key in fields)


def _decoded(block: bytes) -> tarfile.TarInfo:
    try:
        return tarfile.TarInfo.frombuf(block, *_ENCODING)
    except tarfile.HeaderError:
        raise tarfile.ReadError("what follows is no header") from None


def _pax_fields(raw: bytes) -> dict[bytes, bytes]:
    r"""Return the fields of a header of POSIX: ``LENGTH KEY=VALUE\n``, one after the other.

    >>> _pax_fields(b"10 path=a\n" + b"8 size=\n")
    {b'path': b'a', b'size': b''}
    """
    found, at = dict[bytes, bytes](), 0
    while at < len(raw) and raw[at]:
        space = raw.index(b" ", at, at + 10)
        end = at + int(raw[at:space])
        key, equals, value = raw[space + 1 : end].partition(b"=")
        if not space < end <= len(raw) or not equals or not value.endswith(b"\n"):
            raise tarfile.ReadError("a field of a header is broken")
        found[key], at = value[:-1], end
    return found


def _refuse_sparse() -> Iterable[bytes]:
    raise BrokenRecordError("the member is stored with holes; pack it again, without --sparse")


class _Stream:
    """Chunks as a stream that raises an error where it breaks off."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._ready = memoryview(b"")

    def take(self, size: int) -> bytes:
        """Return the next ``size`` bytes."""
        return b"".join(self._pieces(size))

    def skip(self, size: int) -> None:
        """Pass over the next ``size`` bytes."""
        for _ in self._pieces(size):
            pass

    def _pieces(self, size: int) -> Iterator[memoryview]:
        while size:
            while not self._ready:
                chunk = next(self._chunks, None)
                if chunk is None:
                    raise tarfile.ReadError("it has no end")
                self._ready = memoryview(chunk)
            piece, self._ready = self._ready[:size], self._ready[size:]
            size -= len(piece)
            yield piece

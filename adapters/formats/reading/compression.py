"""Decompression chunk by chunk in bounded memory; the first bytes of a file decide, not its name.

Gzip in a file goes through ISA-L where it is installed, three times as fast as zlib.
"""

from __future__ import annotations

import lzma
import zlib
from importlib.util import find_spec
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

from telex.learners.base import BrokenRecordError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

CHUNK = 1 << 20
_GZIP = b"\x1f\x8b"
_HEAD, _NAMED = 10, 8  # bytes of a usual head of a gzip stream; the flag for a name behind it
_PIECE = 1 << 18  # of what ISA-L unpacks: it stays in the cache
_SURELY = 0.5  # of what may be unpacked: ISA-L and zlib give other pieces
_FREE = 64 << 20
_FOLD = 1000
_XZ_MEMORY = 512 << 20  # xz -9 takes 65 MiB; a header may ask for four gigabytes


class _Decoder(Protocol):
    """One compressed stream of possibly several in a file; ``rest`` holds the bytes behind it."""

    name: str

    @property
    def errors(self) -> type[Exception]: ...

    @property
    def ended(self) -> bool: ...
    @property
    def rest(self) -> bytes: ...
    def feed(self, raw: bytes) -> Iterator[bytes]: ...


class _Gzip:
    """Gzip, fed in pieces that seldom unpack to more than a chunk: zlib copies the unread rest at each call."""

    name, errors = "gzip", zlib.error
    _PIECE = 1 << 17

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(31)
        self.rest = b""

    @property
    def ended(self) -> bool:
        return self._inner.eof

    def feed(self, raw: bytes) -> Iterator[bytes]:
        for at in range(0, len(raw), self._PIECE):
            yield from self._piece(raw[at : at + self._PIECE])
            if self._inner.eof:
                self.rest = self._inner.unused_data + raw[at + self._PIECE :]
                break

    def _piece(self, raw: bytes) -> Iterator[bytes]:
        out = b""
        while (raw or len(out) == CHUNK) and not self._inner.eof:  # at the end, the tail has the bytes of `unused_data`
            before = self._inner.copy()
            try:
                out = self._inner.decompress(raw, CHUNK)
            except zlib.error:
                # zlib drops what the call had unpacked before the damage, so approach it byte by byte
                for i in range(len(raw)):
                    yield before.decompress(raw[i : i + 1])
                raise
            yield out
            raw = self._inner.unconsumed_tail


class _Xz:
    name, errors = "xz", lzma.LZMAError

    def __init__(self) -> None:
        self._inner = lzma.LZMADecompressor(lzma.FORMAT_XZ, _XZ_MEMORY)

    @property
    def ended(self) -> bool:
        return self._inner.eof

    @property
    def rest(self) -> bytes:
        return self._inner.unused_data

    def feed(self, raw: bytes) -> Iterator[bytes]:
        yield self._inner.decompress(raw, CHUNK)
        while not (self._inner.eof or self._inner.needs_input):
            yield self._inner.decompress(b"", CHUNK)


class _Zstd:
    """Zstandard, fed in small pieces: the library has no bound on what one call returns."""

    name = "zstd"
    _PIECE = 1 << 11

    def __init__(self) -> None:
        try:
            import zstandard  # noqa: PLC0415
        except ImportError as error:
            raise UsageError("this is zstd, which needs another library: pip install 'telex[zstd]'") from error
        self.errors: type[Exception] = zstandard.ZstdError
        self._inner: Any = zstandard.ZstdDecompressor().decompressobj()
        self.rest = b""

    @property
    def ended(self) -> bool:
        return bool(self._inner.eof)

    def feed(self, raw: bytes) -> Iterator[bytes]:
        pieces, size = list[bytes](), 0
        for at in range(0, len(raw), self._PIECE):
            pieces.append(self._inner.decompress(raw[at : at + self._PIECE]))
            size += len(pieces[-1])
            if self._inner.eof:
                self.rest = self._inner.unused_data + raw[at + self._PIECE :]
                break
            if size >= CHUNK:
                yield from _cut(b"".join(pieces))
                pieces, size = [], 0
        yield from _cut(b"".join(pieces))


def _cut(data: bytes) -> Iterator[bytes]:
    return (data[at : at + CHUNK] for at in range(0, len(data), CHUNK))


_MAGIC: dict[bytes, Callable[[], _Decoder]] = {
    _GZIP: _Gzip,
    b"\xfd7zXZ\0": _Xz,
    b"\x28\xb5\x2f\xfd": _Zstd,
}


def is_compressed(head: bytes) -> bool:
    """Tell whether a file that begins with ``head`` is compressed.

    >>> is_compressed(zlib.compress(b"", wbits=31)), is_compressed(b"10000 440:0.037683")
    (True, False)
    """
    return head.startswith(tuple(_MAGIC))


class ExpansionError(BrokenRecordError):
    """Data that unpack to more than documents ever do."""


class Expansion:
    """How much was unpacked: not above 64 MiB and 1000 times the number of ``packed`` bytes at once.

    So the work is bounded by the size of the file. Documents never get there, even if they differ only in one number:
    each number takes some bytes, and gzip reaches that ratio only where a few bytes repeat without end.
    """

    def __init__(self, packed: Callable[[], int]) -> None:
        self._packed, self._unpacked = packed, 0

    def add(self, piece: bytes, complaint: str) -> None:
        """Count what was unpacked; too much raises an ExpansionError that begins with the ``complaint``."""
        self._unpacked += len(piece)
        if self.above(1):
            raise ExpansionError(
                f"{complaint} to more than {_FOLD} times their size, which documents never do; the rest is not read"
            )

    def above(self, share: float) -> bool:
        """Tell whether more than this share of what is allowed was unpacked."""
        return self._unpacked > share * _FREE and self._unpacked > share * _FOLD * self._packed()


def decompress(raws: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of ``raws``, decompressed if they are compressed.

    Data that break off or are damaged raise a BrokenRecordError, after everything before has been yielded. An empty
    piece means that nothing more is there for now; it is yielded as well.

    Data that unpack to too much (see :class:`Expansion`) also raise one.
    """
    raws = iter(raws)
    first = b""
    for raw in raws:
        first += raw
        if not any(magic.startswith(first) for magic in _MAGIC):
            break
    make = next((decoder for magic, decoder in _MAGIC.items() if first.startswith(magic)), None)
    if make is None:
        yield first
        yield from raws
        return
    decoder, packed = make(), 0
    expansion = Expansion(lambda: packed)
    try:
        for raw in chain([first], raws):
            left = raw
            packed += len(raw)
            if not raw:
                yield b""
            while left:
                if decoder.ended:
                    left = left.lstrip(b"\0")  # padding is allowed between streams and behind them
                    if not left:
                        break
                    decoder = make()
                for piece in decoder.feed(left):
                    expansion.add(piece, f"the {decoder.name} data unpack")
                    yield piece
                left = decoder.rest if decoder.ended else b""
    except decoder.errors as error:
        raise BrokenRecordError(f"the {decoder.name} data are damaged: {error}") from error
    if not decoder.ended:
        raise BrokenRecordError(f"the {decoder.name} data are incomplete")


def decompress_file(read: Callable[[], Iterable[bytes]]) -> Iterator[bytes]:
    """Yield the bytes of a file as :func:`decompress` does, gzip by ISA-L; each ``read()`` reads it from its start.

    What ISA-L refuses, or what unpacks to too much, is read again: zlib decides where the data break off, and why.

    >>> packed = zlib.compress(b"Gold falls.", wbits=31)
    >>> list(decompress_file(lambda: [packed]))
    [b'Gold falls.']
    """
    done = 0
    if _has_isal() and next(iter(read()), b"").startswith(_GZIP):
        try:
            for piece in _gunzipped(read()):
                yield piece
                done += len(piece)
        except _RefusedError:
            pass
        else:
            return
    for piece in decompress(read()):
        rest = piece[done:]
        done = max(0, done - len(piece))
        if rest:
            yield rest


class _RefusedError(Exception):
    """ISA-L cannot unpack the data."""


def _has_isal() -> bool:
    return find_spec("isal") is not None


def _gunzipped(raws: Iterable[bytes]) -> Iterator[bytes]:
    from isal import igzip_lib  # noqa: PLC0415 - it has no wheels for some platforms

    packed = 0
    expansion = Expansion(lambda: packed)
    refused: Any = igzip_lib.IsalError  # its types call it an object
    decoder, left = None, b""
    try:
        for raw in raws:
            packed += len(raw)
            left += raw
            while left:
                if decoder is None or decoder.eof:
                    if decoder is not None:
                        left = left.lstrip(b"\0")
                    if not _has_whole_head(left):
                        break  # more is to come: ISA-L mistakes heads that come in pieces
                    decoder = igzip_lib.IgzipDecompressor(igzip_lib.DECOMP_GZIP)
                piece = decoder.decompress(left, _PIECE)
                while piece:
                    expansion.add(piece, "")
                    if expansion.above(_SURELY):
                        raise _RefusedError
                    yield piece
                    piece = b"" if decoder.eof else decoder.decompress(b"", _PIECE)
                left = decoder.unused_data if decoder.eof else b""
    except refused as error:
        raise _RefusedError from error
    if left or decoder is None or not decoder.eof:
        raise _RefusedError


def _has_whole_head(data: bytes) -> bool:
    """Tell whether a gzip stream has all of its head here: ten bytes, and a name that ends in a zero if it has one."""
    if len(data) <= _HEAD:
        return False
    flags, whole = data[3], b"\0" in data[_HEAD:]
    if not data.startswith(_GZIP) or flags & ~_NAMED or (flags and not whole and len(data) > CHUNK):
        raise _RefusedError  # a checksum of the head, say, or no stream at all
    return whole or not flags

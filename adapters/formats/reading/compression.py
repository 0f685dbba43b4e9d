"""Decompression chunk by chunk in bounded memory; the first bytes of a file decide, not its name."""

from __future__ import annotations

import lzma
import zlib
from itertools import chain
from typing import TYPE_CHECKING, Any, Protocol

from telex.learners.base import BrokenRecordError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

CHUNK = 1 << 20
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
    b"\x1f\x8b": _Gzip,
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
        if self._unpacked > _FREE and self._unpacked > _FOLD * self._packed():
            raise ExpansionError(
                f"{complaint} to more than {_FOLD} times their size, which documents never do; the rest is not read"
            )


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

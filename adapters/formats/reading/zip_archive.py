"""Members of zip archives, read in bounded memory and never unpacked to disk."""

from __future__ import annotations

import os
import stat
import struct
import tempfile
import zipfile
import zlib
from contextlib import contextmanager, suppress
from functools import partial
from io import BufferedReader, BytesIO, FileIO
from itertools import pairwise
from typing import IO, TYPE_CHECKING, Any

from telex.learners.base import BrokenRecordError, StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telex.adapters.formats.reading.input import Input

    Member = tuple[str, Callable[[], Iterable[bytes]] | None]

_BEGINNINGS = (b"PK\x03\x04", b"PK\x05\x06")
_READ = 1 << 16
_DIRECTORY = 64 << 20  # bytes, of some 800,000 members; Python takes fifteen times as much to hold them
_LOCAL_HEADER = 30  # bytes, without the name
_BROKEN = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error,
    OSError, EOFError, ValueError, ArithmeticError, LookupError, RuntimeError,
)  # fmt: skip


def is_zip(head: bytes) -> bool:
    """Tell whether a file that begins with ``head`` is a zip archive."""
    return head.startswith(_BEGINNINGS)


def zip_members(chunks: Iterable[bytes], source: Input | None) -> Iterator[Member]:
    """Yield the name of each file in a zip archive with a function that reads it, in the order of the directory.

    The function is None for a link or device. ``source`` is where the chunks come from, or None if that is another
    archive. A damaged archive, or a damaged member when it is read, raises a BrokenRecordError. So does an archive
    whose members overlap: a megabyte of those can hold any amount.
    """
    with _seekable(chunks, source) as file:
        try:
            archive = zipfile.ZipFile(file)
            _refuse_overlap(archive)
        except _BROKEN as error:
            raise BrokenRecordError(f"the zip archive is damaged or incomplete: {error}") from error
        with archive:
            for info in archive.infolist():
                kind = stat.S_IFMT(info.external_attr >> 16)
                if not info.filename.endswith("/") and kind != stat.S_IFDIR:
                    yield info.filename, partial(_unpacked, archive, info) if kind in {0, stat.S_IFREG} else None
                if source is not None:
                    source.bytes_read += info.compress_size


@contextmanager
def temporary_copy(chunks: Iterable[bytes]) -> Iterator[IO[bytes]]:
    """Open a private file that holds ``chunks``, at its start; a full disk stops the run.

    >>> with temporary_copy([b"ab", b"c"]) as copy:
    ...     copy.read()
    b'abc'
    """
    with tempfile.TemporaryFile() as copy:
        for chunk in chunks:
            try:
                copy.write(chunk)
                copy.flush()
            except OSError as error:
                with suppress(OSError):  # closing writes again what did not fit
                    copy.close()
                raise StoppedError(
                    f"the temporary folder {tempfile.gettempdir()} is full ({error.strerror}); "
                    "point TMPDIR to a larger one"
                ) from error
        copy.seek(0)
        yield copy


class _BoundedFile(BufferedReader):
    """A file of which zipfile cannot read a huge directory: it would make an object of each member at once."""

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > _DIRECTORY:
            raise ValueError(f"its directory has more than {_DIRECTORY >> 20} MiB; unpack it")
        return super().read(size)


@contextmanager
def _seekable(chunks: Iterable[bytes], source: Input | None) -> Iterator[IO[bytes]]:
    """Open an archive as a seekable file: the file itself, or a temporary copy if it comes from a pipe."""
    if source is None:
        yield BytesIO(b"".join(chunks))
        return
    if source.path != "-" and os.path.isfile(source.path):
        with _BoundedFile(FileIO(source.path)) as file:
            if file.read(4) in _BEGINNINGS:
                yield file
                return
    with temporary_copy(chunks) as copy:
        raw: Any = copy
        yield _BoundedFile(raw.raw)


def _refuse_overlap(archive: zipfile.ZipFile) -> None:
    places = sorted((info.header_offset, info.compress_size) for info in archive.infolist())
    if any(begin + _LOCAL_HEADER + size > after for (begin, size), (after, _) in pairwise(places)):
        raise zipfile.BadZipFile("its members overlap")


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    if info.flag_bits & 1:
        raise BrokenRecordError("the member is encrypted; unpack the archive with its password first")
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:  # others unpack without a bound
        raise BrokenRecordError("the member is not packed with deflate; pack it again")
    try:
        with archive.open(info) as file:
            yield from iter(lambda: file.read(_READ), b"")
    except _BROKEN as error:
        raise BrokenRecordError(f"the member is damaged or incomplete: {error}") from error

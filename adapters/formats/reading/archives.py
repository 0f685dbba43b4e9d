"""Members of zip and tar archives, read in bounded memory and never unpacked to disk."""

from __future__ import annotations

import os
import stat
import tarfile
import zipfile
import zlib
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from typing import IO, TYPE_CHECKING, Any

from telex.adapters.formats.reading.line_blocks import LONGEST
from telex.adapters.formats.reading.temporary_files import temporary_copy
from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telex.adapters.formats.reading.input import Input

    Member = tuple[str, Callable[[], Iterable[bytes]]]

BLOCK = 512
"""How many bytes of the beginning show whether a file is an archive."""
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_READ = 1 << 16
_HEADERS = 1 << 20  # bytes of headers before one member of a tar file, long names and comments included
_ZIP_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)
_TAR_BROKEN = (tarfile.TarError, EOFError, ValueError, OverflowError)


def is_zip(head: bytes) -> bool:
    """Tell whether a file that begins with ``head`` is a zip archive."""
    return head.startswith(_ZIP)


def is_tar(head: bytes) -> bool:
    """Tell whether a file that begins with ``head`` is a tar archive."""
    if not head[148:154].strip(b" \0").isdigit():  # the checksum field rules out most files
        return False
    try:
        tarfile.TarInfo.frombuf(head[:BLOCK], "utf-8", "replace")
    except _TAR_BROKEN:
        return False
    return True


def zip_members(chunks: Iterable[bytes], source: Input | None) -> Iterator[Member]:
    """Yield the name of each file in a zip archive with a function that reads it, in the order of the directory.

    ``source`` is where the chunks come from, or None if that is another archive. A damaged archive, or a damaged member
    when it is read, raises a BrokenRecordError.
    """
    with _seekable(chunks, source) as file:
        try:
            archive = zipfile.ZipFile(file)
        except _ZIP_BROKEN as error:
            raise BrokenRecordError(f"the zip archive is damaged or incomplete: {error}") from error
        with archive:
            for info in archive.infolist():
                if not info.filename.endswith("/") and not stat.S_ISLNK(info.external_attr >> 16):
                    yield info.filename, partial(_unzipped, archive, info)
                if source is not None:
                    source.bytes_read += info.compress_size


@contextmanager
def _seekable(chunks: Iterable[bytes], source: Input | None) -> Iterator[IO[bytes]]:
    """Open an archive as a seekable file: the file itself, or a temporary copy if it comes from a pipe."""
    if source is None:
        yield BytesIO(b"".join(chunks))
        return
    if source.path != "-" and os.path.isfile(source.path):
        with open(source.path, "rb") as file:
            if file.read(4) in _ZIP:
                yield file
                return
    with temporary_copy(chunks) as copy:
        yield copy


def _unzipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    if info.flag_bits & 1:
        raise BrokenRecordError("the member is encrypted; unpack the archive with its password first")
    if info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:  # others unpack without a bound
        raise BrokenRecordError("the member is not packed with deflate; pack it again")
    try:
        with archive.open(info) as file:
            yield from iter(lambda: file.read(_READ), b"")
    except _ZIP_BROKEN as error:
        raise BrokenRecordError(f"the member is damaged or incomplete: {error}") from error


def tar_members(chunks: Iterable[bytes]) -> Iterator[Member]:
    """Yield the name of each file in a tar archive with a function that returns its bytes.

    A damaged archive, or a member that breaks off, raises a BrokenRecordError.
    """
    stream: Any = _TarStream(chunks)
    try:
        archive: Any
        with tarfile.open(fileobj=stream, mode="r|", bufsize=_READ, encoding="utf-8", errors="replace") as archive:
            while (info := archive.next()) is not None:
                stream.limit = archive.offset + _HEADERS
                archive.members.clear()  # tarfile keeps every member it has read
                if info.isreg():
                    file = archive.extractfile(info)
                    yield info.name, partial(iter, [file.read(LONGEST + 1)] if file else [])
            stream.see_its_end(archive.offset)
    except _TAR_BROKEN as error:
        raise BrokenRecordError(f"the tar archive is damaged or incomplete: {error}") from error


def read_member(chunks: Iterable[bytes]) -> bytes:
    """Return the bytes of a whole member; a member that is too large raises a BrokenRecordError."""
    found, total = list[bytes](), 0
    for chunk in chunks:
        found.append(chunk)
        total += len(chunk)
        if total > LONGEST:
            break
    else:
        return b"".join(found)
    raise BrokenRecordError(f"the member is larger than {LONGEST >> 20} MiB; unpack the archive and name the file")


class _TarStream:
    """Chunks as the file object that tarfile reads; ``limit`` bounds how far, so that no header can be endless."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self._chunks = iter(chunks)
        self._ready = self._last = b""
        self._read = 0
        self.limit = _HEADERS

    def read(self, size: int) -> bytes:
        while len(self._ready) < size:
            try:
                chunk = next(self._chunks, None)
            except BrokenRecordError as error:
                raise tarfile.ReadError(str(error)) from error
            if chunk is None:
                break
            self._ready += chunk
        data, self._ready = self._ready[:size], self._ready[size:]
        self._read += len(data)
        if self._read > self.limit + 2 * _READ:
            raise tarfile.ReadError("a header does not end")
        self._last = self._last[-_READ:] + data
        return data

    def see_its_end(self, offset: int) -> None:
        """Check that a block of zeros is at ``offset``: tarfile takes any unreadable block for the end."""
        block = self._last[len(self._last) - (self._read - offset) :][:BLOCK] if offset < self._read else b""
        if not block:
            raise tarfile.ReadError("it has no end")
        if any(block):
            raise tarfile.ReadError("what follows is no header")

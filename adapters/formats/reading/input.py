"""A file or standard input, opened as often as needed, decompressed, in chunks."""

from __future__ import annotations

import codecs
import contextlib
import difflib
import os
import select
import stat
import sys
from io import BufferedReader, UnsupportedOperation
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from telex.adapters.formats.reading.compression import decompress, decompress_file, is_compressed
from telex.adapters.formats.reading.unchanged import Stamp, file_stamp, folder_stamp
from telex.adapters.formats.reading.unpacked_copy import UnpackedCopy
from telex.learners.base import BrokenRecordError, StoppedError, UsageError
from telex.stream.raw_records import ScratchFile
from telex.stream.sources.stages import ReadAhead
from telex.stream.text_files import utf8_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_MAGIC = 8  # bytes tell whether a file is compressed
_HEAD = 1 << 16
_LONGEST_HEAD = 1 << 20
_READ = 1 << 17  # stays in the cache until it is decoded: twice as fast as chunks of 1 MiB
_WORTH_A_THREAD = 1 << 20  # bytes of a compressed file
_AHEAD = 16  # pieces that are unpacked before they are asked for


class FilePart(NamedTuple):
    """A part of a file of lines, which may grow meanwhile: its first ``header`` bytes, then ``start`` to ``end``.

    Before ``start`` there are ``lines`` lines.
    """

    header: int
    start: int
    end: int
    lines: int


class Input:
    """One path; ``-`` is standard input.

    Files can be read any number of times; standard input and pipes only once, unless :meth:`copy_pipe` copies them
    first. A path that does not exist raises a UsageError here. Whatever goes wrong later (or a folder) raises a
    BrokenRecordError from :meth:`chunks`, after everything that could be read.

    A file or folder must stand still from here on: each pass must read the same, and a run that resumes too. If it was
    written, the end of :meth:`chunks` raises a StoppedError, as :meth:`check_unchanged` does at any time. Of a ``part``
    of a plain file only the end must be there: others may append to it.
    """

    def __init__(self, path: str | os.PathLike[str], part: FilePart | None = None) -> None:
        self.path, self.part = os.fspath(path), part
        self._copy: ScratchFile | None = None
        self._unpacked: UnpackedCopy | None = None
        self._first: bytes | None = None
        self._pipe: Iterator[bytes] | None = None
        self._spent = False
        self.size: int | None = None  # in bytes, before decompression; None if unknown
        self.bytes_read = 0  # bytes read in this pass
        self.is_folder = False
        self.encoding: str | None = None
        """The encoding of the text, if that is not UTF-8."""
        self._stamp: Stamp | None = None
        self._wanted: Callable[[str], bool] | None = None
        if self.path == "-":
            _check_standard_input()
            self._once = True
            return
        try:
            found = os.stat(self.path)
        except OSError as error:
            raise UsageError(f"{self.name}: {_missing(Path(self.path), error)}") from error
        self.is_folder = stat.S_ISDIR(found.st_mode)
        self._once = not (self.is_folder or stat.S_ISREG(found.st_mode))
        if self._once:
            _check_readable(self.path, found.st_mode)
        if not self._once and not self.is_folder:
            self.size = found.st_size if part is None else part.header + part.end - part.start
            self._stamp = file_stamp(found) if part is None else None

    @classmethod
    def all(cls, paths: str | os.PathLike[str] | Input | Iterable[str | os.PathLike[str] | Input]) -> list[Input]:
        """Return an input for each of ``paths``; a single path is fine, too."""
        many = [paths] if isinstance(paths, (str, os.PathLike, Input)) else list(paths)
        inputs = [path if isinstance(path, Input) else cls(path) for path in many]
        if not inputs:
            raise UsageError("no file is given; name one or more, or - for standard input")
        if sum(source.path == "-" for source in inputs) > 1:
            raise UsageError("standard input is given twice; give - once")
        return inputs

    @property
    def name(self) -> str:
        """The path as UTF-8, for people and for the places of records."""
        return utf8_name(self.path)

    @property
    def is_on_disk(self) -> bool:
        """Whether it is a plain file, which others can open by its path."""
        return not (self._once or self.is_folder or self.part)

    @property
    def is_plain(self) -> bool:
        """Whether it is a plain file that holds the bytes themselves: it is not compressed, and can be read."""
        with contextlib.suppress(OSError):
            return self.is_on_disk and not is_compressed(next(self._raw(_MAGIC), b""))
        return False

    def watch(self, wanted: Callable[[str], bool]) -> None:
        """Note what the ``wanted`` files in this folder are, unless that is known; from now on they must not change."""
        if self._stamp is None:
            self._wanted = wanted
            self._stamp = folder_stamp(self.path, wanted)
            self.size = self._stamp.bytes

    def check_unchanged(self) -> None:
        """Raise a StoppedError if the file, or a file in the folder, was written since the first look at it."""
        if self._stamp is None:
            return
        try:
            now = folder_stamp(self.path, self._wanted) if self._wanted else file_stamp(os.stat(self.path))
        except FileNotFoundError:
            now = None
        except OSError as error:
            raise StoppedError(f"{self.path} cannot be looked at any more ({error.strerror}); start again") from error
        if now != self._stamp:
            raise StoppedError(
                f"{self.path} {_change(self._stamp, now)} while it was read; start again when nothing writes there, or "
                "read a copy (`telex watch --follow` follows what grows)"
            )

    @contextlib.contextmanager
    def unchanged(self) -> Iterator[None]:
        """Check at the end, and before an error of reading is passed on, that nothing was written meanwhile."""
        try:
            yield
        except (BrokenRecordError, OSError):
            self.check_unchanged()
            raise
        self.check_unchanged()

    def copy_pipe(self) -> None:
        """Copy standard input or a pipe to a temporary file, so that it can be read more than once."""
        if self._once and self._copy is None:
            self._copy = ScratchFile(self._raw(_READ))
            self.size = len(self._copy)

    def copy_unpacked(self) -> None:
        """Unpack a compressed file only once, though it is read more often, if it is not too large for that."""
        if self.is_on_disk and self._unpacked is None and self.size is not None and UnpackedCopy.pays(self.size):
            with contextlib.suppress(OSError):  # reading the file raises it again
                if is_compressed(next(self._raw(_READ), b"")):
                    self._unpacked = UnpackedCopy()

    def drop_unpacked(self) -> None:
        """Give back the room that :meth:`copy_unpacked` has taken."""
        self._unpacked = None

    def head(self, enough: int = _HEAD) -> bytes:
        """Return the beginning, decompressed: 64 KiB, or more until the first line ends, but no more than 1 MiB.

        It is shorter if there are no more bytes or none can be read; a pipe gives what comes first. In another
        ``encoding`` than UTF-8 it is made UTF-8.
        """
        found = self._head(enough)
        return found if self.encoding is None else next(_to_utf8([found], self.encoding), b"")

    def _head(self, enough: int) -> bytes:
        found = b""
        with contextlib.suppress(OSError, BrokenRecordError):  # reading the file raises them again
            if self._once and self._copy is None:
                self._first = self._first or self._first_of_pipe()
                raws = iter([self._first])
            else:
                raws = self._raw(_HEAD)
            for chunk in decompress(raws):
                found += chunk
                if len(found) >= _LONGEST_HEAD or (len(found) >= enough and b"\n" in found):
                    break
        return found[: max(enough, min(_LONGEST_HEAD, found.find(b"\n") + 1))]

    def chunks(self) -> Iterator[bytes]:
        """Yield the contents of the file, decompressed, from the beginning.

        A pipe yields an empty chunk when nothing more is there for now.
        """
        if self.is_folder:
            raise BrokenRecordError(f"this is a folder; give the files in it, such as {_example(Path(self.path))}")
        yield from self._chunks() if self.encoding is None else _to_utf8(self._chunks(), self.encoding)

    def _chunks(self) -> Iterator[bytes]:
        with self.unchanged():
            try:
                if self._unpacked is None:
                    yield from self._decompressed()
                elif self._unpacked.size is None:
                    yield from self._unpacked.made(self._decompressed())
                else:
                    yield from self._counted_copy(self._unpacked)
            except OSError as error:
                raise BrokenRecordError(f"reading fails: {error.strerror or error}") from error

    def _decompressed(self) -> Iterator[bytes]:
        """Yield the contents of the file; what takes long to unpack is unpacked by another thread."""
        if self.part is not None:
            return self._counted()
        if not self.is_on_disk or not is_compressed(next(self._raw(_MAGIC), b"")):
            return decompress(self._counted())
        pieces = decompress_file(self._counted)
        return ReadAhead(_AHEAD)(pieces) if (self.size or 0) >= _WORTH_A_THREAD else pieces

    def _counted(self) -> Iterator[bytes]:
        self.bytes_read = 0
        for chunk in self._raw(_READ):
            self.bytes_read += len(chunk)
            yield chunk

    def _counted_copy(self, copy: UnpackedCopy) -> Iterator[bytes]:
        """Yield the chunks of the copy, as many of the file's own bytes being read."""
        done, packed = 0, self.size or 0
        for chunk in copy.chunks(_READ):
            done += len(chunk)
            self.bytes_read = packed * done // (copy.size or 1)
            yield chunk

    def _raw(self, size: int) -> Iterator[bytes]:
        if self._copy is not None:
            yield from self._copy.chunks(size)
        elif self.part is not None:
            yield from self._of_part(self.part, size)
        elif self._once:
            if self._spent:
                raise UsageError(f"{self.path} can be read only once; announce more passes with passes=2")
            self._spent = True
            pipe = self._open_pipe()
            if self._first:
                yield self._first
            yield from pipe
        else:
            with open(self.path, "rb", buffering=0) as file:
                while chunk := file.read(size):
                    yield chunk

    def _of_part(self, part: FilePart, size: int) -> Iterator[bytes]:
        """Yield the header as one chunk, then the part."""
        with open(self.path, "rb", buffering=0) as file:
            for start, end, most in ((0, part.header, part.header), (part.start, part.end, size)):
                at = file.seek(start)
                while at < end:
                    if not (chunk := file.read(min(most, end - at))):
                        raise StoppedError(f"{self.path} was cut while it was read; put it back, and resume")
                    at += len(chunk)
                    yield chunk

    def _first_of_pipe(self) -> bytes:
        try:
            return next(self._open_pipe(), b"")
        except OSError:
            self._pipe = None  # it has ended at its error: a new one raises it again
            raise

    def _open_pipe(self) -> Iterator[bytes]:
        if self._pipe is None:
            self._pipe = _pipe(self.path)
        return self._pipe


def _to_utf8(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield a text in UTF-8 without a byte order mark; what its encoding has not becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        text = decoder.decode(chunk)
        if text or not chunk:
            yield text.encode("utf-8", "replace")
    if rest := decoder.decode(b"", final=True):
        yield rest.encode("utf-8", "replace")


def _pipe(path: str) -> Iterator[bytes]:
    """Yield chunks as they come; an empty chunk means that nothing more is there for now."""
    if path == "-":
        # unbuffered: a thread waiting in a buffered read holds a lock that the interpreter needs at exit
        buffer = sys.stdin.buffer
        yield from _arriving(buffer.raw if isinstance(buffer, BufferedReader) else buffer)
    else:
        with open(path, "rb", buffering=0) as file:
            yield from _arriving(file)


def _arriving(file: Any) -> Iterator[bytes]:
    while chunk := file.read(_READ):
        yield chunk
        try:
            waiting = select.select([file], [], [], 0)[0]
        except (OSError, ValueError):  # not a file of the system: everything is there
            continue
        if not waiting:
            yield b""


def reads_once(path: str | os.PathLike[str]) -> bool:
    """Tell whether this is standard input or a pipe, which can be read only once."""
    return os.fspath(path) == "-" or not (os.path.isfile(path) or os.path.isdir(path) or not os.path.exists(path))


def _check_standard_input() -> None:
    wanted = "give a file, or pipe the documents in"
    if sys.stdin is None:
        raise UsageError(f"standard input is closed; {wanted}")
    with contextlib.suppress(UnsupportedOperation):  # not a file of the system
        number = sys.stdin.fileno()
        try:
            os.read(number, 0)
        except OSError as error:
            raise UsageError(f"standard input cannot be read ({error.strerror}); {wanted}") from error


def _check_readable(path: str, mode: int) -> None:
    """Refuse what is neither a file nor a pipe; a terminal reads like a pipe."""
    if stat.S_ISFIFO(mode):
        return
    what = "a socket" if stat.S_ISSOCK(mode) else "a device"
    if stat.S_ISCHR(mode):
        device = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            if os.isatty(device) or os.path.samefile(path, os.devnull):
                return
        finally:
            os.close(device)
    raise UsageError(f"{path} is {what}; give a file, a pipe, or - for standard input")


def _change(then: Stamp, now: Stamp | None) -> str:
    if now is None:
        return "was removed"
    if now.files != then.files:
        return "got more files" if now.files > then.files else "lost files"
    if now.bytes == then.bytes:
        return "was written"
    return "grew" if now.bytes > then.bytes else "was cut"


def _missing(path: Path, error: OSError) -> str:
    if not isinstance(error, FileNotFoundError):
        return f"{error.strerror}; check the path"
    folder = path.parent
    if not folder.is_dir():
        return f"there is no folder {folder}; check the path"
    close = difflib.get_close_matches(path.name, _files(folder), 1)
    return (
        f"there is no such file; did you mean {folder / close[0]}?"
        if close
        else "there is no such file; check the path"
    )


def _example(folder: Path) -> Path:
    return folder / next(iter(_files(folder)), "FILE")


def _files(folder: Path) -> list[str]:
    try:
        return sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
    except OSError:
        return []

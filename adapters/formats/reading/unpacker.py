"""The files in one input: itself, or the members of the zip or tar archive that it is."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from telex.adapters.formats.reading.compression import Expansion, ExpansionError, decompress
from telex.adapters.formats.reading.line_blocks import KEPT, LONGEST
from telex.adapters.formats.reading.tar_archive import BLOCK, is_tar, tar_members
from telex.adapters.formats.reading.zip_archive import is_zip, zip_members
from telex.learners.base import BrokenRecordError
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telex.adapters.formats.reading.input import Input

_DEEPEST = 2
_LONGEST_NAME = 4096  # of a file, on all systems
_PACKED = (".gz", ".xz", ".zst")
_ARCHIVES = (".zip", ".tar", ".tgz", ".txz")


class FoundFile(NamedTuple):
    """One file; its chunks must be read before the next file is asked for."""

    path: str
    chunks: Iterable[bytes]


class Unpacker:
    """The files in one input; what its archives unpack to together is bounded by its size."""

    def __init__(self, source: Input, suffixes: tuple[str, ...]) -> None:
        self._source, self._suffixes = source, suffixes
        self._expansion = Expansion(lambda: max(source.size or 0, source.bytes_read))

    def files(self) -> Iterator[FoundFile | DeadLetter]:
        """Yield the files in an archive, or else the file itself."""
        path = self._source.name
        try:
            yield from self._opened(FoundFile(path, self._source.chunks()), 0)
        except ExpansionError as error:
            yield unread(path, str(error))

    def _opened(self, file: FoundFile, depth: int) -> Iterator[FoundFile | DeadLetter]:
        head, chunks = peek(file.chunks)
        if not is_archive(head):
            yield FoundFile(file.path, chunks)
            return
        if depth == _DEEPEST:
            reason = "this is an archive in an archive in an archive; unpack the outer ones first"
            yield unread(file.path, reason, head[:BLOCK])
            return
        files = others = 0
        source = None if depth else self._source
        try:
            for name, read in zip_members(chunks, source) if is_zip(head) else tar_members(chunks):
                parts = [part for part in name.split("/") if part not in {"", "."}]
                if not self._counts(parts):
                    continue
                if read is None:
                    others += 1
                    continue
                files += 1
                path = "/".join([file.path, *parts])
                if name.startswith("/") or ".." in parts or "\0" in name:
                    yield unread(path, "the member's name leads out of the archive; pack it again")
                elif len(name) > _LONGEST_NAME:
                    yield unread(path[:_LONGEST_NAME], "the member's name is longer than any file's; pack it again")
                else:
                    yield from self._member(path, read, depth)
        except ExpansionError:
            raise
        except BrokenRecordError as error:
            yield unread(file.path, str(error))
        else:
            if not files:
                yield no_file("archive", file.path, self._suffixes, others)

    def _counts(self, parts: list[str]) -> bool:
        hidden = not parts or "__MACOSX" in parts or parts[-1].startswith(".")
        return not hidden and is_wanted(parts[-1], self._suffixes)

    def _member(self, path: str, read: Callable[[], Iterable[bytes]], depth: int) -> Iterator[FoundFile | DeadLetter]:
        head = bytearray()
        try:
            raw = self._whole(decompress(_noted(read(), head)))
        except ExpansionError:
            raise
        except BrokenRecordError as error:
            yield unread(path, str(error), bytes(head))
        else:
            yield from self._opened(FoundFile(path, [raw] if raw else []), depth + 1)

    def _whole(self, pieces: Iterable[bytes]) -> bytes:
        found, size = list[bytes](), 0
        for piece in pieces:
            self._expansion.add(piece, "the members of this archive unpack")
            found.append(piece)
            size += len(piece)
            if size > LONGEST:
                break
        else:
            return b"".join(found)
        raise BrokenRecordError(f"the member is larger than {LONGEST >> 20} MiB; unpack the archive and name the file")


def is_archive(head: bytes) -> bool:
    """Tell whether a file that begins with ``head`` is a zip or tar archive."""
    return is_zip(head) or is_tar(head)


def is_wanted(path: str, suffixes: tuple[str, ...]) -> bool:
    """Tell whether the name of a file in a folder or archive ends in one of ``suffixes``."""
    if not suffixes:
        return True
    name = path.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return name.endswith((*suffixes, *_ARCHIVES))


def no_file(what: str, path: str, suffixes: tuple[str, ...], others: int = 0) -> DeadLetter:
    """Return the dead letter for a folder or archive without any file to read."""
    which = f"whose name ends in {' or '.join(suffixes)}" if suffixes else "that could be read"
    passed_over = f"; links and devices, of which it has {others:,}, are not read" if others else ""
    return unread(path, f"this {what} has no file {which}{passed_over}")


def unread(path: str, reason: str, raw: bytes = b"") -> DeadLetter:
    """Return the dead letter for a file that cannot be read."""
    return DeadLetter(raw, path, None, None, "read", reason)


def _noted(chunks: Iterable[bytes], head: bytearray) -> Iterator[bytes]:
    for chunk in chunks:
        head += chunk[: KEPT - len(head)]
        yield chunk


def peek(chunks: Iterable[bytes], size: int = BLOCK) -> tuple[bytes, Iterator[bytes]]:
    """Return the beginning, and all chunks from the beginning; errors are raised where the chunks are read."""
    rest, head = iter(chunks), b""
    try:
        while len(head) < size:
            chunk = next(rest, None)
            if chunk is None:
                break
            head += chunk
            if not chunk:
                return head, chain([head] if head else [], [b""], rest)
    except BrokenRecordError as error:
        return head, chain([head] if head else [], _fails(error))
    return head, chain([head] if head else [], rest)


def _fails(error: BrokenRecordError) -> Iterator[bytes]:
    yield from ()
    raise error

"""The files that paths stand for: plain files, files in folders, and the members of zip and tar archives."""

from __future__ import annotations

import os
import re
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from telex.adapters.formats.reading.archives import BLOCK, is_tar, is_zip, read_member, tar_members, zip_members
from telex.adapters.formats.reading.compression import decompress
from telex.adapters.formats.reading.input import Input
from telex.adapters.formats.reading.line_blocks import KEPT
from telex.learners.base import BrokenRecordError, UsageError
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_HEAD = 1 << 16
_DEEPEST = 2
_PACKED = (".gz", ".xz", ".zst")
_ARCHIVES = (".zip", ".tar", ".tgz", ".txz")


class FoundFile(NamedTuple):
    """One file; its chunks must be read before the next file is asked for."""

    path: str
    chunks: Iterable[bytes]


def files(inputs: Iterable[Input], suffixes: tuple[str, ...] = ()) -> Iterator[FoundFile | DeadLetter]:
    """Yield the files that ``inputs`` stand for: folders in the order of names, archives in the order of packing.

    A file named as an input is taken whatever its name. In folders and archives, only names that end in one of
    ``suffixes`` count (also compressed ones and archives), and no hidden files, devices, links in archives, or links to
    folders. Nothing is unpacked to disk under a name of its own. An archive in an archive is read, one inside that is
    not. A member of more than 16 MiB, or one that cannot be read, is a dead letter with the path ``archive/member``; an
    archive that breaks off is one with its own path.
    """
    inputs = list(inputs)
    for source in inputs:
        source.bytes_read = 0
    for source in inputs:
        if source.is_folder:
            yield from _folder(source, suffixes)
        else:
            yield from _opened(FoundFile(source.path, source.chunks()), suffixes, source)
            source.check_unchanged()


def file_heads(source: Input, most: int = 64) -> Iterator[tuple[bytes, str]]:
    """Yield the beginning and path of the first files in a folder or archive that are not empty.

    Standard input is copied to a temporary file for that.
    """
    source.copy_pipe()
    for file in islice(files([Input(source.path) if source.is_folder else source]), most):
        if isinstance(file, FoundFile):
            head = _peek(file.chunks, _HEAD)[0]
            if head.strip():
                yield head[:_HEAD], file.path


def is_archive(head: bytes) -> bool:
    """Tell whether a file that begins with ``head`` is a zip or tar archive."""
    return is_zip(head) or is_tar(head)


def _folder(source: Input, suffixes: tuple[str, ...]) -> Iterator[FoundFile | DeadLetter]:
    source.watch(lambda path: _wanted(path, suffixes))
    any_file = False
    for path in _walk(source.path):
        if isinstance(path, DeadLetter):
            yield path
        elif _wanted(path, suffixes):
            any_file = True
            try:
                file = Input(path)
            except UsageError as error:
                yield DeadLetter(b"", path, None, None, "read", str(error))
                continue
            yield from _opened(FoundFile(path, file.chunks()), suffixes, file)
            file.check_unchanged()
            source.bytes_read += file.size or 0
    if not any_file:
        yield _nothing("folder", source.path, suffixes)
    source.check_unchanged()


def _nothing(what: str, path: str, suffixes: tuple[str, ...]) -> DeadLetter:
    which = f"whose name ends in {' or '.join(suffixes)}" if suffixes else "that could be read"
    return DeadLetter(b"", path, None, None, "read", f"this {what} has no file {which}")


def _walk(folder: str) -> Iterator[str | DeadLetter]:
    waiting = [(folder, True)]
    while waiting:
        path, is_folder = waiting.pop()
        if not is_folder:
            yield path
            continue
        try:
            with os.scandir(path) as scan:
                seen = [(e, e.is_dir(follow_symlinks=False)) for e in scan if not e.name.startswith(".")]
                entries = [(e.path, is_dir) for e, is_dir in seen if is_dir or _is_file(e)]
        except OSError as error:
            yield DeadLetter(b"", path, None, None, "read", f"reading the folder fails: {error.strerror or error}")
            continue
        waiting.extend(sorted(entries, key=lambda entry: _natural(entry[0]), reverse=True))


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:  # a cycle of links
        return False


def _natural(name: str) -> tuple[list[str | int], str]:
    parts = re.split(r"([0-9]+)", name)
    return [int(part) if i % 2 else part for i, part in enumerate(parts)], name


def _wanted(path: str, suffixes: tuple[str, ...]) -> bool:
    if not suffixes:
        return True
    name = path.lower()
    for packed in _PACKED:
        name = name.removesuffix(packed)
    return name.endswith((*suffixes, *_ARCHIVES))


def _opened(
    file: FoundFile, suffixes: tuple[str, ...], source: Input | None = None, depth: int = 0
) -> Iterator[FoundFile | DeadLetter]:
    """Yield the files in an archive, or else the file itself; ``source`` is where its chunks come from."""
    head, chunks = _peek(file.chunks)
    if not is_archive(head):
        yield FoundFile(file.path, chunks)
        return
    if depth == _DEEPEST:
        reason = "this is an archive in an archive in an archive; unpack the outer ones first"
        yield DeadLetter(head[:BLOCK], file.path, None, None, "read", reason)
        return
    any_member = False
    try:
        for name, read in zip_members(chunks, source) if is_zip(head) else tar_members(chunks):
            parts = [part for part in name.split("/") if part not in {"", "."}]
            if not parts or "__MACOSX" in parts or parts[-1].startswith(".") or not _wanted(parts[-1], suffixes):
                continue
            any_member = True
            path = "/".join([file.path, *parts])
            if name.startswith("/") or ".." in parts or "\0" in name:
                yield DeadLetter(
                    b"", path, None, None, "read", "the member's name leads out of the archive; pack it again"
                )
            else:
                yield from _member(path, read, suffixes, depth)
    except BrokenRecordError as error:
        yield DeadLetter(b"", file.path, None, None, "read", str(error))
    else:
        if not any_member:
            yield _nothing("archive", file.path, suffixes)


def _member(
    path: str, read: Callable[[], Iterable[bytes]], suffixes: tuple[str, ...], depth: int
) -> Iterator[FoundFile | DeadLetter]:
    head = bytearray()
    try:
        raw = read_member(decompress(_noted(read(), head)))
    except BrokenRecordError as error:
        yield DeadLetter(bytes(head), path, None, None, "read", str(error))
    else:
        yield from _opened(FoundFile(path, [raw] if raw else []), suffixes, depth=depth + 1)


def _noted(chunks: Iterable[bytes], head: bytearray) -> Iterator[bytes]:
    for chunk in chunks:
        head += chunk[: KEPT - len(head)]
        yield chunk


def _peek(chunks: Iterable[bytes], size: int = BLOCK) -> tuple[bytes, Iterator[bytes]]:
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

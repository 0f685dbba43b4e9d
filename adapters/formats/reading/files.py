"""The files that paths stand for: plain files, files in folders, and the members of zip and tar archives."""

from __future__ import annotations

import os
import re
from itertools import islice
from typing import TYPE_CHECKING

from telex.adapters.formats.reading.input import Input
from telex.adapters.formats.reading.unpacker import FoundFile, Unpacker, is_wanted, no_file, peek, unread
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter
from telex.stream.text_files import utf8_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEAD = 1 << 16


def files(inputs: Iterable[Input], suffixes: tuple[str, ...] = ()) -> Iterator[FoundFile | DeadLetter]:
    r"""Yield the files that ``inputs`` stand for: folders in the order of names, archives in the order of packing.

    A file named as an input is taken whatever its name. In folders and archives, only names that end in one of
    ``suffixes`` count (also compressed ones and archives), and no hidden files, devices, links in archives, or links to
    folders. Nothing is unpacked to disk under a name of its own. An archive in an archive is read, one inside that is
    not. A member of more than 16 MiB, or one that cannot be read, is a dead letter with the path ``archive/member``; an
    archive that breaks off is one with its own path, and so is one that unpacks to more than 1000 times its size.
    A byte of a name that is not UTF-8 is written as ``\xe9``.
    """
    inputs = list(inputs)
    for source in inputs:
        source.bytes_read = 0
    for source in inputs:
        if source.is_folder:
            yield from _folder(source, suffixes)
        else:
            yield from Unpacker(source, suffixes).files()
            source.check_unchanged()


def file_heads(source: Input, most: int = 64) -> Iterator[tuple[bytes, str]]:
    """Yield the beginning and path of the first files in a folder or archive that are not empty.

    Standard input is copied to a temporary file for that.
    """
    source.copy_pipe()
    for file in islice(files([Input(source.path) if source.is_folder else source]), most):
        if isinstance(file, FoundFile):
            head = peek(file.chunks, _HEAD)[0]
            if head.strip():
                yield head[:_HEAD], file.path


def _folder(source: Input, suffixes: tuple[str, ...]) -> Iterator[FoundFile | DeadLetter]:
    source.watch(lambda path: is_wanted(path, suffixes))
    any_file = False
    for path in _walk(source.path):
        if isinstance(path, DeadLetter):
            yield path
        elif is_wanted(path, suffixes):
            any_file = True
            try:
                file = Input(path)
            except UsageError as error:
                yield unread(utf8_name(path), str(error))
                continue
            yield from Unpacker(file, suffixes).files()
            file.check_unchanged()
            source.bytes_read += file.size or 0
    if not any_file:
        yield no_file("folder", source.name, suffixes)
    source.check_unchanged()


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
            yield unread(utf8_name(path), f"reading the folder fails: {error.strerror or error}")
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

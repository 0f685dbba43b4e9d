"""What a file or folder was when it was first looked at, so that a change while it is read is noticed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ALL = (1 << 64) - 1


class Stamp(NamedTuple):
    """The identity of a file without its contents, which tells whether it was written: a few calls, nothing read.

    That of a folder has the sizes of its files together, and one number for the identities of all of them.
    """

    files: int
    bytes: int
    mark: int


def file_stamp(found: os.stat_result) -> Stamp:
    """Return the stamp of a file: device, inode, size and time of the last change."""
    return Stamp(1, found.st_size, hash((found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)))


def folder_stamp(folder: str, wanted: Callable[[str], bool]) -> Stamp:
    """Return the stamp of the ``wanted`` files in a folder and in those inside it; hidden ones do not count."""
    files = size = mark = 0
    for entry in _entries(folder):
        if wanted(entry.path):
            try:
                found = file_stamp(entry.stat())
            except OSError:  # it is gone again; whoever reads the folder says what cannot be read
                continue
            files, size, mark = files + 1, size + found.bytes, mark + hash((entry.path, found.mark)) & _ALL
    return Stamp(files, size, mark)


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as scan:
                for entry in scan:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif entry.is_file():
                        yield entry
        except OSError:
            continue

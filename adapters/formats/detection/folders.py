"""Folders given where a format takes files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from telex.adapters.formats.reading import Input
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_MOST = 256


def files_in_folder(folder: str, recognises: Callable[[bytes, str], bool], preferred: str = "") -> list[str]:
    """Return the files of a folder that are of a format, in the order of their names.

    If the names of some begin with ``preferred``, these alone count.
    """
    found = list[str]()
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)[:_MOST]:
        if entry.name.startswith(".") or not entry.is_file():
            continue
        try:
            head = Input(entry.path).head()
        except (UsageError, OSError):
            continue
        if head.strip() and recognises(head, entry.path):
            found.append(entry.path)
    named = [path for path in found if preferred and os.path.basename(path).startswith(preferred)]
    return named or found


def said_of_folder(folder: str, files: Sequence[str]) -> str:
    """Return a sentence about the files that are read of a folder.

    >>> said_of_folder("data", ["data/a.csv", "data/b.csv"])
    'of the folder data, these files are read: a.csv, b.csv'
    """
    names = [os.path.basename(path) for path in files]
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return f"of the folder {folder}, these files are read: {shown}"

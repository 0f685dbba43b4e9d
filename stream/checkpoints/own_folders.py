"""The folders of a run: nothing in them is a link to somewhere else, and what counts is on the disk."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def is_own_folder(path: Path) -> bool:
    """Return whether there is such a folder in a run folder; raise an error if it is a symbolic link."""
    if path.is_symlink():
        raise UsageError(
            f"{path} is a symbolic link, which Telex does not follow in the folder of a run; put the folder itself "
            "there"
        )
    return path.is_dir()


def sync_folder(path: Path) -> None:
    """Put the names in a folder on the disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing; each is on the disk when this returns.

    One that was there may be a mount point in a folder that is none of ours: then whoever mounts it sees to its name.
    """
    was_there = path.is_dir()
    if not was_there:
        make_folder(path.parent)
        path.mkdir(exist_ok=True)
    try:
        sync_folder(path.parent)
    except OSError:
        if not was_there:
            raise

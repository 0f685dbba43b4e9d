"""Files and folders inside a run folder: nothing there is a link to somewhere else, and what counts is on the disk.

A run folder may come from somebody else. So a file in it is opened only if it is a regular file: through a symbolic
link a run would read or overwrite files elsewhere, and a pipe would never end.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING, cast

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from io import BufferedRandom
    from pathlib import Path


def open_own(path: Path, mode: str = "rb", buffer: int = -1) -> BufferedRandom:
    """Open an existing file of a run folder; raise an OSError that says so if it is a link, a pipe or a device."""
    return cast("BufferedRandom", open(path, mode, buffer, opener=_open_regular))


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
    """Make a folder, and those above it that are missing; each is on the disk when this returns."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(exist_ok=True)
    sync_folder(path.parent)


def _open_regular(path: str, flags: int) -> int:
    if not stat.S_ISREG(os.lstat(path).st_mode):  # before it is opened: that alone may do something to a device
        raise _refused(path, "a symbolic link" if os.path.islink(path) else "no regular file")
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)


def _refused(path: Path | str, what: str) -> OSError:
    number = errno.ELOOP if "link" in what else errno.EINVAL
    return OSError(number, f"it is {what}, which Telex does not follow in the folder of a run", str(path))

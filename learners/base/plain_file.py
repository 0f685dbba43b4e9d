"""The files that are read beside the documents: settings, lists of words, labels, groups."""

from __future__ import annotations

import os
import re
import stat

from telex.learners.base.errors import UsageError

_OPEN_ALREADY = re.compile(r"/dev/stdin|/(dev|proc/self)/fd/\d+")


def check_plain_file(path: str | os.PathLike[str]) -> None:
    """Refuse a named pipe, a socket or a device: to open one may take forever, and to read one, too.

    What this process has open already, as a shell's ``<(...)``, may be a pipe. What is not there, or a folder, raises
    its own error when it is opened.
    """
    try:
        kind = os.stat(path).st_mode
    except (OSError, ValueError):
        return
    if stat.S_ISREG(kind) or stat.S_ISDIR(kind) or _OPEN_ALREADY.fullmatch(os.fspath(path)):
        return
    if os.path.samefile(path, os.devnull):
        return
    what = "a pipe" if stat.S_ISFIFO(kind) else "a socket" if stat.S_ISSOCK(kind) else "a device"
    raise UsageError(f"{os.fspath(path)} is {what}; give a plain file")

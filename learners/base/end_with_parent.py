"""Processes that end with the one that began them."""

from __future__ import annotations

import fcntl
import multiprocessing
import os
import signal
from multiprocessing.connection import wait


def end_with_parent() -> None:
    """Make the system end this process when its parent ends, even while a native fit holds the interpreter's lock.

    The parent holds the other end of the sentinel, a pipe on which nothing is ever sent. When the parent ends, the pipe
    closes and sends SIGIO, which by default ends a process on Linux. Elsewhere the process ends when it next reads.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    sentinel = parent.sentinel
    fcntl.fcntl(sentinel, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(sentinel, fcntl.F_SETFL, fcntl.fcntl(sentinel, fcntl.F_GETFL) | os.O_ASYNC)
    if wait([sentinel], 0):
        os._exit(1)

"""How many threads can run, and threads of low priority, for work that must not slow the stream down."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

POLITENESS = 10
"""The ``nice`` value: about a tenth of a processor that a normal thread wants too."""


def polite_thread(target: Callable[..., object], *args: object, name: str) -> threading.Thread:
    """Start a thread of low priority; it has normal priority outside Linux, where threads have none of their own.

    >>> polite_thread(print, "begun", name="printing").join()
    begun
    """

    def run() -> None:
        if sys.platform == "linux":
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), POLITENESS)
        target(*args)

    thread = threading.Thread(target=run, name=name)
    thread.start()
    return thread


def processors() -> int:
    """Return how many processors this process may use.

    >>> processors() > 0
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1

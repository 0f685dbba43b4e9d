"""Work that stands back behind the stream."""

from __future__ import annotations

import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

POLITENESS = 10
"""Steps of the system's ``nice``: about a tenth of a processor that others want too."""


def polite_thread(target: Callable[..., object], *args: object, name: str) -> threading.Thread:
    """Start a thread that stands back where others want to run; only Linux lets a single thread do so.

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

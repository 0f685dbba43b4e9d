"""Ctrl-C and SIGTERM end a run between two documents."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from telex.stream.run import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.stream.run import Run


@contextmanager
def stopping(run: Run) -> Iterator[list[int]]:
    """Let the first signal stop ``run`` in order, a second one break it off; yields those that came.

    While a source is waited for, which may be long, the wait is broken off. Outside the main thread, where
    Python has no signals, nothing is changed.
    """
    came: list[int] = []

    def stop(number: int, frame: Any) -> None:
        came.append(number)
        if len(came) > 1:
            raise KeyboardInterrupt
        run.stop()
        if run.reading:
            raise Stop

    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield came
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

"""Ctrl-C and SIGTERM end a run between two documents, and other commands in order."""

from __future__ import annotations

import signal
import sys
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

    Where a source that cannot hear of it is waited for, which may be long, the wait is broken off. Outside the main
    thread, where Python has no signals, nothing is changed.
    """
    came: list[int] = []

    def stop(number: int, frame: Any) -> None:
        came.append(number)
        if len(came) > 1:
            raise KeyboardInterrupt
        if run.stop():
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


@contextmanager
def leaving() -> Iterator[None]:
    """Let SIGTERM end the command with exit code 0, after all that is open was put away as for Ctrl-C."""

    def leave(number: int, frame: Any) -> None:
        print("telex: ended by SIGTERM; what was not finished is put away", file=sys.stderr)
        raise SystemExit(0)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

"""Ctrl-C and SIGTERM end a run between two documents, and whatever else a command does in order."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


class Stoppable(Protocol):
    """What can be ended in order, as a run can."""

    def stop(self) -> bool:
        """End before the next document; tell whether it waits and cannot hear of it."""
        ...


class Ended(BaseException):
    """Raised where SIGTERM came, it ends a command: what it has open is put away on the way."""


@contextmanager
def stopping(run: Stoppable) -> Iterator[list[int]]:
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
            from telex.stream.run import Stop  # noqa: PLC0415 - loaded with the run, not for every command

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
    """Let SIGTERM raise :class:`Ended`, so that all that is open is put away as for Ctrl-C."""

    def leave(number: int, frame: Any) -> None:
        raise Ended

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)

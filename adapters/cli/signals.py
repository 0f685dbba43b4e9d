"""Ctrl-C and SIGTERM: they end a run between two documents, and any other command in order."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_LONG = 0.5
"""Seconds that the documents in hand may take after a signal; mostly they take a tenth."""


class Stoppable(Protocol):
    """An object that can be ended in order, as a run can."""

    def stop(self) -> bool:
        """End before the next document; return True if it waits for its source, and would not notice."""
        ...


class EndedBySignal(BaseException):
    """Raised at SIGTERM; on its way up everything that is open is closed."""


@contextmanager
def stop_at_signals(run: Stoppable, seconds_in_step: Callable[[], float] = lambda: 0.0) -> Iterator[list[int]]:
    """Stop ``run`` in order at the first signal, abort it at the second; yield the list of signals so far.

    If the run waits for its source, perhaps for long, the first signal raises Stop. ``seconds_in_step`` says for how
    long it has been at work on the documents in hand: if they take long, as a single one can take minutes, the first
    signal aborts the run too. Outside the main thread, where Python has no signals, this does nothing.
    """
    came: list[int] = []

    def look(number: int, frame: Any) -> None:
        if seconds_in_step() > _LONG:
            raise EndedBySignal if came[0] == signal.SIGTERM else KeyboardInterrupt

    def stop(number: int, frame: Any) -> None:
        came.append(number)
        if len(came) > 1:
            raise KeyboardInterrupt
        if run.stop():
            from telex.stream.run import Stop  # noqa: PLC0415 - loaded with the run, not for every command

            raise Stop
        signal.setitimer(signal.ITIMER_REAL, _LONG / 4, _LONG / 4)

    if threading.current_thread() is not threading.main_thread():
        yield came
        return
    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    before[signal.SIGALRM] = signal.signal(signal.SIGALRM, look)
    try:
        yield came
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def raise_at_signals(*, for_good: bool = False) -> Iterator[None]:
    """Raise KeyboardInterrupt at Ctrl-C and :class:`EndedBySignal` at SIGTERM, so that everything open is closed.

    A second signal ends the process at once: an exception in the midst of closing would end in a traceback. With
    ``for_good`` this also holds after the command, while Python ends.
    """

    def leave(number: int, frame: Any) -> None:
        _end_at_once()
        raise EndedBySignal if number == signal.SIGTERM else KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        if for_good:
            _end_at_once()
        else:
            for number, handler in before.items():
                signal.signal(number, handler)


def _end_at_once() -> None:
    """Let the next signal end the process as it ends any other."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)

"""Ctrl-C and SIGTERM: they end a run between two documents, and any other command in order."""

from __future__ import annotations

import signal
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


_LONG = 0.5
"""Seconds that the documents in hand may take after a signal; mostly they take a tenth."""
_AGAIN = 0.01
"""Seconds after which an exception of a signal is raised again that a destructor has swallowed."""


class Stoppable(Protocol):
    """An object that can be ended in order, as a run can."""

    def stop(self) -> bool:
        """End before the next document; return True if it waits for its source, and would not notice."""
        ...


class StopNote:
    """Notes in ``stopped`` that the first signal came, for a command that looks at it."""

    stopped = False

    def stop(self) -> bool:
        """Note it."""
        self.stopped = True
        return False


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

    def stop_waiting() -> None:
        if run.stop():
            from telex.stream.run import Stop  # noqa: PLC0415 - loaded with the run, not for every command

            raise Stop

    def look(number: int, frame: Any) -> None:
        stop_waiting()  # once more, if a destructor swallowed the first Stop
        if seconds_in_step() > _LONG:
            raise EndedBySignal if came[0] == signal.SIGTERM else KeyboardInterrupt

    def stop(number: int, frame: Any) -> None:
        came.append(number)
        if len(came) > 1:
            raise KeyboardInterrupt
        signal.setitimer(signal.ITIMER_REAL, _LONG / 4, _LONG / 4)
        stop_waiting()

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
    ``for_good`` this also holds after the command, while Python ends. Where Python swallows the exception, because the
    signal came within a destructor, it is raised again.
    """

    def leave(number: int, frame: Any) -> None:
        _end_at_once()
        raise EndedBySignal if number == signal.SIGTERM else KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        with _raised_again():
            yield
    finally:
        if for_good:
            _end_at_once()
        else:
            for number, handler in before.items():
                signal.signal(number, handler)


@contextmanager
def _raised_again() -> Iterator[None]:
    """Raise again what a signal raised and Python swallowed."""
    hook, swallowed = sys.unraisablehook, []

    def see(unraisable: Any) -> None:
        if not isinstance(unraisable.exc_value, (EndedBySignal, KeyboardInterrupt)):
            hook(unraisable)
            return
        swallowed.append(unraisable.exc_value)
        signal.signal(signal.SIGALRM, again)  # what the hook itself raises is swallowed too
        signal.setitimer(signal.ITIMER_REAL, _AGAIN)

    def again(number: int, frame: Any) -> None:
        raise swallowed.pop()

    before = signal.getsignal(signal.SIGALRM)
    sys.unraisablehook = see
    try:
        yield
        if swallowed:  # the command came to its end before
            raise swallowed.pop()
    finally:
        sys.unraisablehook = hook
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _end_at_once() -> None:
    """Let the next signal end the process as it ends any other."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)

"""Lets other threads look at a run: between two documents, or while it waits for its source."""

from __future__ import annotations

import time
from threading import Lock, get_ident
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Seen = TypeVar("Seen")

_GLANCE = 0.02
"""Seconds between checks whether the run's own thread has looked."""


class RunSnapshots(Generic[Seen]):
    """Calls ``look`` at a moment when a run rests, and returns the result to any thread that asks.

    The run's own thread reports when it is ``waiting`` for its source and when it is ``working``. A thread that asks
    while the run waits looks at once, and the run's work begins when that is done. A thread that asks while the run
    works gets what the run's thread sees at the next boundary, or, after ``patience`` seconds, the last result: a long
    fit blocks no request. Without requests the cost is one lock per batch. An error in ``look`` is raised in the thread
    that asks; it does not stop the run.
    """

    def __init__(self, look: Callable[[], Seen], patience: float = 0.5) -> None:
        self.look, self.patience = look, patience
        self.newest: Seen | None = None
        self.looked_at = 0.0
        self.boundary_at = time.monotonic()
        self._looks = 0
        self._error: Exception | None = None
        self._asking, self._at_work = Lock(), Lock()
        self._working = self._requested = self._ended = False
        self._worker = 0

    @property
    def resting(self) -> bool:
        """Whether the run waits for its source, has not begun, or has ended."""
        return not self._working

    def ask(self) -> Seen | None:
        """Return what ``look`` sees after this call, else the last result; None before the run begins."""
        with self._asking:
            before, deadline = self._looks, time.monotonic() + self.patience
            self._requested = not self._ended and self.newest is not None
            if self._worker == get_ident():  # the thread of the run itself asks between two steps
                self.look_if_asked()
            while self._requested and self._looks == before and time.monotonic() < deadline:
                if self._at_work.acquire(timeout=_GLANCE):
                    try:
                        self.look_if_asked()
                    finally:
                        self._at_work.release()
            if self._error is not None:
                error, self._error = self._error, None
                raise error
            return self.newest

    # -- for the thread of the run

    def working(self) -> None:
        """Begin to work, once no other thread looks; a run that works already continues."""
        if not self._working:
            self._at_work.acquire()
        self._working, self._worker, self.boundary_at = True, get_ident(), time.monotonic()

    def waiting(self) -> None:
        """Reach a boundary, and let others look until there is work."""
        self.look_if_asked()
        self.boundary_at = time.monotonic()
        if self._working:
            self._working = False
            self._at_work.release()

    def look_if_asked(self) -> None:
        """Reach a boundary, and look if a thread asks."""
        if self._requested:
            self.look_now()

    def look_now(self) -> None:
        """Look, whether or not a thread asks."""
        try:
            self.newest, self.looked_at = self.look(), time.time()
        except Exception as error:  # `ask` raises it
            self._error = error
        self._requested = False
        self._looks += 1

    def end(self) -> None:
        """End, and keep returning the last result."""
        self._ended, self._requested = True, False
        self.waiting()

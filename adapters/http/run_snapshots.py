"""When another thread may look at a run: between two documents, and while its source is waited for."""

from __future__ import annotations

import time
from threading import Lock, get_ident
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Seen = TypeVar("Seen")

_GLANCE = 0.02
"""Seconds after which one who waits for the run to rest sees whether the run has looked itself."""


class RunSnapshots(Generic[Seen]):
    """Has ``look`` called at a moment at which a run stands still, for whoever asks.

    The run's own thread says when it is ``waiting`` for its source and when it is ``working``. Who asks while it rests
    looks at once, and work begins when that is done. Who asks while it works is shown what the run's thread sees at the
    next boundary, or, after ``patience`` seconds, what was seen last: a long fit keeps nobody waiting. A run that
    nobody asks pays for a lock a batch. What goes wrong in looking is raised where it was asked for: it stops no run.
    """

    def __init__(self, look: Callable[[], Seen], patience: float = 0.5) -> None:
        self.look, self.patience = look, patience
        self.newest: Seen | None = None
        self.seen_at = 0.0
        self.passed_at = time.monotonic()
        self._looks = 0
        self._error: Exception | None = None
        self._asking, self._at_work = Lock(), Lock()
        self._working = self._wanted = self._over = False
        self._worker = 0

    @property
    def resting(self) -> bool:
        """Whether the run waits for its source, or has not begun, or is over."""
        return not self._working

    def ask(self) -> Seen | None:
        """Return what is seen at a moment after this call, else what was seen last; None before the run begins."""
        with self._asking:
            before, deadline = self._looks, time.monotonic() + self.patience
            self._wanted = not self._over and self.newest is not None
            if self._worker == get_ident():  # who steps through a run asks between two steps
                self.passed()
            while self._wanted and self._looks == before and time.monotonic() < deadline:
                if self._at_work.acquire(timeout=_GLANCE):
                    try:
                        self.passed()
                    finally:
                        self._at_work.release()
            if self._error is not None:
                error, self._error = self._error, None
                raise error
            return self.newest

    # -- for the thread of the run

    def working(self) -> None:
        """Begin to work, once nobody looks; who works already goes on."""
        if not self._working:
            self._at_work.acquire()
        self._working, self._worker, self.passed_at = True, get_ident(), time.monotonic()

    def waiting(self) -> None:
        """Come to a boundary, and let others look until there is work."""
        self.passed()
        self.passed_at = time.monotonic()
        if self._working:
            self._working = False
            self._at_work.release()

    def passed(self) -> None:
        """Come to a boundary; look, where somebody asks."""
        if self._wanted:
            self.see()

    def see(self) -> None:
        """Look, whether or not somebody asks."""
        try:
            self.newest, self.seen_at = self.look(), time.time()
        except Exception as error:  # it belongs to whoever asked
            self._error = error
        self._wanted = False
        self._looks += 1

    def end(self) -> None:
        """Be over: what was seen last stays."""
        self._over, self._wanted = True, False
        self.waiting()

"""Makes the pages of one path."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Condition, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.adapters.http.pages import Page


class PageMaker:
    """Makes pages one at a time, in a thread of its own; up to ``waiting`` further ones may wait."""

    def __init__(self, name: str, waiting: int) -> None:
        self._waiting = waiting
        self._work: dict[Future[Page], Callable[[], Page]] = {}
        self._turn = Condition()
        self._ended = False
        self._thread = Thread(target=self._make, name=name, daemon=True)
        self._thread.start()

    @property
    def full(self) -> bool:
        """Whether no further page may wait."""
        return self._ended or len(self._work) >= self._waiting

    def submit(self, make: Callable[[], Page]) -> Future[Page] | None:
        """Return the page to come; None if too many wait, or at the end."""
        with self._turn:
            if self.full:
                return None
            future: Future[Page] = Future()
            self._work[future] = make
            self._turn.notify()
            return future

    def withdraw(self, future: Future[Page]) -> None:
        """Do not make a page, unless that has begun."""
        with self._turn:
            self._work.pop(future, None)

    def end(self) -> None:
        """Begin nothing any more; the pages that wait are cancelled."""
        with self._turn:
            self._ended = True
            for future in self._work:
                future.cancel()
            self._turn.notify()

    def join(self, seconds: float) -> None:
        """Wait for the page that is being made."""
        self._thread.join(seconds)

    def _make(self) -> None:
        while True:
            with self._turn:
                self._turn.wait_for(lambda: self._work or self._ended)
                if self._ended:
                    return
                future, make = next(iter(self._work.items()))
                del self._work[future]
            if future.set_running_or_notify_cancel():
                future.set_result(make())
            del future, make  # a page may be large

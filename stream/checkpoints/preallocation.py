"""Memory for the copy of a state, allocated before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners import Preallocates
from telex.learners.base import polite_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from threading import Thread


class Preallocation:
    """Allocates, in a thread, the memory that copies of ``learners`` will fill, of those that it has at the time.

    Pages that the system hands out for the first time can cost twenty times as much as writing to them, and the stream
    should not wait for that. A learner's ``make_room()`` returns the function to call, or None if its memory is there.
    """

    def __init__(self, learners: Collection[object]) -> None:
        self._learners = learners
        self._thread: Thread | None = None

    def ready(self) -> bool:
        """Return whether the memory is there; if not, start a thread that allocates it, and ask again later."""
        if self._thread is None:
            asked = [learner.make_room for learner in self._learners if isinstance(learner, Preallocates)]
            calls = [call for ask in asked if (call := ask()) is not None]
            if not calls:
                return True
            self._thread = polite_thread(_call_all, calls, name="room")
        if self._thread.is_alive():
            return False
        self._thread = None
        return True

    def wait(self) -> None:
        """Wait until no thread is allocating any more."""
        if self._thread is not None:
            self._thread.join()
            self._thread = None


def _call_all(calls: Iterable[Callable[[], None]]) -> None:
    for call in calls:
        call()

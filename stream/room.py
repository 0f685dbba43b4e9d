"""Memory for the copy of a state, begun before it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.polite import polite_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from threading import Thread


class Room:
    """Has a thread begin the memory that copies of ``learners`` will fill.

    Pages that the system gives for the first time can cost twenty times what it costs to write to them: a stream need
    not wait for that. A learner says by ``make_room()`` what is to be called, None where its memory is there.
    """

    def __init__(self, learners: Iterable[Any]) -> None:
        self._asked = [learner.make_room for learner in learners if hasattr(learner, "make_room")]
        self._thread: Thread | None = None

    def made(self) -> bool:
        """Return whether the memory is there; where it is not, a thread begins it, and is to be asked for again."""
        if self._thread is None:
            calls = [call for ask in self._asked if (call := ask()) is not None]
            if not calls:
                return True
            self._thread = polite_thread(_all, calls, name="room")
        if self._thread.is_alive():
            return False
        self._thread = None
        return True


def _all(calls: Iterable[Callable[[], None]]) -> None:
    for call in calls:
        call()

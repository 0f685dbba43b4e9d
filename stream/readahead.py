"""Reading on in the background while the documents read are being learnt."""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Item = TypeVar("Item")

_GLANCE = 0.05
"""Seconds after which a full queue, or an empty one, is looked at again."""
_PATIENCE = 1.0
"""Seconds that a reader who stops waits for the thread: it may hang in a read of a pipe in which nothing comes."""


class ReadAhead(Generic[Item]):
    """The items of ``source``, up to ``depth`` of them read before they are asked for.

    An exception of the source comes at its place. Whoever stops early leaves nothing running: closing the
    iterator (or letting it go) ends the thread and closes the source's iterator. The name tables may run
    ahead of the batch in hand: count what a batch holds, not what the tables hold.

    >>> list(ReadAhead([1, 2, 3]))
    [1, 2, 3]
    """

    def __init__(self, source: Iterable[Item], depth: int = 3) -> None:
        self.source, self.depth = source, depth
        self._woken = False

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "source"), name)

    def wake(self) -> None:
        """End the iteration for whoever waits in it for an item, now or later; where one is ready it is given out.

        It takes no lock: a signal's handler may call it, in whatever its thread was interrupted.
        """
        self._woken = True

    def __iter__(self) -> Iterator[Item]:
        slots: queue.Queue[Item | BaseException | None] = queue.Queue(self.depth)
        stopped = threading.Event()
        thread = threading.Thread(target=_fill, args=(self.source, slots, stopped), name="readahead", daemon=True)
        try:
            thread.start()  # in here: a signal may come as soon as it runs
            while (item := self._next(slots)) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            stopped.set()
            if thread.ident is not None:
                thread.join(_PATIENCE)

    def _next(self, slots: queue.Queue[Item | BaseException | None]) -> Item | BaseException | None:
        while True:
            with contextlib.suppress(queue.Empty):
                return slots.get(timeout=_GLANCE)
            if self._woken:
                return None


def _fill(source: Iterable[Item], slots: queue.Queue[Item | BaseException | None], stopped: threading.Event) -> None:
    def put(item: Item | BaseException | None) -> bool:
        while not stopped.is_set():
            with contextlib.suppress(queue.Full):
                slots.put(item, timeout=_GLANCE)
                return True
        return False

    try:
        for item in source:
            if not put(item):
                return
    except BaseException as error:  # it belongs to whoever reads
        put(error)
    else:
        put(None)

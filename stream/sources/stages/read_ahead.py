"""Reading on in the background while the documents read are being learnt."""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import TYPE_CHECKING, Any

from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GLANCE = 0.05
"""Seconds after which a full queue, or an empty one, is looked at again."""
_PATIENCE = 1.0
"""Seconds that a reader who stops waits for the thread: it may hang in a read of a pipe in which nothing comes."""


class ReadAhead(Stage):
    """Reads up to ``depth`` items in a thread of its own before they are asked for.

    An exception of the source comes at its place. Whoever stops early leaves nothing running: closing the
    iterator (or letting it go) ends the thread and closes the source's iterator. The name tables may run
    ahead of the batch in hand: count what a batch holds, not what the tables hold.

    >>> list(ReadAhead()([1, 2, 3]))
    [1, 2, 3]
    """

    name = "read ahead"
    summary = "a queue: all above runs in a thread"

    def __init__(self, depth: int = 3) -> None:
        self.depth = depth
        self._woken = False

    def wake(self) -> None:
        """End the iteration for whoever waits in it for an item, now or later; where one is ready it is given out.

        It takes no lock: a signal's handler may call it, in whatever its thread was interrupted.
        """
        self._woken = True

    def __call__(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the items; the thread begins with the first that is asked for."""
        slots: queue.Queue[Any] = queue.Queue(self.depth)
        stopped = threading.Event()
        thread = threading.Thread(target=_fill, args=(items, slots, stopped), name="readahead", daemon=True)
        del items  # the thread's alone: it is closed there
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

    def _next(self, slots: queue.Queue[Any]) -> Any:
        while True:
            with contextlib.suppress(queue.Empty):
                return slots.get(timeout=_GLANCE)
            if self._woken:
                return None


def _fill(source: Iterable[Any], slots: queue.Queue[Any], stopped: threading.Event) -> None:
    def put(item: Any) -> bool:
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

"""A queue in the pipeline: a thread reads ahead while the run learns."""

from __future__ import annotations

import contextlib
import queue
import threading
import traceback
from typing import TYPE_CHECKING, Any

from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GLANCE = 0.05
"""Seconds between two looks at a full queue, or at an empty one."""
_PATIENCE = 1.0
"""Seconds to wait for the thread at the end: it may hang in a read of a pipe in which nothing comes."""


class ReadAhead(Stage):
    """Reads up to ``depth`` items ahead, in a thread of its own.

    An exception of the source is raised at its place. Closing the iterator, or dropping it, ends the thread and closes
    the source's iterator. The name tables may be ahead of the current batch: count what a batch holds, not what the
    tables hold.

    >>> list(ReadAhead()([1, 2, 3]))
    [1, 2, 3]
    """

    name = "read ahead"
    summary = "a queue: all above runs in a thread"

    def __init__(self, depth: int = 3) -> None:
        self.depth = depth
        self._woken = False

    def wake(self) -> None:
        """End the iteration when it next has to wait for an item; items that are ready still come.

        It takes no lock, so that a signal handler may call it at any moment.
        """
        self._woken = True

    def __call__(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the items; the thread starts when the first is taken."""
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

    if stopped.is_set():  # a signal came before the thread could be waited for
        return
    try:
        for item in source:
            if not put(item):
                return
    except BaseException as error:  # the reader raises it
        # Threads from which the source reads end here: one in native code at the end of Python would abort the process.
        traceback.clear_frames(error.__traceback__)
        put(error)
    else:
        put(None)

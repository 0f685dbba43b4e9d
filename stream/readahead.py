"""Reading on in the background while the documents read are being learnt."""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.batch import Batch
    from telex.stream.deadletter import DeadLetter
    from telex.stream.source import Source

    Slots = queue.Queue[Batch | DeadLetter | BaseException | None]

_GLANCE = 0.05
"""Seconds after which a full queue is looked at again."""
_PATIENCE = 1.0
"""Seconds that a reader who stops waits for the thread: it may hang in a read of a pipe in which nothing comes."""


class ReadAhead:
    """The items of ``source``, up to ``depth`` of them read before they are asked for.

    An exception of the source comes at its place. Whoever stops early leaves nothing running: closing the
    iterator (or letting it go) ends the thread and closes the source's iterator. The name tables may run
    ahead of the batch in hand: count what a batch holds, not what the tables hold.

    >>> list(ReadAhead([1, 2, 3]))
    [1, 2, 3]
    """

    def __init__(self, source: Source, depth: int = 3) -> None:
        self.source, self.depth = source, depth

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "source"), name)

    def __iter__(self) -> Iterator[Batch | DeadLetter]:
        slots: Slots = queue.Queue(self.depth)
        stopped = threading.Event()
        thread = threading.Thread(target=_fill, args=(self.source, slots, stopped), name="readahead", daemon=True)
        thread.start()
        try:
            while (item := slots.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            stopped.set()
            thread.join(_PATIENCE)


def _fill(source: Source, slots: Slots, stopped: threading.Event) -> None:
    def put(item: Batch | DeadLetter | BaseException | None) -> bool:
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

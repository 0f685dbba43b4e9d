"""A thread that carries out calls of others in its own priority."""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import Future, InvalidStateError
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class OwnThread:
    """Carries out calls one after another, in a thread that has the priority of the one which makes it.

    Unlike an executor's, the thread does not keep the process alive, and :meth:`close` does not wait for a call under
    way, which may wait for a broker: whoever has called then gets a :class:`concurrent.futures.CancelledError`.

    >>> own = OwnThread("own")
    >>> own.call(lambda: print(threading.current_thread().name))
    own
    >>> own.close()
    """

    def __init__(self, name: str) -> None:
        self._calls: SimpleQueue[tuple[Callable[[], None], Future[None]] | None] = SimpleQueue()
        self._last: Future[None] = Future()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def call(self, function: Callable[[], None]) -> None:
        """Have ``function`` called, and wait for it; raise its error."""
        future: Future[None] = Future()
        self._last = future
        self._calls.put((function, future))
        future.result()

    def close(self) -> None:
        """End the thread behind the call under way, for which nobody waits any more."""
        self._last.cancel()
        self._calls.put(None)

    def _work(self) -> None:
        while (work := self._calls.get()) is not None:
            function, future = work
            with contextlib.suppress(InvalidStateError):  # given up meanwhile
                try:
                    function()
                except BaseException as error:  # raised again in the thread that waits
                    future.set_exception(error)
                else:
                    future.set_result(None)

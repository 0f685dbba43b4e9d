"""Several reproductions at once, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from telex.adapters.reproductions.catalogue import titles
from telex.adapters.reproductions.made import Made, make_any
from telex.learners.base import end_with_parent, processors

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from multiprocessing.connection import Connection
    from multiprocessing.context import SpawnProcess

MOST = 4
"""So many at once at most: each may take a gigabyte, and some have threads of their own."""


def make_all(
    names: Iterable[str],
    data: str | os.PathLike[str],
    given: Mapping[str, int],
    progress: Callable[[str], None],
    processes: int | None = None,
) -> Iterator[Made]:
    """Make reproductions as :func:`make_any` does, ``processes`` at once, and yield them in the order of ``names``.

    By default there are as many as processors, up to MOST; a single one is this process itself. In others ``progress``
    is called too, so it must be one that can be pickled. A process that is killed costs its own reproduction alone, and
    figures of processor time are each their own process's.
    """
    processes = min(MOST, processors()) if processes is None else processes
    if processes < 2:
        yield from (make_any(name, data, given, progress) for name in names)
        return
    # Spawned, never forked: a fork copies locks that threads of a native library may hold.
    context = multiprocessing.get_context("spawn")
    order = list(names)
    waiting, made = deque(order), dict[str, Made]()
    running: dict[Connection[Any, Any], tuple[str, SpawnProcess]] = {}
    try:
        while order:
            while waiting and len(running) < processes:
                ours, theirs = context.Pipe(duplex=False)
                name = waiting.popleft()
                process = context.Process(target=_make, args=(theirs, name, data, given, progress), daemon=True)
                process.start()
                theirs.close()
                running[ours] = (name, process)
            for ended in wait(list(running)):
                name, process = running.pop(ended)  # type: ignore[call-overload]
                made[name] = _received(ended, name, process)
            while order and order[0] in made:
                yield made.pop(order.pop(0))
    finally:
        for _, process in running.values():
            process.kill()
            process.join()


def _received(ended: Any, name: str, process: SpawnProcess) -> Made:
    with ended:
        try:
            found: Made = ended.recv()
        except EOFError:
            process.join()
            why = f"its process ended with {process.exitcode}; make it by itself, with more memory"
            return Made(name=name, title=titles()[name], settings={}, failed=why)
    process.join()
    return found


def _make(
    connection: Connection[Any, Any],
    name: str,
    data: str | os.PathLike[str],
    given: Mapping[str, int],
    progress: Callable[[str], None],
) -> None:
    """Make one, and send it: the main function of another process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches this process too; the one that began it ends it
    end_with_parent()
    connection.send(make_any(name, data, given, progress))

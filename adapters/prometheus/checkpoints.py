"""How the checkpoints of a run go, as their folder and the thread that writes them tell."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from telex.adapters.prometheus.families import counter, gauge, histogram
from telex.adapters.prometheus.histogram import TASKS, Histogram

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from prometheus_client.metrics_core import Metric

    from telex.stream.checkpoints import Checkpoints


class _Writing(NamedTuple):
    """One that was begun: when, by which thread, and which was the newest then."""

    began: float
    thread: threading.Thread
    newest: int


class CheckpointCounts:
    """Times a checkpoint from when its thread begins with it to when its folder is whole.

    The copy of the state, for which the stream waits, comes before. A checkpoint is written when its thread has ended
    and there is one of a higher number; where there is none, it failed. Looked at when scraped: any thread may ask.
    """

    def __init__(self) -> None:
        self._folder: Checkpoints | None = None
        self._writing: _Writing | None = None
        self._lock = threading.Lock()
        self._seconds = Histogram(TASKS)
        self._failures = 0
        self._size: tuple[int, int] = (0, 0)

    def begin(self, checkpoints: Checkpoints | None) -> None:
        """Follow these."""
        self._folder = checkpoints

    def writing(self) -> None:
        """Be told by the thread that writes one that it begins."""
        if self._folder is None:
            return
        with self._lock:
            self._settle()
            self._writing = _Writing(time.time(), threading.current_thread(), _newest(self._folder))

    def families(self) -> Iterator[Metric]:
        """Yield all of it."""
        with self._lock:
            if self._writing is not None and not self._writing.thread.is_alive():
                self._settle()
            written, size = self._newest()
            yield histogram(
                "telex_checkpoint_duration_seconds",
                "What the writing of a checkpoint took, in a thread beside the stream.",
                self._seconds,
            )
            yield counter("telex_checkpoint_failures_total", "Checkpoints that were not written.", self._failures)
        yield gauge(
            "telex_checkpoint_last_success_timestamp_seconds", "When the newest checkpoint was written.", written
        )
        yield gauge("telex_checkpoint_size_bytes", "The size of the newest checkpoint, of all its files.", size)

    def _settle(self) -> None:
        """Count what was begun, and has ended."""
        if self._folder is None or self._writing is None:
            return
        one, self._writing = self._writing, None
        newest = _newest(self._folder)
        if newest > one.newest:
            self._seconds.observe(max(0.0, _written(self._folder.path(newest)) - one.began))
        else:
            self._failures += 1

    def _newest(self) -> tuple[float | None, float | None]:
        """Return when the newest was written, and how large it is."""
        while self._folder is not None and (number := _newest(self._folder)):
            try:
                path = self._folder.path(number)
                if self._size[0] != number:
                    self._size = number, sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
                return _written(path), self._size[1]
            except FileNotFoundError:  # so slow was this look that newer ones have taken its place
                continue
        return None, None


def _newest(checkpoints: Checkpoints) -> int:
    return max(checkpoints.numbers(), default=0)


def _written(path: Path) -> float:
    """Return when the folder got its name: a file system notes that for the folder, but not in its contents."""
    return path.stat().st_ctime

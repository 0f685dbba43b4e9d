"""Metrics of a run's checkpoints, from their folder and from the thread that writes them."""

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
    """A checkpoint that a thread writes: since when, the thread, and the number of the newest checkpoint then."""

    began: float
    thread: threading.Thread
    newest: int


class CheckpointCounts:
    """Measures a checkpoint from when its thread begins to write until its folder is complete.

    The copy of the state, for which the stream waits, comes before that. A checkpoint is written when its thread has
    ended and there is one with a higher number; if there is none, it failed. All this is found out at a scrape, in any
    thread.
    """

    def __init__(self) -> None:
        self._folder: Checkpoints | None = None
        self._writing: _Writing | None = None
        self._lock = threading.Lock()
        self._seconds = Histogram(TASKS)
        self._failures = 0
        self._size: tuple[int, int] = (-1, 0)

    def begin(self, checkpoints: Checkpoints | None) -> None:
        """Follow these checkpoints."""
        self._folder = checkpoints

    def writing(self) -> None:
        """Note that a checkpoint begins; the thread that writes it calls this."""
        if self._folder is None:
            return
        with self._lock:
            self._settle()
            self._writing = _Writing(time.time(), threading.current_thread(), _newest(self._folder))

    def families(self) -> Iterator[Metric]:
        """Yield all metrics of checkpoints."""
        with self._lock:
            if self._writing is not None and not self._writing.thread.is_alive():
                self._settle()
            written, size = self._newest()
            yield histogram(
                "telex_checkpoint_duration_seconds",
                "How long writing a checkpoint took, in a thread beside the stream.",
                self._seconds,
            )
            yield counter("telex_checkpoint_failures_total", "Checkpoints that were not written.", self._failures)
        yield gauge(
            "telex_checkpoint_last_success_timestamp_seconds", "When the newest checkpoint was written.", written
        )
        yield gauge("telex_checkpoint_size_bytes", "The total size of the files of the newest checkpoint.", size)
        yield counter(
            "telex_checkpoints_damaged_total",
            "Damaged checkpoints that the run, each time it resumed, has passed over since it began.",
            0 if self._folder is None else self._folder.damaged,
        )

    def _settle(self) -> None:
        """Count a checkpoint whose thread has ended."""
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
        while self._folder is not None and (number := _newest(self._folder)) >= 0:
            try:
                path = self._folder.path(number)
                if self._size[0] != number:
                    self._size = number, sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
                return _written(path), self._size[1]
            except FileNotFoundError:  # newer ones replaced it while we looked
                continue
        return None, None


def _newest(checkpoints: Checkpoints) -> int:
    return max(checkpoints.numbers(), default=-1)


def _written(path: Path) -> float:
    """Return when the folder got its name: the file system records that for the folder, not for its files."""
    return path.stat().st_ctime

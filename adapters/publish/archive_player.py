"""Plays an archive: reads its documents and writes them to a target, as fast as a pace allows."""

from __future__ import annotations

import math
import queue
import sys
import time
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from telex.adapters.terminal import SHOWN_LETTERS, console, many
from telex.learners.base import BrokenRecordError
from telex.stream.sources import Archive, DeadLetter, Stories, StoryBuilder, as_archive
from telex.stream.sources.stages import ReadAhead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TextIO

    from telex.adapters.publish.pace import Pace
    from telex.learners.base import Batch
    from telex.stream.sources import CutStories

_GLANCE = 0.1
"""The longest wait in seconds, before signals and the target get their turn."""


class Target(Protocol):
    """A place that documents are written to: a file, or topics of Kafka."""

    path: str

    def write(self, documents: Stories | CutStories | Batch) -> None:
        """Write all of the documents, or raise an error and write none.

        Raise UnicodeEncodeError for a text that is not Unicode, BrokenRecordError for a document that cannot be written
        for another reason. The caller then writes the documents one by one, and leaves out those that are refused.
        """
        ...

    def wait(self, until: float) -> None:
        """Note that there is no document yet, and that the event time is ``until``, NaN if unknown."""
        ...

    def finish(self) -> None:
        """Write what comes after the last document, such as labels that are late."""
        ...

    def counts(self) -> dict[str, int]:
        """Return the target's own counts, by name."""
        ...


class Awaited(Archive):
    """Reads an archive ahead; yields empty batches while there is no document yet, so the reader is not blocked."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self.title, self.live, self.files = archive.title, archive.live, archive.files

    def __iter__(self) -> Iterator[Any]:
        return _Awaiting()(self._archive)

    @property
    def share_read(self) -> float | None:
        """How much of the archive is read, from 0 to 1; None if unknown."""
        return self._archive.share_read


class _Awaiting(ReadAhead):
    def _next(self, slots: queue.Queue[Any]) -> Any:
        try:
            return slots.get(timeout=_GLANCE)
        except queue.Empty:
            return None if self._woken else StoryBuilder().take()


class Publishing:
    """Writes the documents of ``archive`` to ``target``, and shows progress on ``stream`` (standard error).

    A broken record is counted and shown; with ``strict`` the first raises a BrokenRecordError.
    """

    def __init__(
        self,
        archive: Iterable[Any],
        target: Target,
        *,
        limit: int | None = None,
        strict: bool = False,
        pace: Pace | None = None,
        stream: TextIO | None = None,
    ) -> None:
        self.archive, self.target = as_archive(archive), target
        self.limit, self.strict, self.pace = limit, strict, pace
        self.stopping = False
        self.stream = stream or sys.stderr
        self.documents = self.dead_letters = 0
        self.seconds = 0.0

    def run(self) -> dict[str, Any]:
        """Publish all; return the counts."""
        started = time.perf_counter()
        for _ in self._watched():
            self.seconds = time.perf_counter() - started
        if not self.stopping:
            self.target.finish()
            self.seconds = time.perf_counter() - started
        return self.summary()

    def stop(self) -> bool:
        """End before the next document, without ``finish``; return False, because it notices soon."""
        self.stopping = True
        return False

    def summary(self) -> dict[str, Any]:
        """Return the counts so far."""
        return {
            "documents": self.documents,
            "seconds": self.seconds,
            "docs_per_second": self.documents / self.seconds if self.seconds else None,
            "dead_letters": self.dead_letters,
            "out": self.target.path,
            **self.target.counts(),
        }

    def last_words(self) -> str:
        """Return a sentence that sums up the publishing."""
        speed = self.documents / self.seconds if self.seconds else 0
        where = "standard output" if self.target.path == "-" else self.target.path
        words = f"{many(self.documents, 'document')} to {where} in {self.seconds:.1f} s ({speed:,.0f} a second)"
        if self.dead_letters:
            words += f"; {many(self.dead_letters, 'broken record')} left out"
        return words + ("; stopped; --resume continues there" if self.stopping else "")

    def _steps(self) -> Iterator[None]:
        for item in self.archive:
            if isinstance(item, DeadLetter):
                self._bury(item)
            elif len(item):
                left = len(item) if self.limit is None else min(len(item), self.limit - self.documents)
                yield from self._paced(item if left == len(item) else item.rows(0, left))
            else:
                self.target.wait(self.pace.event_time if self.pace else math.nan)
            yield
            if self.stopping or self.documents == self.limit:
                return

    def _paced(self, documents: Stories | CutStories | Batch) -> Iterator[None]:
        start = 0
        while start < len(documents) and not self.stopping:
            times = documents.times[start:]
            count, seconds = self.pace.due(times) if self.pace else (len(times), 0.0)
            if count:
                part = documents.rows(start, start + count) if count < len(documents) else documents
                self._write(part)
                start += count
                if self.pace:
                    self.pace.passed(times[:count])
            else:
                time.sleep(min(seconds, _GLANCE))
                # Now only what comes before the next document may follow.
                until = self.pace.event_time if self.pace else math.nan
                self.target.wait(float(np.minimum(until, times[0])))
            yield

    def _write(self, documents: Stories | CutStories | Batch) -> None:
        try:
            self.target.write(documents)
        except (UnicodeEncodeError, BrokenRecordError) as error:
            if len(documents) > 1:
                for row in range(len(documents)):
                    self._write(documents.rows(row, row + 1))
                return
            raw = documents.texts[0].encode("utf-8", "surrogatepass") if isinstance(documents, Stories) else b""
            why = str(error) if isinstance(error, BrokenRecordError) else "holds what is no Unicode"
            reason = f"document {documents.ids[0]!r} {why}"
            self._bury(DeadLetter(raw, self.archive.title, None, None, "publish", reason))
        else:
            self.documents += len(documents)

    def _bury(self, letter: DeadLetter) -> None:
        if self.strict:
            raise BrokenRecordError(f"{letter}; mend the record, or leave out --strict to skip broken ones")
        self.dead_letters += 1
        if self.dead_letters <= SHOWN_LETTERS:
            print(f"broken record: {letter}", file=self.stream)
        if self.dead_letters == SHOWN_LETTERS:
            print("more broken records are only counted", file=self.stream)

    def _watched(self) -> Iterator[None]:
        if not self.stream.isatty():
            yield from self._steps()
            return
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

        columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
        with Progress(*columns, console=console(self.stream), transient=True) as bar:
            task = bar.add_task("", total=1.0)
            for step in self._steps():
                share = self.documents / self.limit if self.limit else self.archive.share_read
                speed = f", {self.documents / self.seconds:,.0f} a second" if self.seconds else ""
                bar.update(task, completed=share or 0.0, description=f"{self.documents:,} documents{speed}")
                yield step

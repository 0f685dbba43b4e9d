"""The loop: read, predict, be told, be scored, learn."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Literal

from telex.learners.errors import BrokenRecordError, UsageError
from telex.learners.losses import LOSSES, judge
from telex.learners.predictions import Events
from telex.stream.boundary import Boundary, boundary
from telex.stream.curves import Curve, names_of
from telex.stream.deadletter import DeadLetter
from telex.stream.labels import label_table
from telex.stream.part import Part
from telex.stream.schedule import Points, check_points, next_point

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from telex.learners.arrays import Offsets, Reals
    from telex.learners.batch import Batch
    from telex.learners.learner import Learner
    from telex.learners.losses import Loss
    from telex.stream.point import Point
    from telex.stream.sink import Sink
    from telex.stream.source import Source

_SCORES_AT_ONCE = 16_000_000
"""How many scores a learner may hold for a stretch of documents: with many labels, stretches are shorter."""


class Stop(BaseException):
    """Raised while a source is waited for, by a signal's handler say, it ends the run in order."""


class Run:
    """Learners that go through a stream side by side, as an iterator over the points of their curves.

    Each document is predicted, scored and only then learnt, by one learner after the other; a document
    without an answer is predicted and counted. ``window`` is the number of scored documents of the sliding
    figures, ``points`` is ``"geometric"`` or every so many documents (the last always has one),
    ``test_after`` (``DATE``, ``id:X`` or ``n:N``) ends what is learnt: later documents only test. With
    ``epochs`` the stream is read so many times. ``limit`` is the number of documents of a pass. A record that
    cannot be read goes to the sinks, or stops the run where it is ``strict``.

    Whatever the batches of the source, curves and sums are the same to the bit.

    >>> from telex.learners import MMP
    >>> from telex.learners.batch import BatchBuilder
    >>> stream = BatchBuilder()
    >>> stream.add({"cup": 1.0}, ["sport"])
    >>> stream.add({"tariff": 1.0}, ["trade"])
    >>> stream.add({"cup": 1.0}, ["sport"])
    >>> run = Run([stream.take()], {"mmp": MMP()})
    >>> [(point.documents, point.learners["mmp"]["iserr"]) for point in run]
    [(1, 0.0), (2, 0.5), (3, 0.6666666666666666)]
    >>> run.summary()["learners"]["mmp"]["docs"]
    3
    """

    def __init__(
        self,
        source: Source | Iterable[Batch | DeadLetter],
        learners: Mapping[str, Learner],
        *,
        losses: Mapping[str, Loss] | Iterable[Loss] = LOSSES,
        window: int = 1000,
        points: Points = "geometric",
        sinks: Iterable[Sink] = (),
        test_after: str | Boundary | None = None,
        epochs: int = 1,
        limit: int | None = None,
        strict: bool = False,
    ) -> None:
        self.source = source
        self.learners = dict(learners)
        self.losses = tuple(losses.values() if hasattr(losses, "values") else losses)
        self.names = names_of(self.losses)
        self.window = window
        self.points = check_points(points)
        self.sinks = tuple(sinks)
        self.boundary = boundary(test_after) if isinstance(test_after, str) else test_after
        self.epochs = epochs
        self.limit = limit
        self.strict = strict
        self.dead_letters = 0
        self.finished = False
        self._exhausted = False
        self.reading = False
        self._check()
        if prepare := getattr(source, "prepare", None):
            prepare(self.boundary)
        self._parts: list[Part] = []
        self._begin_part("train", 1)
        self._stopping = False
        self._started = self._ended = 0.0
        self._going = self._go()

    def __iter__(self) -> Iterator[Point]:
        return self

    def __next__(self) -> Point:
        return next(self._going)

    def stop(self) -> None:
        """End the run before its next document, in order: a last point, a summary, sinks closed."""
        self._stopping = True

    def close(self) -> None:
        """Leave the run where it stands: sinks are closed, without a summary."""
        self._going.close()

    @property
    def documents(self) -> int:
        """The number of documents read, in all passes."""
        return sum(part.documents for part in self._parts)

    @property
    def curves(self) -> dict[str, dict[str, Reals | Offsets]]:
        """Each learner's curve over the first training pass: columns of plain arrays, NaN where undefined.

        ``pandas.DataFrame(run.curves["mmp"])`` is a table of it.
        """
        return {name: curve.table() for name, curve in self._parts[0].curves.items()}

    def labels(self, name: str) -> dict[str, Any]:
        """Return a learner's counts per label over the first training pass, as columns."""
        return label_table(self._parts[0], self._parts[0].curves[name])

    def summary(self) -> dict[str, Any]:
        """Return the counts and cumulative figures so far: plain numbers, None where undefined."""
        first_pass = [part for part in self._parts if part.epoch == 1]
        documents = sum(part.documents for part in first_pass)
        summary: dict[str, Any] = {
            "documents": documents,
            "seconds": self.seconds,
            "docs_per_second": self.documents / self.seconds if self.seconds else None,
            "labels": max(len(learner.labels) for learner in self.learners.values()),
            "features": max(part.features for part in first_pass),
            "dead_letters": self.dead_letters,
            "unlabelled": sum(part.unlabelled for part in first_pass),
            "pending": 0,
            "duplicates": self._duplicates(documents),
            "learners": self._parts[0].so_far(self.learners),
        }
        tests = [part for part in self._parts if part.name == "test"]
        if tests:
            summary["test"] = tests[-1].so_far(self.learners)
        if self.epochs > 1:
            keys = {"train": "learners", "test": "test"}
            summary["epochs"] = [
                {keys[part.name]: part.so_far(self.learners) for part in self._parts if part.epoch == epoch}
                for epoch in range(1, self.part.epoch + 1)
            ]
        return summary

    def _duplicates(self, documents: int) -> int:
        """Return how many were told before, of what this run has gone through: a source may have read on."""
        count = getattr(self.source, "duplicates", None)
        return 0 if count is None else int(count(None if self._exhausted else documents))

    @property
    def seconds(self) -> float:
        """The time since the first document was asked for, until the end of the run."""
        return (self._ended or time.perf_counter()) - self._started if self._started else 0.0

    def _go(self) -> Generator[Point, None, None]:
        self._started = time.perf_counter()
        with ExitStack() as ending:
            for sink in self.sinks:
                ending.callback(sink.close)
                sink.begin(self)
            for epoch in range(1, self.epochs + 1):
                if epoch > 1:
                    self._begin_part("train", epoch)
                yield from self._pass()
                if self._stopping:
                    break
            self._ended = time.perf_counter()
            self.finished = not self._stopping
            for sink in self.sinks:
                sink.end(self.summary())

    def _pass(self) -> Iterator[Point]:
        left = self.limit
        for item in self._items():
            if isinstance(item, DeadLetter):
                self._bury(item)
                continue
            batch = item if left is None else item.rows(0, min(left, len(item)))
            if (end := self._end_of_training(batch)) is not None:
                yield from self._take(batch.rows(0, end))
                if not self._stopping:
                    yield from self._last_point()
                    self._begin_part("test", self.part.epoch)
                    batch = batch.rows(end, len(batch))
            yield from self._take(batch)
            if left is not None and (left := left - len(item)) <= 0:
                break
        yield from self._last_point()
        if self.boundary and self.part.name == "train" and not self._stopping:
            raise UsageError(self.boundary.missed())

    def _items(self) -> Iterator[Batch | DeadLetter]:
        items = iter(self.source)
        try:
            while not self._stopping:
                self.reading = True
                item = next(items, None)
                self.reading = False
                if item is None:
                    self._exhausted = True
                    return
                yield item
        except Stop:
            self._stopping = True
        finally:
            self.reading = False
            if hasattr(items, "close"):
                items.close()

    def _take(self, batch: Batch) -> Iterator[Point]:
        row = 0
        while row < len(batch) and not self._stopping:
            following = next_point(self.points, self.part.documents)
            known = max(len(learner.labels) for learner in self.learners.values())
            stretch = min(following - self.part.documents, max(1, _SCORES_AT_ONCE // max(1, known)))
            piece = batch.rows(row, min(row + stretch, len(batch)))
            row += len(piece)
            self._step(piece)
            if self.part.documents == following:
                yield self._point()

    def _step(self, batch: Batch) -> None:
        part = self.part
        part.read(batch)
        for name, learner in self.learners.items():
            predictions = learner.progress(Events(batch)) if part.name == "train" else learner.scores(batch)
            judged = judge(predictions, batch)
            part.curves[name].add(judged)
            if part.epoch == (1 if part.name == "train" else self.epochs):
                for sink in self.sinks:
                    sink.predicted(name, predictions, batch, judged)

    def _point(self) -> Point:
        point = self.part.point(self.learners)
        for sink in self.sinks:
            sink.point(point)
        self._pointed = point.documents
        return point

    def _last_point(self) -> Iterator[Point]:
        if self.part.documents > self._pointed:
            yield self._point()

    def _end_of_training(self, batch: Batch) -> int | None:
        if self.boundary is None or self.part.name == "test":
            return None
        return self.boundary.training_rows(batch, self.part.documents)

    def _begin_part(self, name: Literal["train", "test"], epoch: int) -> None:
        self.part = Part(name, epoch, {name: Curve(self.losses, self.window) for name in self.learners})
        self._parts.append(self.part)
        self._pointed = 0

    def _bury(self, letter: DeadLetter) -> None:
        if self.part.epoch > 1:
            return
        self.dead_letters += 1
        for sink in self.sinks:
            sink.dead(letter)
        if self.strict:
            raise BrokenRecordError(f"{letter}; mend the record, or set broken records aside by leaving out strict")

    def _check(self) -> None:
        if not self.learners:
            raise UsageError("a run needs a learner; try {'mmp': MMP()}")
        for what, value in {"window": self.window, "epochs": self.epochs, "limit": self.limit}.items():
            if value is not None and value < 1:
                raise UsageError(f"{what} must be at least 1, not {value}")
        twice = {name for name in self.names if self.names.count(name) > 1}
        if twice:
            raise UsageError(f"two losses have the name {min(twice)!r}; give one another name")

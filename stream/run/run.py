"""The loop: read, predict, be told, be scored, learn."""

from __future__ import annotations

import time
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from telex.learners.base import BatchBuilder, BrokenRecordError, UsageError, span
from telex.learners.losses import LOSSES
from telex.stream.curves import Curve, label_table, names_of
from telex.stream.delayed_labels import Late
from telex.stream.monitor import Watching
from telex.stream.run.explain import explain
from telex.stream.run.point_schedule import Points, check_points, next_point
from telex.stream.run.run_state import Saving, load, place_of
from telex.stream.run.section import Part
from telex.stream.run.source_reader import Reading
from telex.stream.run.step import at_once, check, learn, step
from telex.stream.run.summary import summary
from telex.stream.sources import Arrivals, DeadLetter, Position, as_source, boundary

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator, Mapping

    from telex.learners import Learner
    from telex.learners.base import Batch, Offsets, Reals
    from telex.learners.losses import Loss
    from telex.stream.checkpoints import Checkpoints
    from telex.stream.curves import Point
    from telex.stream.delayed_labels import Lateness
    from telex.stream.monitor import Champion, DriftSettings
    from telex.stream.run.explain import PipelineStep
    from telex.stream.run.sink import Sink
    from telex.stream.sources import Boundary, Source


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
    >>> from telex.learners.base import BatchBuilder
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
        source: Source | Iterable[Batch | Arrivals[Batch] | DeadLetter],
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
        lateness: Lateness | None = None,
        checkpoints: Checkpoints | None = None,
        checkpoint_every: int | str = "5m",
        drift: str | DriftSettings | None = None,
        champion: str | Champion | None = None,
    ) -> None:
        self.source = as_source(source)
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
        self.lateness = lateness
        self.dead_letters = self.learnt = 0
        self.finished = False
        check(self)
        self.reading = Reading(self.source, self.boundary, limit, marks=checkpoints is not None, strict=strict)
        self.watching = Watching(self.learners, self.losses, drift, champion)
        self.saving = Saving(self, checkpoints, span("checkpoint-every", checkpoint_every)) if checkpoints else None
        self.parts: list[Part] = []
        self.late = Late(lateness) if lateness else None
        self.end_at: int | None = None
        self.before = 0.0
        self.exhausted = self.stopping = self._cut_short = False
        self._started = self._ended = 0.0
        self.tables = BatchBuilder().take()
        self._begin_part("train", 1)
        self._going = self._go()

    def __iter__(self) -> Iterator[Point]:
        return self

    def __next__(self) -> Point:
        return next(self._going)

    def stop(self) -> bool:
        """End the run before its next document, in order: a last point, a summary, sinks closed.

        With checkpoints the last is written, for which what the source has read ahead is still learnt. Returned is
        whether the run waits for its source and cannot hear of it: then :class:`Stop` may be raised.
        """
        self.stopping = True
        self.reading.end()
        return self.reading.waiting

    def close(self) -> None:
        """Leave the run where it stands: sinks are closed, without a summary."""
        self._going.close()

    @property
    def documents(self) -> int:
        """The number of documents read, in all passes."""
        return sum(part.documents for part in self.parts)

    @property
    def curves(self) -> dict[str, dict[str, Reals | Offsets]]:
        """Each learner's curve over the first training pass: columns of plain arrays, NaN where undefined.

        ``pandas.DataFrame(run.curves["mmp"])`` is a table of it.
        """
        return {name: curve.table() for name, curve in self.parts[0].curves.items()}

    def new_curves(self) -> dict[str, Curve]:
        """Return a curve for each learner, as yet without a point."""
        return {name: Curve(self.losses, self.window) for name in self.learners}

    @property
    def feature_names(self) -> list[Any]:
        """The names of the features met so far, by id."""
        return list(islice(self.tables.feature_names, max(part.features for part in self.parts)))

    def resume(self) -> None:
        """Go on from the newest checkpoint; call it before the first document is asked for."""
        if self.saving is None:
            raise UsageError("a run goes on from its checkpoints; give it checkpoints=Checkpoints(FOLDER)")
        path, state = self.saving.checkpoints.newest()
        load(self, state)
        for sink in self.sinks:
            sink.resumed(int(path.name), place_of(state))

    def labels(self, name: str) -> dict[str, Any]:
        """Return a learner's counts per label over the first training pass, as columns."""
        return label_table(self.parts[0], self.parts[0].curves[name])

    def summary(self) -> dict[str, Any]:
        """Return the counts and cumulative figures so far: plain numbers, None where undefined."""
        return summary(self)

    def explain(self) -> list[PipelineStep]:
        """Return what a document passes, from its source to the sinks, each step with its thread; nothing is read."""
        return explain(self)

    @property
    def seconds(self) -> float:
        """The time since the first document was asked for, until the end of the run; of all its lives together."""
        return self.before + ((self._ended or time.perf_counter()) - self._started if self._started else 0.0)

    # -- the way through the stream

    def _go(self) -> Generator[Point, None, None]:
        self._started = time.perf_counter()
        with ExitStack() as ending:
            for sink in self.sinks:
                ending.callback(sink.close)
                sink.begin(self)
            if self.saving:
                ending.callback(self.saving.close)
            while not self.finished:
                yield from self._pass()
                last = self.part.epoch == self.epochs
                self.finished = last and not (self.stopping and self._cut_short)
                # A pass that was cut short has been saved as it stood, with what was still due.
                if self.saving and not self._cut_short and (last or self.stopping):
                    self.saving.last()
                if last or self.stopping:
                    break
                self.watching.begin_pass()
                self._begin_part("train", self.part.epoch + 1)
            self._ended = time.perf_counter()
            for sink in self.sinks:
                sink.end(self.summary())

    def _pass(self) -> Iterator[Point]:
        for item in self._items():
            if isinstance(item, Position):
                if self.saving:
                    self.saving.marked()
                continue
            if isinstance(item, DeadLetter):
                self._bury(item)
                continue
            exchange = item if isinstance(item, Arrivals) else Arrivals(item)
            if (end := self._end_of_training(exchange.documents)) is not None:
                yield from self._take(exchange.rows(0, end))
                if not self._halted:
                    yield from self._end_part(last=False)
                    self._begin_part("test", self.part.epoch)
                    exchange = exchange.rows(end, len(exchange))
            yield from self._take(exchange)
        # The next pass of a live source follows on this one.
        self._cut_short = self.stopping or self.reading.documents == self.limit or self.source.info.live
        if self._cut_short and self.saving and (self.stopping or self.part.epoch == self.epochs):
            self.saving.last()
        yield from self._end_part(last=True)
        if self.boundary and self.part.name == "train" and not self.stopping:
            raise UsageError(self.boundary.missed())

    def _items(self) -> Generator[Batch | Arrivals[Batch] | DeadLetter | Position, None, None]:
        items = self.reading.__iter__()
        try:
            while not self._halted and (item := next(items, None)) is not None:
                yield item
            self.exhausted = not self.stopping
        except Stop:
            self.stopping = True
        finally:
            items.close()

    @property
    def _halted(self) -> bool:
        """Whether no document more is to be taken: where the source tells its place, it ends the pass itself."""
        return self.stopping and not self.reading.marks

    def _take(self, exchange: Arrivals[Batch]) -> Iterator[Point]:
        row = 0
        while (row < len(exchange) or (len(exchange.answers) and not len(exchange))) and not self._halted:
            following = next_point(self.points, self.part.documents)
            stretch = min(following - self.part.documents, at_once(self))
            piece = exchange.rows(row, min(row + stretch, len(exchange)))
            row += len(piece)
            step(self, piece)
            if self.part.documents == following and len(piece):
                yield self._point()
            if self.saving:
                self.saving.passed()
            if not len(exchange):
                return
        if self.saving and not len(exchange):
            self.saving.passed()

    def _point(self) -> Point:
        point = self.part.point(self.learners)
        for sink in self.sinks:
            sink.point(point)
        self.pointed = point.documents
        return point

    def _end_part(self, *, last: bool) -> Iterator[Point]:
        """Let the answers come that are still due, and note the last point."""
        # Stopped, a run leaves due what is due; but what is still learnt on the way to its end goes as ever.
        if self.late and not (self.stopping and (last or self._halted)):
            for work in self.late.flush(self.tables):
                learn(self, work)
            self.late.drop(answers=last)
        if self.part.documents > self.pointed:
            yield self._point()

    def _end_of_training(self, batch: Batch) -> int | None:
        if self.boundary is None or self.part.name == "test":
            return None
        if self.end_at is None and (rows := self.boundary.training_rows(batch, self.part.documents)) is not None:
            self.end_at = self.part.documents + rows
        return None if self.end_at is None else self.end_at - self.part.documents

    def _begin_part(self, name: Literal["train", "test"], epoch: int) -> None:
        start = self.late.base if self.late else 0
        self.part = Part(name, epoch, self.new_curves(), start=start)
        self.parts.append(self.part)
        self.pointed = 0
        self.end_at = None

    def _bury(self, letter: DeadLetter) -> None:
        if self.part.epoch > 1:
            return
        if self.strict and self.saving and self.documents:
            self.saving.before(letter)
        self.dead_letters += 1
        for sink in self.sinks:
            sink.dead(letter)
        if self.strict:
            raise BrokenRecordError(f"{letter}; mend the record, or set broken records aside by leaving out strict")

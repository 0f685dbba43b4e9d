"""The loop of a run: read, step, point, commit; the end of a section, the end of a pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.base import BrokenRecordError, UsageError
from telex.stream.run.point_schedule import next_point
from telex.stream.sources import REVISED, SOUND, Arrivals, DeadLetter, Position

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from telex.learners.base import Batch
    from telex.stream.curves import Point
    from telex.stream.run.commit import Commit
    from telex.stream.run.run_state import RunState
    from telex.stream.run.sink import Sink
    from telex.stream.run.source_reader import SourceReader
    from telex.stream.run.stepper import Stepper


class Stop(BaseException):
    """Ends the run in order, when it is raised while the run waits for its source: by a signal handler, say."""


class Loop:
    """Takes a run through its source, pass by pass."""

    def __init__(
        self, state: RunState, reader: SourceReader, stepper: Stepper, commit: Commit | None, sinks: Sequence[Sink]
    ) -> None:
        self._settings, self._state = state.settings, state
        self._reader, self._stepper, self._commit, self._sinks = reader, stepper, commit, sinks

    def passes(self) -> Iterator[Point]:
        """Yield the points of all passes, until the last one ends or the run is stopped."""
        state = self._state
        while not state.finished:
            cut_short = yield from self._pass()
            last = state.section.epoch == self._settings.epochs
            state.finished = last and not (state.stopping and cut_short)
            if self._commit and not cut_short and (last or state.stopping):
                self._commit.last()
            if last or state.stopping:
                return
            state.monitors.begin_pass()
            state.begin_section("train", state.section.epoch + 1)

    def _pass(self) -> Generator[Point, None, bool]:
        """Read the source once; return whether the pass may have more documents, because the run was stopped, say."""
        state = self._state
        for item in self._items():
            if isinstance(item, Position):
                if self._commit:
                    self._commit.at_position()
            elif isinstance(item, DeadLetter):
                self._count_dead_letter(item)
            else:
                yield from self._learn(item if isinstance(item, Arrivals) else Arrivals(item))
        if state.tree_labels is not None and not (state.stopping or self._reader.live):
            state.tree_labels.check_end()
        at_limit = state.progress.pass_documents == self._settings.limit
        cut_short = state.stopping or at_limit or self._reader.live
        if cut_short and self._commit and (state.stopping or state.section.epoch == self._settings.epochs):
            self._commit.last()  # with the answers that are still due: the run may resume from here
        elif self._commit and state.section.epoch == self._settings.epochs:
            state.note_end(self._sinks)
        yield from self._end_section(end_of_pass=True)
        if self._settings.boundary and state.section.name == "train" and not state.stopping:
            raise UsageError(self._settings.boundary.missed())
        return cut_short

    def _items(self) -> Iterator[Batch | Arrivals[Batch] | DeadLetter | Position]:
        items = iter(self._reader)
        try:
            while not self._halted and (item := next(items, None)) is not None:
                yield item
            self._state.exhausted = not self._state.stopping
        except Stop:
            self._state.stopping = True
        finally:
            items.close()

    @property
    def _halted(self) -> bool:
        """Whether to learn no more documents; a source with positions ends the pass itself, at a position."""
        return self._state.stopping and not self._reader.positions

    def _learn(self, arrivals: Arrivals[Batch]) -> Iterator[Point]:
        """Learn the arrivals up to the end of training; the test begins with the rest."""
        end = self._end_of_training(arrivals.documents)
        if end is not None:
            yield from self._steps(arrivals.rows(0, end))
            if self._halted:
                return
            yield from self._end_section(end_of_pass=False)
            self._state.begin_section("test", self._state.section.epoch)
            arrivals = arrivals.rows(end, len(arrivals))
        yield from self._steps(arrivals)

    def _end_of_training(self, batch: Batch) -> int | None:
        section, boundary = self._state.section, self._settings.boundary
        if boundary is None or section.name == "test":
            return None
        if section.ends_at is None and (rows := boundary.training_rows(batch, section.documents)) is not None:
            section.ends_at = section.documents + rows
        return None if section.ends_at is None else section.ends_at - section.documents

    def _steps(self, arrivals: Arrivals[Batch]) -> Iterator[Point]:
        """Step from point to point; arrivals without documents bring answers alone, or only let time pass."""
        section, row = self._state.section, 0
        if not len(arrivals):
            if len(arrivals.answers) and not self._halted:
                self._stepper.step(arrivals)
            if self._commit:
                self._commit.after_step()
        while row < len(arrivals) and not self._halted:
            following = next_point(self._settings.points, section.documents)
            stop = min(row + following - section.documents, len(arrivals))
            end = self._stepper.end_of_step(arrivals.documents, row, stop)
            self._stepper.step(arrivals.rows(row, end))
            row = end
            if section.documents == following:
                yield self._point()
            if self._commit:
                self._commit.after_step()

    def _point(self) -> Point:
        point = self._state.section.point(self._settings.learners)
        for sink in self._sinks:
            sink.point(point)
        return point

    def _end_section(self, *, end_of_pass: bool) -> Iterator[Point]:
        """Learn the answers that are still due, and make the last point; a stopped run leaves them due."""
        state, queue = self._state, self._state.delay_queue
        # A stopped run reads on to its position: a section that ends before it is learnt as usual.
        if queue and not (state.stopping and (end_of_pass or self._halted)):
            self._stepper.flush()
            queue.drop(answers=end_of_pass)
        if state.section.documents > state.section.last_point:
            yield self._point()

    def _count_dead_letter(self, letter: DeadLetter) -> None:
        """Give a record that could not be read to the sinks; only in the first pass, as later ones bring the same."""
        state, first_pass = self._state, self._state.section.epoch == 1
        ends = first_pass and self._settings.strict and letter.stage not in SOUND
        if ends and self._commit and state.progress.documents:
            self._commit.last()  # the letter is not counted yet: a run whose record is mended resumes before it
        state.progress.count_letter(first_pass=first_pass, revised=letter.stage == REVISED)
        if first_pass:
            for sink in self._sinks:
                sink.dead_letter(letter)
        if ends:
            raise BrokenRecordError(f"{letter}; mend the record, or leave out strict, to go on without broken records")

"""Answers from a file of their own, among the documents that they are about."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
import numpy as np

from telex.adapters.formats.json_fields import BROKEN, check_labels, id_text, reason
from telex.adapters.formats.lines import read_blocks
from telex.adapters.formats.opened import Input
from telex.adapters.formats.times import seconds
from telex.learners.batch import Batch, BatchBuilder
from telex.learners.errors import UsageError
from telex.stream.answers import Answers, Exchange
from telex.stream.deadletter import DeadLetter
from telex.stream.mark import Mark
from telex.stream.span import is_span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telex.stream.boundary import Boundary
    from telex.stream.source import Source
    from telex.stream.state import State


_AT_ONCE = 256
"""How many answers behind the last document may come together."""


class _Record(msgspec.Struct):
    id: str | int
    labels: list[str]
    time: str | int | float | None = None


class Answer(NamedTuple):
    """A line of the file; ``time`` is NaN where it has none."""

    id: str
    labels: list[str]
    time: float


class Answered:
    """The documents of ``source``, and among them the answers of a file of JSON lines: ``{"id", "labels", "time"}``.

    An answer with a time comes before the first document that is later; of those without, one comes after each
    document. The file is read as it stands: an answer that stands behind a later one comes with it. After the last
    document come all that are left. A line that cannot be read is a dead letter at its place. What else the source has
    can be reached through this one.
    """

    def __init__(self, source: Source, path: str | os.PathLike[str]) -> None:
        self.source, self.path = source, os.fspath(path)
        self._input = Input(self.path)
        self._taken = self._skipped = self._documents = 0
        self._limit: int | None = None
        self._ending = self._going_on = False

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "source"), name)

    def prepare(self, test_after: Boundary | None, limit: int | None = None, *, marks: bool = False) -> None:
        """Be told what the source is told."""
        self._limit = limit
        if prepare := getattr(self.source, "prepare", None):
            prepare(test_after, limit, marks=marks)

    def end(self) -> None:
        """End the pass after what was read; any thread may ask."""
        self._ending = True
        self.source.end()  # type: ignore[attr-defined]

    def load(self, state: State) -> None:
        """Go on where a mark of this source was."""
        self._skipped, self._documents = int(state["answers"]), int(state["documents"])
        self._going_on = True
        self.source.load(state["source"])  # type: ignore[attr-defined]

    def __iter__(self) -> Iterator[Batch | Exchange | DeadLetter | Mark]:
        answers = self._answers()
        if not self._going_on:
            self._documents = 0
        self._going_on = False
        for _ in range(self._skipped):
            next(answers, None)
        self._taken, self._skipped = self._skipped, 0
        self._ahead = next(answers, None)
        tables = BatchBuilder().take()
        mark: Mark | None = None
        for item in self.source:
            if isinstance(item, Mark):
                mark = item
                yield self._marked(item)
            elif isinstance(item, Batch):
                yield from self._among(item, answers)
                tables = item.rows(0, 0)
                self._documents += len(item)
            else:
                yield item
        if self._limit is None or self._documents < self._limit:
            yield from self._rest(answers, tables)
            if mark is not None:
                yield self._marked(mark)

    def _marked(self, mark: Mark) -> Mark:
        state = {"source": mark.state, "answers": self._taken, "documents": mark.documents}
        return Mark(mark.documents, state)

    def _among(self, batch: Batch, answers: Iterator[Answer | DeadLetter]) -> Iterator[Exchange | DeadLetter]:
        """Yield the documents of ``batch``, what comes before each, and behind each one answer that has no time."""
        start, found = 0, list[tuple[int, Answer]]()
        for row, time in enumerate(batch.times.tolist()):
            if self._documents + row and isinstance(ahead := self._ahead, Answer) and math.isnan(ahead.time):
                found.append((row, ahead))
                self._next(answers)
            while (ahead := self._ahead) is not None and (isinstance(ahead, DeadLetter) or ahead.time < time):
                if isinstance(ahead, Answer):
                    found.append((row, ahead))
                else:
                    yield _exchange(batch, start, row, found)
                    yield ahead
                    start, found = row, []
                self._next(answers)
        yield _exchange(batch, start, len(batch), found)

    def _rest(self, answers: Iterator[Answer | DeadLetter], tables: Batch) -> Iterator[Exchange | DeadLetter]:
        """Yield what is left behind the last document, until the pass is to end."""
        while not self._ending and (ahead := self._ahead) is not None:
            found = list[tuple[int, Answer]]()
            while isinstance(ahead, Answer) and len(found) < _AT_ONCE:
                found.append((0, ahead))
                self._next(answers)
                ahead = self._ahead
            if found:
                yield _exchange(tables, 0, 0, found)
            elif isinstance(ahead, DeadLetter):
                yield ahead
                self._next(answers)

    def _next(self, answers: Iterator[Answer | DeadLetter]) -> None:
        self._ahead, self._taken = next(answers, None), self._taken + 1

    def _answers(self) -> Iterator[Answer | DeadLetter]:
        decoder = msgspec.json.Decoder(_Record)
        for block in read_blocks([self._input]):
            if isinstance(block, DeadLetter):
                yield block
                continue
            for raw, place in block.records():
                if not raw.strip():
                    continue
                try:
                    record = decoder.decode(raw)
                    check_labels(record.labels)
                    time = math.nan if record.time is None else seconds(record.time)
                    yield Answer(id_text(record.id), record.labels, time)
                except BROKEN as error:
                    yield DeadLetter(raw, *place, "answer", reason(error))


def _exchange(batch: Batch, start: int, stop: int, found: list[tuple[int, Answer]]) -> Exchange:
    rows = np.array([row - start for row, _ in found], np.int32)
    answers = Answers(rows, [answer.id for _, answer in found], [answer.labels for _, answer in found])
    return Exchange(batch.rows(start, stop), answers)


def answered(source: Source, labels_after: str | None, paths: Sequence[str] = ()) -> Source:
    """Return ``source``, read from ``paths``, with the answers of the file that ``labels_after`` names, if it does."""
    if labels_after is None or is_span(labels_after):
        return source
    if labels_after == "-" and "-" in paths:
        raise UsageError("--labels-after - and the documents are both standard input; give one of them as a file")
    if os.path.isdir(labels_after):
        raise UsageError(f"--labels-after {labels_after} is a folder; name a file of JSON lines, a number or a time")
    return Answered(source, labels_after)

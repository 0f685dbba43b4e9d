"""Puts answers from a file of their own among their documents."""

from __future__ import annotations

import math
import os
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec

from telex.adapters.formats.jsonl.fields import BROKEN, broken_reason, distinct_labels, id_text
from telex.adapters.formats.reading import Input, epoch_seconds, read_blocks, skip_records
from telex.learners.base import Batch, BatchBuilder, UsageError, is_span
from telex.stream.sources import Answer, Arrivals, DeadLetter, Position, RecordCheck, as_archive, merge_answers
from telex.stream.sources.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from telex.learners.base import State
    from telex.stream.sources import Archive, Features


_AT_ONCE = 256
"""The most answers in one arrival behind the last document."""


class _Record(msgspec.Struct):
    id: str | int
    labels: list[str]
    time: str | int | float | None = None


class AnswersFile(Stage):
    """Puts the answers of a file of JSON lines among the documents: ``{"id", "labels", "time"}``.

    An answer with a time comes before the first document that is later; of those without a time, one comes after each
    document. The file is never sorted: an answer behind a later one comes together with it. All that are left come
    after the last document, if the pass is ``open`` to its end. A line that cannot be read, or that exceeds the budget
    of the ``archive`` of the documents, is a dead letter at its place.
    """

    name, takes, gives = "answers file", "Batch", "Arrivals of Batch"

    def __init__(
        self,
        path: str | os.PathLike[str],
        open: Callable[[], bool] = lambda: True,  # noqa: A002
        archive: Archive | None = None,
    ) -> None:
        self.path, self._open = os.fspath(path), open
        self._archive = as_archive(()) if archive is None else archive
        self.summary = f"put the answers of {self.path} among the documents"
        self._input = Input(self.path)
        self._taken = self._skipped = self._documents = 0
        self._resuming = False

    def check_unchanged(self) -> None:
        """Raise a StoppedError if the file was written since the first look at it."""
        self._input.check_unchanged()

    def load(self, state: State) -> State:
        """Resume at a position of this stage."""
        self._skipped, self._documents = int(state["answers"]), int(state["documents"])
        self._resuming = True
        found: State = state["source"]
        return found

    def __call__(self, items: Iterable[Any]) -> Iterator[Arrivals[Batch] | DeadLetter | Position]:
        """Yield the documents with the answers among them."""
        answers = self._answers()
        if not self._resuming:
            self._documents = 0
        self._resuming = False
        for _ in range(self._skipped):
            next(answers, None)
        self._taken, self._skipped = self._skipped, 0
        self._ahead = next(answers, None)
        tables = BatchBuilder().take()
        position: Position | None = None
        for item in items:
            if isinstance(item, Position):
                position = item
                yield self._positioned(item)
            elif isinstance(item, Batch):
                yield from merge_answers(item, self._among(item, answers))
                tables = item.rows(0, 0)
                self._documents += len(item)
            else:
                yield item
        if self._open():
            yield from self._rest(answers, tables)
            if position is not None:
                yield self._positioned(position)

    def _positioned(self, position: Position) -> Position:
        state = {"source": position.state, "answers": self._taken, "documents": position.documents}
        return Position(position.documents, state)

    def _among(self, batch: Batch, answers: Iterator[Answer | DeadLetter]) -> Iterator[tuple[int, Answer | DeadLetter]]:
        """Yield the answers before each document, and behind each document one answer without a time."""
        for row, time in enumerate(batch.times.tolist()):
            if self._documents + row and isinstance(ahead := self._ahead, Answer) and math.isnan(ahead.time):
                self._next(answers)
                yield row, ahead
            while (ahead := self._ahead) is not None and (isinstance(ahead, DeadLetter) or ahead.time < time):
                self._next(answers)
                yield row, ahead

    def _rest(self, answers: Iterator[Answer | DeadLetter], tables: Batch) -> Iterator[Arrivals[Batch] | DeadLetter]:
        """Yield the answers behind the last document, until the pass should end."""
        while self._open() and self._ahead is not None:
            yield from merge_answers(tables, ((0, one) for one in islice(self._left(answers), _AT_ONCE)))

    def _left(self, answers: Iterator[Answer | DeadLetter]) -> Iterator[Answer | DeadLetter]:
        while self._open() and (ahead := self._ahead) is not None:
            self._next(answers)
            yield ahead

    def _next(self, answers: Iterator[Answer | DeadLetter]) -> None:
        self._ahead, self._taken = next(answers, None), self._taken + 1

    def _answers(self) -> Iterator[Answer | DeadLetter]:
        decoder, check = msgspec.json.Decoder(_Record), RecordCheck(self._archive.budget)
        for block in skip_records(read_blocks([self._input]), self._archive.skip_records):
            if isinstance(block, DeadLetter):
                yield block
                continue
            for raw, place in block.records():
                if not raw.strip():
                    continue
                try:
                    record = decoder.decode(raw)
                    labels = distinct_labels(record.labels)
                    time = math.nan if record.time is None else epoch_seconds(record.time)
                    answer = Answer(id_text(record.id), labels, time)
                    check.labels(labels)
                    yield answer
                except BROKEN as error:
                    yield DeadLetter(raw, *place, "answer", broken_reason(error))


def with_answers(source: Features, labels_after: str | None, paths: Sequence[str] = ()) -> Features:
    """Return ``source``, read from ``paths``, with the answers of the file that ``labels_after`` names, if it does."""
    if labels_after is None or is_span(labels_after):
        return source
    if labels_after == "-" and "-" in paths:
        raise UsageError("--labels-after - and the documents are both standard input; give one of them as a file")
    if os.path.isdir(labels_after):
        raise UsageError(f"--labels-after {labels_after} is a folder; name a file of JSON lines, a number or a time")
    return source.append(AnswersFile(labels_after, lambda: source.open, source.archive))

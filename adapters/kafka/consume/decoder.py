"""Decodes records to documents, answers and dead letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

import msgspec
import numpy as np

from telex.adapters.formats.jsonl import BROKEN, Fields, TextRecords, broken_reason, distinct_labels, id_text
from telex.adapters.kafka.consume.record_format import PLAIN
from telex.adapters.kafka.consume.record_reader import RecordReader, key_of, path_of
from telex.adapters.kafka.registered_values import is_registered, without_registry
from telex.learners.base import BrokenRecordError
from telex.stream.sources import (
    DEFAULT_BUDGET,
    SKIPPED,
    Answer,
    Arrivals,
    DeadLetter,
    RecordCheck,
    StoryBuilder,
    merge_answers,
    place_text,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Set

    from telex.adapters.kafka.consume.held_records import RecordBlock, TopicRecord
    from telex.adapters.kafka.consume.record_format import RecordFormat
    from telex.adapters.kafka.registered_values import RegisteredValues
    from telex.learners.base import Flags, Reals
    from telex.stream.sources import RecordBudget, Stories

_Item = Union["Arrivals[Stories]", DeadLetter]


@dataclass(frozen=True, slots=True)
class RecordLetter(DeadLetter):
    """A dead letter with the record of a topic that could not be read."""

    record: TopicRecord


class _AnswerValue(msgspec.Struct):
    labels: list[str]
    id: str | int | None = None


class RecordDecoder:
    r"""Makes documents of the records of all topics, and answers of those of the topic ``labels``.

    Documents are read as ``format`` says, which :meth:`settle` may say later. A document without an id gets the
    record's key, one without a time the record's time. What cannot be read, exceeds the budget or is to be passed over
    is a dead letter at its place. ``values`` reads those whose schemas a registry has. Records are numbered, so that
    :meth:`met_before` finds the labels met before one.

    >>> from telex.adapters.kafka.consume.held_records import HeldRecords
    >>> from telex.adapters.kafka.fetch import RecordSet
    >>> held = HeldRecords([("wire", 0), ("answers", 0)])
    >>> held.add(RecordSet.of(("wire", 0), [(0, 5000, b"a", b'{"text": "Gold falls."}')]))
    >>> held.add(RecordSet.of(("answers", 0), [(0, 6000, b"a", b'{"labels": ["metals"]}')]))
    >>> block, _ = held.take(np.array([0, 1]))
    >>> [posted] = RecordDecoder("answers").of(block)
    >>> list(posted.documents.ids), posted.documents.times.tolist(), posted.answers.ids, posted.answers.rows.tolist()
    (['a'], [5.0], ['a'], [1])
    """

    def __init__(
        self,
        labels: str | None = None,
        format: RecordFormat = PLAIN,  # noqa: A002
        values: RegisteredValues | None = None,
    ) -> None:
        self._labels = labels
        self.format, self.values = format, values
        self._stories = StoryBuilder()
        self._answer = msgspec.json.Decoder(_AnswerValue).decode
        self.begin()

    def begin(
        self,
        budget: RecordBudget = DEFAULT_BUDGET,
        skip: Set[str] = frozenset(),
        records: int = 0,
        met: tuple[Iterable[str], Iterable[str]] = ((), ()),
    ) -> None:
        """Begin behind ``records`` records, with what :meth:`met_before` returned there."""
        self._skip, self._records = skip, records
        self._check, self._answer_check = (RecordCheck(budget, labels) for labels in met)
        self.settle(self.format)

    def settle(self, format: RecordFormat) -> None:  # noqa: A002
        """Read documents in this format from now on."""
        self.format, fields = format, format.fields
        self._reader = RecordReader(format, self.values) if fields is None or self.values else None
        self._fields = Fields() if fields is None else fields
        self._texts = TextRecords(self._fields, self._check)

    def without_gone(self, block: RecordBlock) -> RecordBlock:
        """Return the records without those that only say that a row is gone."""
        reader = self._reader
        if reader is None or not reader.has_envelope:
            return block
        return block.select(np.array([not reader.is_gone(record) for record in block.records()], np.bool_))

    def documents_of(self, records: Iterable[TopicRecord]) -> list[TopicRecord]:
        """Return the records of documents, which are not of the topic of answers."""
        return [record for record in records if record.partition[0] != self._labels]

    def met_before(self, records: int) -> tuple[list[str], list[str]]:
        """Return the labels of the documents and those of the answers among the first ``records``."""
        return self._check.met_before(records), self._answer_check.met_before(records)

    def counts(self, block: RecordBlock) -> Flags:
        """Tell which records are documents or answers; a record without a value withdraws the answer of its key."""
        return (block.value_sizes >= 0) | (block.of_topic(self._labels) & (block.key_sizes >= 0))

    def of(self, block: RecordBlock) -> Iterator[_Item]:
        """Yield documents, answers and dead letters in the order of the records, all of which count."""
        first, self._records = self._records, self._records + len(block)
        answers = block.of_topic(self._labels)
        documents = block.select(~answers)
        numbers = (
            range(first, first + len(block))
            if len(documents) == len(block)
            else ((np.flatnonzero(~answers) + first).tolist())
        )
        if (len(documents) or self._skip) and not self._add_all(documents, numbers):
            yield from self._one_by_one(enumerate(block.records(), first))
            return
        rows = np.flatnonzero(answers)
        before = (rows - np.arange(len(rows))).tolist()
        stories = self._take_stories(len(documents), documents.times)
        records = zip((rows + first).tolist(), block.select(answers).records(), strict=True)
        yield from self._among(stories, zip(before, records, strict=True))

    def _add_all(self, documents: RecordBlock, numbers: Sequence[int]) -> bool:
        """Decode all documents, or none if any cannot be read; tell which of the two."""
        lines = None if self._reader is not None or self._skip else documents.lines()
        if lines is None:
            return False
        if self._texts.add_lines(lines, numbers=numbers) < len(lines):
            self._texts.cut(0)
        return len(self._texts) > 0

    def _one_by_one(self, records: Iterable[tuple[int, TopicRecord]]) -> Iterator[_Item]:
        pending: list[tuple[int, TopicRecord]] = []
        for number, record in records:
            letter = self._letter_of(number, record)
            if letter is None:
                pending.append((number, record))
            else:
                yield from self._with_answers(pending)
                yield letter
                pending = []
        yield from self._with_answers(pending)

    def _letter_of(self, number: int, record: TopicRecord) -> RecordLetter | None:
        """Decode a document, or return its dead letter; an answer is decoded later, unless it is to be passed over."""
        if self._skip and place_text(path_of(record), None, record.offset) in self._skip:
            return RecordLetter(record.value, path_of(record), None, record.offset, "skip", SKIPPED, record)
        return None if record.partition[0] == self._labels else self._add(number, record)

    def _add(self, number: int, record: TopicRecord) -> RecordLetter | None:
        try:
            if self._reader is not None:
                story = self._reader.story(record)
                self._check.story(story.title, story.text, story.labels, number)
                self._stories.add(story)
            else:
                self._texts.add(record.value, number)
        except BROKEN as error:
            if self._reader is not None:
                return _letter(record, "decode", error)
            try:
                keyed = _with_key(record, self._fields.id)
            except BROKEN:
                return _letter(record, "decode", error)
            try:
                self._texts.add(keyed, number)
            except BROKEN as other:
                return _letter(record, "decode", other)
        return None

    def _with_answers(self, records: Sequence[tuple[int, TopicRecord]]) -> Iterator[_Item]:
        """Yield the documents that were decoded, which are those of ``records``, and the answers among them."""
        times: list[float] = []
        answers: list[tuple[int, tuple[int, TopicRecord]]] = []
        for number, record in records:
            if record.partition[0] == self._labels:
                answers.append((len(times), (number, record)))
            else:
                times.append(record.time)
        yield from self._among(self._take_stories(len(times), lambda: np.array(times)), answers)

    def _take_stories(self, documents: int, times: Callable[[], Reals]) -> Stories:
        """Return the decoded documents; those without a time get that of their record."""
        stories = self._stories.take() if self._reader is not None or not documents else self._texts.take()[0]
        missing = np.isnan(stories.times)
        if missing.any():
            stories.times[missing] = times()[missing]
        return stories

    def _among(self, stories: Stories, answers: Iterable[tuple[int, tuple[int, TopicRecord]]]) -> Iterator[_Item]:
        """Yield documents, and the answers that come before these rows of them."""
        yield from merge_answers(stories, ((row, self._read_answer(*numbered)) for row, numbered in answers))

    def _read_answer(self, number: int, record: TopicRecord) -> Answer | DeadLetter:
        try:
            reader = self._reader if self.values is not None or self.format.has_envelope else None
            key = reader.key if reader else key_of
            if record.tombstone:
                return Answer(id_text(key(record)), None)
            answer = (
                self._answer(record.value) if reader is None else msgspec.convert(reader.answer(record), _AnswerValue)
            )
            labels = distinct_labels(answer.labels)
            name = id_text(key(record) if answer.id is None else answer.id)
            self._answer_check.labels(labels, number)
            return Answer(name, labels)
        except BROKEN as error:
            return _letter(record, "answer", error)


def _with_key(record: TopicRecord, name: str) -> bytes:
    """Return a document that has no id with the record's key for it."""
    document = msgspec.json.decode(record.value)
    if not isinstance(document, dict) or name in document:
        raise BrokenRecordError("the id is there")
    return msgspec.json.encode({**document, name: key_of(record)})


def _letter(record: TopicRecord, stage: str, error: Exception) -> RecordLetter:
    registered = isinstance(error, msgspec.MsgspecError) and is_registered(record.value)
    reason = without_registry(record.value) if registered else broken_reason(error)
    return RecordLetter(record.value, path_of(record), None, record.offset, stage, reason, record)

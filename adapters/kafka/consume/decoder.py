"""Decodes records to documents, answers and dead letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

import msgspec
import numpy as np

from telex.adapters.formats import story_of_newsitem
from telex.adapters.formats.jsonl import BROKEN, Fields, TextRecords, broken_reason, check_labels, id_text
from telex.learners.base import BrokenRecordError
from telex.stream.sources import Answer, Arrivals, DeadLetter, StoryBuilder, merge_answers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from telex.adapters.kafka.consume.held_records import RecordBlock, TopicRecord
    from telex.learners.base import Reals
    from telex.stream.sources import Stories

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

    A document is JSON as in the format jsonl, or NewsML if ``values`` is ``newsml``. A document without an id gets the
    record's key, one without a time the record's time. What cannot be read is a dead letter at its place.

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

    def __init__(self, labels: str | None = None, values: str = "jsonl") -> None:
        self._labels = labels
        self._texts = TextRecords(Fields())
        self._newsml = values == "newsml"
        self._stories = StoryBuilder()
        self._answer = msgspec.json.Decoder(_AnswerValue).decode

    def of(self, block: RecordBlock) -> Iterator[_Item]:
        """Yield documents, answers and dead letters in the order of the records, all of which have values."""
        answers = block.of_topic(self._labels)
        documents = block.select(~answers)
        if len(documents) and not self._add_all(documents):
            yield from self._one_by_one(block.records())
            return
        rows = np.flatnonzero(answers)
        before = (rows - np.arange(len(rows))).tolist()
        stories = self._take_stories(len(documents), documents.times)
        yield from self._among(stories, zip(before, block.select(answers).records(), strict=True))

    def _add_all(self, documents: RecordBlock) -> bool:
        """Decode all documents, or none if any is out of the ordinary; tell which of the two."""
        lines = None if self._newsml else documents.lines()
        return lines is not None and self._texts.add_lines(lines)

    def _one_by_one(self, records: Sequence[TopicRecord]) -> Iterator[_Item]:
        pending: list[TopicRecord] = []
        for record in records:
            letter = None if record.partition[0] == self._labels else self._add(record)
            if letter is None:
                pending.append(record)
            else:
                yield from self._with_answers(pending)
                yield letter
                pending = []
        yield from self._with_answers(pending)

    def _add(self, record: TopicRecord) -> RecordLetter | None:
        """Decode a document."""
        try:
            if self._newsml:
                self._stories.add(story_of_newsitem(record.value))
            else:
                self._texts.add(record.value)
        except BROKEN as error:
            if self._newsml:
                return _letter(record, "decode", error)
            try:
                self._texts.add(_with_key(record))
            except BROKEN:
                return _letter(record, "decode", error)
        return None

    def _with_answers(self, records: Sequence[TopicRecord]) -> Iterator[_Item]:
        """Yield the documents that were decoded, which are those of ``records``, and the answers among them."""
        times: list[float] = []
        answers: list[tuple[int, TopicRecord]] = []
        for record in records:
            if record.partition[0] == self._labels:
                answers.append((len(times), record))
            else:
                times.append(record.time)
        yield from self._among(self._take_stories(len(times), lambda: np.array(times)), answers)

    def _take_stories(self, documents: int, times: Callable[[], Reals]) -> Stories:
        """Return the decoded documents; those without a time get that of their record."""
        stories = self._stories.take() if self._newsml or not documents else self._texts.take()[0]
        missing = np.isnan(stories.times)
        if missing.any():
            stories.times[missing] = times()[missing]
        return stories

    def _among(self, stories: Stories, answers: Iterable[tuple[int, TopicRecord]]) -> Iterator[_Item]:
        """Yield documents, and the answers that come before the documents with these numbers."""
        yield from merge_answers(stories, ((row, self._read_answer(record)) for row, record in answers))

    def _read_answer(self, record: TopicRecord) -> Answer | DeadLetter:
        try:
            answer = self._answer(record.value)
            check_labels(answer.labels)
            return Answer(id_text(_key(record) if answer.id is None else answer.id), answer.labels)
        except BROKEN as error:
            return _letter(record, "answer", error)


def _key(record: TopicRecord) -> str:
    if record.key is None:
        raise BrokenRecordError("there is no id, and the record has no key")
    return record.key.decode()


def _with_key(record: TopicRecord) -> bytes:
    """Return a document that has no id with the record's key for it."""
    document = msgspec.json.decode(record.value)
    if not isinstance(document, dict) or "id" in document:
        raise BrokenRecordError("the id is there")
    return msgspec.json.encode({**document, "id": _key(record)})


def _letter(record: TopicRecord, stage: str, error: Exception) -> RecordLetter:
    topic, number = record.partition
    return RecordLetter(record.value, f"{topic}/{number}", None, record.offset, stage, broken_reason(error), record)

"""What records are: documents, answers, or nothing that can be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

from telex.adapters.formats.json_fields import BROKEN, Fields, check_labels, id_text, reason
from telex.adapters.formats.json_texts import TextRecords
from telex.adapters.formats.newsml import newsitem
from telex.learners.errors import BrokenRecordError
from telex.stream.answers import Answers
from telex.stream.deadletter import DeadLetter
from telex.stream.posted import Posted
from telex.stream.stories import StoryBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telex.adapters.kafka.frames import Partition
    from telex.stream.stories import Stories

VALUES = ("jsonl", "newsml")


class Record(NamedTuple):
    """A record of a topic; ``time`` is its timestamp in epoch seconds, NaN where it has none."""

    partition: Partition
    offset: int
    time: float
    key: bytes | None
    value: bytes
    headers: tuple[tuple[str, bytes | None], ...] = ()


@dataclass(frozen=True, slots=True)
class RecordLetter(DeadLetter):
    """A record of a topic that could not be read, as it came."""

    record: Record


class _Answer(msgspec.Struct):
    labels: list[str]
    id: str | int | None = None


class Records:
    r"""Makes documents of the records of all topics, and answers of those of the topic ``labels``.

    A document is JSON as in the format jsonl, or NewsML where ``values`` says so. One without an id has the record's
    key for it, one without a time the record's. What cannot be read is a dead letter at its place.

    >>> wire = ("wire", 0)
    >>> [posted] = Records("answers").of([
    ...     Record(wire, 0, 5.0, b"a", b'{"text": "Gold falls."}'),
    ...     Record(("answers", 0), 0, 6.0, b"a", b'{"labels": ["metals"]}'),
    ... ])
    >>> list(posted.documents.ids), posted.documents.times.tolist(), posted.answers.ids, posted.answers.rows.tolist()
    (['a'], [5.0], ['a'], [1])
    """

    def __init__(self, labels: str | None = None, values: str = "jsonl") -> None:
        self._labels = labels
        self._texts = TextRecords(Fields())
        self._newsml = values == "newsml"
        self._stories = StoryBuilder()
        self._answer = msgspec.json.Decoder(_Answer).decode

    def of(self, records: Sequence[Record]) -> Iterator[Posted | DeadLetter]:
        """Yield what records are, in their order."""
        documents = [record for record in records if record.partition[0] != self._labels]
        if not documents or (not self._newsml and self._add_all(documents)):
            yield from self._taken(records)
            return
        pending = list[Record]()
        for record in records:
            letter = None if record.partition[0] == self._labels else self._add(record)
            if letter is None:
                pending.append(record)
            else:
                yield from self._taken(pending)
                yield letter
                pending = []
        yield from self._taken(pending)

    def _add_all(self, records: Sequence[Record]) -> bool:
        """Decode all documents, or none of them where any is out of the ordinary, and tell which it was."""
        data = b"\n".join([record.value for record in records])
        return data.count(b"\n") == len(records) - 1 and self._texts.add_lines(data + b"\n")

    def _add(self, record: Record) -> RecordLetter | None:
        """Decode a document."""
        try:
            if self._newsml:
                self._stories.add(newsitem(record.value))
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

    def _taken(self, records: Sequence[Record]) -> Iterator[Posted | DeadLetter]:
        """Yield the documents that were decoded, which are those of ``records``, and the answers among them."""
        documents = [record for record in records if record.partition[0] != self._labels]
        stories = self._stories.take() if self._newsml or not documents else self._texts.take()[0]
        yield from self._among(_timed(stories, documents), records)

    def _among(self, stories: Stories, records: Sequence[Record]) -> Iterator[Posted | DeadLetter]:
        start, row, rows, ids, labels = 0, 0, list[int](), list[str](), list["Sequence[str]"]()
        for record in records:
            if record.partition[0] != self._labels:
                row += 1
                continue
            try:
                name, told = self._answered(record)
            except BROKEN as error:
                if row > start or ids:
                    answers = Answers(np.array(rows, np.int32), ids, labels)
                    yield Posted(stories.rows(start, row), answers)
                yield _letter(record, "answer", error)
                start, rows, ids, labels = row, [], [], []
                continue
            rows.append(row - start)
            ids.append(name)
            labels.append(told)
        if row > start or ids:
            yield Posted(stories.rows(start, row), Answers(np.array(rows, np.int32), ids, labels))

    def _answered(self, record: Record) -> tuple[str, list[str]]:
        told = self._answer(record.value)
        check_labels(told.labels)
        return id_text(_key(record) if told.id is None else told.id), told.labels


def _key(record: Record) -> str:
    if record.key is None:
        raise BrokenRecordError("there is no id, and the record has no key")
    return record.key.decode()


def _with_key(record: Record) -> bytes:
    """Return a document that has no id with the record's key for it."""
    document = msgspec.json.decode(record.value)
    if not isinstance(document, dict) or "id" in document:
        raise BrokenRecordError("the id is there")
    return msgspec.json.encode({**document, "id": _key(record)})


def _timed(stories: Stories, records: Sequence[Record]) -> Stories:
    missing = np.isnan(stories.times)
    if missing.any():
        stories.times[missing] = np.array([record.time for record in records])[missing]
    return stories


def _letter(record: Record, stage: str, error: Exception) -> RecordLetter:
    topic, number = record.partition
    return RecordLetter(record.value, f"{topic}/{number}", None, record.offset, stage, reason(error), record)

"""JSON records of texts: ``{"id", "time", "title", "text", "labels"}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.formats.jsonl.fields import BROKEN, FEATURES, ID, TIME, distinct_labels, id_text
from telex.adapters.formats.reading import StoryColumns, time_column
from telex.learners.base import BrokenRecordError
from telex.stream.sources import RecordCheck, Story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.adapters.formats.jsonl.fields import Fields
    from telex.stream.sources import Stories

_SOME = 256
"""The most lines decoded here before the native reader is asked again: where all are unusual it only costs."""


class TextRecords:
    r"""Collects records of texts that are well-formed and pass ``check``.

    >>> from telex.adapters.formats.jsonl import Fields
    >>> records = TextRecords(Fields(labels="topics"))
    >>> records.add(b'{"id": 7, "title": "Cup", "body": "A final.", "topics": "sport"}')
    >>> [stories] = records.take()
    >>> list(stories.ids), list(stories.titles), list(stories.texts), list(stories.labels)
    (['7'], ['Cup'], ['A final.'], [['sport']])
    """

    def __init__(self, fields: Fields, check: RecordCheck | None = None) -> None:
        self.check = check or RecordCheck()
        text = (str | None, None)
        body = {"body": text} if fields.has_body else {}
        labels = (list[str] | str | None, None)
        types = {"id": ID, "time": TIME, "title": text, "text": text, "labels": labels, **body}
        self._decode, self._plain = fields.decoder(**types), fields.plain()
        self._features = fields.decoder(id=ID, features=FEATURES)
        self._has_body = fields.has_body
        self._field = "text" if fields.text is None else fields.text
        self._columns = StoryColumns(self._plain, self.check)

    def __len__(self) -> int:
        return len(self._plain)

    def add_lines(self, data: bytes, start: int = 0, numbers: Sequence[int] | None = None) -> int:
        """Append the records of ``data`` from ``start`` on; return where the first line begins that cannot be read.

        Lines in the usual form are read natively, and no str is made of their texts; the others, and those with a label
        that is new, are decoded here. ``numbers`` are those of the records in the stream, if the check is to remember
        them.
        """
        before, some = len(self), 1
        while True:
            begin, start = start, self._plain.add(data, start, *self._columns.limits)
            if start == len(data):
                return start
            some = min(2 * some, _SOME) if start == begin else 1
            raws = _first_lines(data, start, some)
            of_raws = None if numbers is None else numbers[len(self) - before :]
            if not self.add_all(raws, of_raws):
                for i, raw in enumerate(raws):
                    try:
                        self.add(raw, None if of_raws is None else of_raws[i])
                    except BROKEN:
                        return start
                    start += len(raw) + 1
            else:
                start += sum(map(len, raws)) + len(raws)
            if start >= len(data):
                return len(data)

    def add_all(self, raws: list[bytes], numbers: Sequence[int] | None = None) -> bool:
        """Append all records, or none if one is broken; tell which of the two."""
        try:
            for raw in raws:
                _check_utf8(raw)
            self._append(list(map(self._decode, raws)), numbers=numbers)
        except BROKEN:
            return False
        return True

    def add(self, raw: bytes, number: int | None = None) -> None:
        """Append one record."""
        _check_utf8(raw)
        self._append([self._decode(raw)], raw, number)

    def _append(
        self,
        documents: list[Any],
        raw: bytes | None = None,
        number: int | None = None,
        numbers: Sequence[int] | None = None,
    ) -> None:
        ids = [document.id for document in documents]
        if "" in ids or int in map(type, ids):
            ids = list(map(id_text, ids))
        times = time_column([document.time for document in documents])
        texts = [document.text for document in documents]
        if None in texts:
            texts = list(map(self._text, documents))
            if None in texts:
                raise self._missing(raw)
        labels = [_labels(document.labels) for document in documents]
        titles = [document.title or "" for document in documents]
        if raw is not None:
            self.check.story(titles[0], texts[0], labels[0], number)
        elif not self.check.admits(titles, texts, labels, numbers):
            raise BrokenRecordError("one of the records exceeds the budget")
        for story in map(Story, ids, texts, titles, times.tolist(), labels):
            self._columns.append(story)

    def _text(self, document: Any) -> str | None:
        text: str | None = document.text
        return document.body if text is None and self._has_body else text

    def _missing(self, raw: bytes | None) -> BrokenRecordError:
        if raw is not None and bytes(self._features(raw).features):
            return BrokenRecordError("these are features, but texts are read; give texts and features in two runs")
        return BrokenRecordError(f"the text is missing: there is no field {self._field!r}")

    def take(self) -> list[Stories]:
        """Return the documents added so far."""
        return self._columns.take()

    def full(self, rows: int) -> list[Stories]:
        """Return the documents added so far in batches of ``rows``; the rest stays."""
        return self._columns.full(rows)

    def cut(self, rows: int) -> None:
        """Take back all documents but the first ``rows``."""
        self._columns.cut(rows)


def _first_lines(data: bytes, start: int, most: int) -> list[bytes]:
    """Return up to ``most`` lines, without their newlines."""
    raws = list[bytes]()
    while start < len(data) and len(raws) < most:
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        raws.append(data[start:end])
        start = end + 1
    return raws


def _check_utf8(raw: bytes) -> None:
    raw.isascii() or raw.decode()  # the decoder does not check other fields


def _labels(given: list[str] | str | None) -> Sequence[str] | None:
    if isinstance(given, str):
        given = [given] if given.strip() else None
    return None if given is None else distinct_labels(given)

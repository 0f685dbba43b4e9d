"""JSON records of texts: ``{"id", "time", "title", "text", "labels"}``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.formats.jsonl.fields import BROKEN, FEATURES, ID, TIME, check_labels, id_text
from telex.adapters.formats.reading import time_column
from telex.learners.base import BrokenRecordError, Strings
from telex.stream.sources import RecordCheck, Stories

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.adapters.formats.jsonl.fields import Fields


class TextRecords:
    r"""Collects records of texts, many at a time as long as all of them are well-formed and pass ``check``.

    >>> from telex.adapters.formats.jsonl import Fields
    >>> records = TextRecords(Fields(labels="topics"))
    >>> records.add(b'{"id": 7, "title": "Cup", "body": "A final.", "topics": "sport"}')
    >>> [stories] = records.take()
    >>> list(stories.ids), stories.titles, stories.texts, stories.labels
    (['7'], ['Cup'], ['A final.'], [['sport']])
    """

    def __init__(self, fields: Fields, check: RecordCheck | None = None) -> None:
        self.check = check or RecordCheck()
        self.numbers: Sequence[int] | None = None
        """The numbers in the stream of the records to add next, if the check is to remember them."""
        text = (str | None, None)
        body = {"body": text} if fields.has_body else {}
        labels = (list[str] | str | None, None)
        types = {"id": ID, "time": TIME, "title": text, "text": text, "labels": labels, **body}
        self._decode, self._plain = fields.decoder(**types), fields.plain()
        self._features = fields.decoder(id=ID, features=FEATURES)
        self._has_body = fields.has_body
        self._field = "text" if fields.text is None else fields.text
        self._ids = list[str]()
        self._times = list[float]()
        self._titles = list[str]()
        self._texts = list[str]()
        self._labels = list["Sequence[str] | None"]()

    def __len__(self) -> int:
        return len(self._texts)

    def add_lines(self, data: bytes) -> bool:
        """Append all records of ``data``, or none if any is out of the ordinary; tell which of the two."""
        columns = self._plain.read(data)
        if columns is None or not self.check.admits(columns[2], columns[3], columns[4], self.numbers):
            return False
        self._extend(*columns)
        return True

    def add_all(self, raws: list[bytes]) -> bool:
        """Append all records, or none if one is broken; tell which of the two."""
        try:
            for raw in raws:
                _check_utf8(raw)
            self._append(list(map(self._decode, raws)))
        except BROKEN:
            return False
        return True

    def add(self, raw: bytes) -> None:
        """Append one record."""
        _check_utf8(raw)
        self._append([self._decode(raw)], raw)

    def _append(self, documents: list[Any], raw: bytes | None = None) -> None:
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
            self.check.story(titles[0], texts[0], labels[0], None if self.numbers is None else self.numbers[0])
        elif not self.check.admits(titles, texts, labels, self.numbers):
            raise BrokenRecordError("one of the records exceeds the budget")
        self._extend(ids, times.tolist(), titles, texts, labels)

    def _extend(
        self,
        ids: list[str],
        times: list[float],
        titles: list[str],
        texts: list[str],
        labels: list[list[str] | None],
    ) -> None:
        self._ids += ids
        self._times += times
        self._titles += titles
        self._texts += texts
        self._labels += labels

    def _text(self, document: Any) -> str | None:
        text: str | None = document.text
        return document.body if text is None and self._has_body else text

    def _missing(self, raw: bytes | None) -> BrokenRecordError:
        if raw is not None and bytes(self._features(raw).features):
            return BrokenRecordError("these are features, but texts are read; give texts and features in two runs")
        return BrokenRecordError(f"the text is missing: there is no field {self._field!r}")

    def take(self) -> list[Stories]:
        """Return the documents added so far."""
        return [self._first(len(self))] if len(self) else []

    def full(self, rows: int) -> list[Stories]:
        """Return the documents added so far in batches of ``rows``; the rest stays."""
        return [self._first(rows) for _ in range(len(self) // rows)]

    def _first(self, rows: int) -> Stories:
        ids, self._ids = self._ids[:rows], self._ids[rows:]
        times, self._times = self._times[:rows], self._times[rows:]
        titles, self._titles = self._titles[:rows], self._titles[rows:]
        texts, self._texts = self._texts[:rows], self._texts[rows:]
        labels, self._labels = self._labels[:rows], self._labels[rows:]
        return Stories(Strings.of(ids), np.array(times, np.float64), titles, texts, labels)


def _check_utf8(raw: bytes) -> None:
    raw.isascii() or raw.decode()  # the decoder does not check other fields


def _labels(given: list[str] | str | None) -> list[str] | None:
    if given is None:
        return None
    labels = [given] if isinstance(given, str) else given
    if len(set(labels)) < len(labels) or "" in labels:
        check_labels(labels)
    return labels

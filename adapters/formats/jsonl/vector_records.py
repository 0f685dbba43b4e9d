"""JSON records of vectors: ``{"id", "time", "vector": [numbers], "labels": [..]}``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from telex.adapters._vectors import numbers
from telex.adapters.formats.jsonl.fields import FEATURES, ID, TIME, distinct_labels, id_text
from telex.adapters.formats.reading import DenseRows, epoch_seconds
from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from telex.adapters.formats.jsonl.fields import Fields
    from telex.learners.base import Batch, Names
    from telex.stream.sources import RecordCheck


class VectorRecords:
    """Builds batches from records with a vector, one record at a time.

    >>> from telex.adapters.formats.jsonl.fields import Fields
    >>> from telex.learners.base import Names
    >>> records = VectorRecords(Fields(), Names(), Names())
    >>> records.add(b'{"id": 7, "vector": [0.25, -1, 2e-1], "labels": ["war"]}')
    >>> [batch] = records.take()
    >>> batch.features.tolist(), batch.values.round(3).tolist()[:2]
    ([0, 1, 2], [0.25, -1.0])
    """

    def __init__(
        self, fields: Fields, feature_names: Names, label_names: Names, check: RecordCheck | None = None
    ) -> None:
        self._rows = DenseRows(feature_names, label_names, check)
        self._decode = fields.decoder(id=ID, time=TIME, vector=FEATURES, labels=(list[str] | None, None))
        self._field = fields.vector or "vector"

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, raw: bytes) -> None:
        """Append a record, decoded completely before anything of it enters the tables."""
        raw.isascii() or raw.decode()
        document = self._decode(raw)
        given = bytes(document.vector)
        if not given:
            raise BrokenRecordError(f"the vector is missing: there is no field {self._field!r}")
        try:
            vector, largest = numbers(given)
        except ValueError as error:
            raise BrokenRecordError(f"the vector is broken: {error}") from error
        name = id_text(document.id)
        time = math.nan if document.time is None else epoch_seconds(document.time)
        labels = None if document.labels is None else distinct_labels(document.labels)
        self._rows.add(name, time, labels, vector, largest)

    def take(self) -> list[Batch]:
        """Return the documents added so far."""
        return [self._rows.take()] if len(self._rows) else []

    def full(self, rows: int) -> list[Batch]:
        """Return the documents added so far if there are at least ``rows``."""
        return self.take() if len(self._rows) >= rows else []

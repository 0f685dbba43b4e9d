"""JSON records of features: ``{"id", "time", "features": {name: value}, "labels": [..]}``."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import msgspec

from telex.adapters.formats.jsonl.fields import FEATURES, ID, TIME, distinct_labels, id_text
from telex.adapters.formats.reading import epoch_seconds
from telex.learners.base import BatchBuilder, BrokenRecordError
from telex.stream.sources import RecordCheck

if TYPE_CHECKING:
    from telex.adapters.formats.jsonl.fields import Fields
    from telex.learners.base import Batch, Names


class FeatureRecords:
    """Builds batches from records of features, one record at a time."""

    def __init__(
        self, fields: Fields, feature_names: Names, label_names: Names, check: RecordCheck | None = None
    ) -> None:
        self._check = check or RecordCheck()
        self._builder = BatchBuilder(feature_names, label_names)
        self._decode = fields.decoder(id=ID, time=TIME, features=FEATURES, labels=(list[str] | None, None))
        self._text = fields.decoder(id=ID, text=(str,))

    def __len__(self) -> int:
        return len(self._builder)

    def add(self, raw: bytes) -> None:
        """Append a record, decoded completely before anything of it enters the tables."""
        document, features = self.decode(raw)
        name = id_text(document.id)
        time = math.nan if document.time is None else epoch_seconds(document.time)
        labels = None if document.labels is None else distinct_labels(document.labels)
        self._check.features(features, labels)
        self._builder.add(features, labels, id=name, time=time)  # too large a value was refused before

    def decode(self, raw: bytes) -> tuple[Any, dict[str, float]]:
        """Return the record, and its features by name."""
        raw.isascii() or raw.decode()
        document = self._decode(raw)
        given = bytes(document.features)
        if not given:
            raise BrokenRecordError(self._missing(raw))
        return document, _features(given)

    def _missing(self, raw: bytes) -> str:
        try:
            self._text(raw)
        except msgspec.MsgspecError:
            return "features are missing"
        return "this is a text, but features are read; give texts and features in two runs"

    def take(self) -> list[Batch]:
        """Return the documents added so far."""
        return [self._builder.take()] if len(self._builder) else []

    def full(self, rows: int) -> list[Batch]:
        """Return the documents added so far if there are at least ``rows``."""
        return self.take() if len(self._builder) >= rows else []


_decode_features = msgspec.json.Decoder(dict[str, float] | list[tuple[str, float]]).decode


def _features(raw: bytes) -> dict[str, float]:
    given = _decode_features(raw)
    if isinstance(given, list):
        features = dict(given)
        pairs = len(given)
    else:
        features = given
        # the dict has lost a duplicate name; if there are more colons than names, look again
        pairs = len(features) if raw.count(b":") == len(features) else len(json.loads(raw, object_pairs_hook=list))
    if pairs > len(features):
        raise BrokenRecordError("a feature is given twice")
    return features

"""Reads the records of a topic one by one, by the fields that a format names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from telex.adapters.formats import story_of_newsitem
from telex.adapters.formats.jsonl import BROKEN, decode_object, values_at
from telex.adapters.kafka.consume.envelopes import envelope_of, is_gone, key_text, payload_of, row_of
from telex.adapters.kafka.registered_values import is_registered, without_registry
from telex.learners.base import BrokenRecordError
from telex.stream.sources import place_text

if TYPE_CHECKING:
    from telex.adapters.kafka.consume.held_records import TopicRecord
    from telex.adapters.kafka.consume.record_format import RecordFormat
    from telex.adapters.kafka.registered_values import RegisteredValues
    from telex.stream.sources import Story


class RecordReader:
    """Reads records as ``format`` says, and by ``values`` those whose schema is in a registry.

    A document without an id gets the record's key; with ``id=none`` its place in the topic is its id.

    >>> from telex.adapters.kafka.consume.held_records import TopicRecord
    >>> from telex.adapters.kafka.consume.record_format import RecordFormat
    >>> reader = RecordReader(RecordFormat.of("jsonl:text=article.body,labels=headers.desk"))
    >>> value = b'{"article": {"body": "Gold fell."}}'
    >>> story = reader.story(TopicRecord(("news", 0), 7, 5.0, b"k7", value, (("desk", b"metals"),)))
    >>> story.id, story.text, story.labels
    ('k7', 'Gold fell.', ['metals'])
    """

    def __init__(self, format: RecordFormat, values: RegisteredValues | None = None) -> None:  # noqa: A002
        self._format, self._map, self._own = format, format.map, format.own_fields
        self._values = values

    def story(self, record: TopicRecord) -> Story:
        """Return the story in a record; what is missing or of the wrong kind raises one of ``BROKEN``."""
        if self._map is None:
            return story_of_newsitem(record.value)
        fields = self.fields_of(record)
        if "id" not in self._format.settings and fields.get("id") is None:
            fields["id"] = self.key(record)
        if "text" not in self._format.settings and "text" not in fields:  # as in files
            fields["text"] = fields.get("body")
        story = self._map.story(fields)
        return story if story.id else story._replace(id=place_text(path_of(record), None, record.offset))

    def fields_of(self, record: TopicRecord) -> dict[str, Any]:
        """Return the fields of a record by their names, with those of its key and its headers that are asked for."""
        value = self.value(record.value)
        found = row_of(self._format.name, value) if self.has_envelope else value
        for name in self._own:
            found[name] = self._own_field(record, name, value)
        return found

    def value(self, data: bytes) -> dict[str, Any]:
        """Return the object that a value is."""
        if not is_registered(data):
            return decode_object(data)
        found = self._registered(data)
        if not isinstance(found, dict):
            raise BrokenRecordError(f"the record is no object, but {type(found).__name__}")
        return found

    @property
    def has_envelope(self) -> bool:
        """Whether a row is surrounded by an envelope."""
        return self._format.has_envelope

    def is_gone(self, record: TopicRecord) -> bool:
        """Tell whether a record only says that a row is gone."""
        try:
            return self.has_envelope and is_gone(self._format.name, self._any(record.value))
        except BROKEN:
            return False

    def answer(self, record: TopicRecord) -> Any:
        """Return what an answer holds, which may come without an envelope."""
        value = self.value(record.value)
        return row_of(self._format.name, value) if envelope_of([value]) == self._format.name else value

    def key(self, record: TopicRecord) -> str:
        """Return the key of a record as text, for a document that has no id."""
        if record.key is not None and (self.has_envelope or is_registered(record.key)):
            return key_text(record.key, self._any)
        return key_of(record)

    def _any(self, data: bytes) -> Any:
        return self._registered(data) if is_registered(data) else msgspec.json.decode(data)

    def _registered(self, data: bytes) -> Any:
        if self._values is None:
            raise BrokenRecordError(without_registry(data))
        return self._values.decode(data)

    def _own_field(self, record: TopicRecord, name: str, value: Any) -> Any:
        """Return a part of a record beside its row; a header that comes several times is a list."""
        if name.startswith("headers."):
            found = [value.decode() for key, value in record.headers if key == name[8:] and value is not None]
            return found if len(found) > 1 else next(iter(found), None)
        if name.startswith("envelope."):
            return values_at(payload_of(value), name[9:])
        if record.key is None:
            return None
        return self.key(record) if name == "key" else values_at(payload_of(self._any(record.key)), name[4:])


def key_of(record: TopicRecord) -> str:
    """Return the key of a record as text, for a document that has no id."""
    if record.key is None:
        raise BrokenRecordError("there is no id, and the record has no key")
    return record.key.decode()


def path_of(record: TopicRecord) -> str:
    """Return where a record is, as far as its partition."""
    topic, number = record.partition
    return f"{topic}/{number}"

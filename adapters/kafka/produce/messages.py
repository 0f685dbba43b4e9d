"""The messages that a run writes to topics: predictions, and records that could not be read."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from telex.adapters.kafka.produce.producer_options import ENVELOPE_BYTES
from telex.stream.sources import REVISED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.adapters.kafka.consume import RecordLetter, RecordOrigin
    from telex.adapters.kafka.topics import TopicLimits

LEFT_OUT = "telex.value.bytes"
"""The header of a dead letter without its value, which was too long for the topic: the length of the value."""


class Message(msgspec.Struct, frozen=True, array_like=True):
    """A record to be written to ``topic``; ``source`` is the record that it is about: topic, partition, offset.

    ``timestamp`` is in milliseconds since 1970; None means the time of arrival.
    """

    topic: str
    key: bytes | None
    value: bytes | None
    timestamp: int | None
    headers: list[tuple[str, bytes]]
    source: tuple[str, int, int]

    @property
    def size(self) -> int:
        """Its approximate number of bytes."""
        headers = sum(len(name.encode()) + len(value) for name, value in self.headers)
        return len(self.key or b"") + len(self.value or b"") + headers + ENVELOPE_BYTES


class PredictionValue(msgspec.Struct):
    """One learner's prediction for one document, made when the document came.

    ``labels`` are the predicted set, sorted, ``top`` the best labels with their scores. ``position`` is how many
    answers the learner had learnt by then, ``time`` the document's time, ``predicted`` the wall clock's. Of a newer
    version of a document, ``revises`` has topic, partition and offset of the one before it.
    """

    id: str
    labels: list[Any]
    top: list[tuple[Any, float]]
    learner: str
    position: int
    predicted: str
    topic: str
    partition: int
    offset: int
    time: str | msgspec.UnsetType = msgspec.UNSET
    revises: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


encode_value = msgspec.json.Encoder(enc_hook=str).encode


def now() -> str:
    """Return the wall clock's time, to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def of_prediction(
    value: PredictionValue, origin: RecordOrigin, into: TopicLimits, headers: Sequence[tuple[str, bytes]] = ()
) -> Message | None:
    """Return a learner's prediction for the document at ``origin``, as a message for the topic ``into``.

    If the message is too long for the topic, ``top`` is empty; if it is still too long, the result is None.
    """
    stamp = timestamp_for(origin.timestamp, into)
    for _ in range(2):
        source = origin.topic, origin.partition, origin.offset
        message = Message(into.topic, value.id.encode(), encode_value(value), stamp, list(headers), source)
        if message.size <= into.longest:
            return message
        value.top = []
    return None


def of_letter(letter: RecordLetter, into: TopicLimits, stamp: Sequence[tuple[str, bytes]] = ()) -> Message:
    """Return a record that could not be read, unchanged, with the headers that Kafka Streams adds (KIP-1034).

    Behind these come those of the ``stamp``.

    One that is left out because it is revised has no error, and no headers of one.
    A value that is too long for the topic is left out, and the header ``telex.value.bytes`` has its length; if that is
    not enough, the record's key and headers are left out, too. kafka-python sends no header without a value and no
    record without key and value: both are empty then.
    """
    record, (topic, partition) = letter.record, letter.record.partition
    # Readers of the topic may filter by the name of the exception, so it stays as it is when the class moves.
    broken = [
        ("__streams.errors.exception", f"telex.learners.errors.BrokenRecordError: {letter.reason}"),
        ("__streams.errors.stacktrace", f"{letter.stage}: {letter.reason}"),
    ]
    ours = [
        *(() if letter.stage == REVISED else broken),
        ("__streams.errors.message", letter.reason),
        ("__streams.errors.topic", topic),
        ("__streams.errors.partition", str(partition)),
        ("__streams.errors.offset", str(record.offset)),
        ("telex.stage", letter.stage),
    ]
    added = [*((name, text.encode()) for name, text in ours), *stamp]
    theirs = [(name, value or b"") for name, value in record.headers]
    moment = timestamp_for(-1 if record.time != record.time else round(1000 * record.time), into)
    source = (topic, partition, record.offset)
    message = Message(into.topic, record.key, record.value, moment, theirs + added, source)
    if message.size > into.longest:
        added.append((LEFT_OUT, str(len(record.value)).encode()))
        message = Message(into.topic, record.key, _nothing(record.key), moment, theirs + added, source)
    if message.size > into.longest:
        message = Message(into.topic, None, b"", moment, added, source)
    return message


def timestamp_for(milliseconds: int, into: TopicLimits) -> int | None:
    """Return a record's time as the topic accepts it: None if it has none, or one too far ahead."""
    return None if milliseconds < 0 or milliseconds > latest_timestamp(into) else milliseconds


def latest_timestamp(into: TopicLimits) -> float:
    """Return the latest time that a topic accepts, in milliseconds since 1970."""
    return time.time() * 1000 + into.ahead


def _nothing(key: bytes | None) -> bytes | None:
    return b"" if key is None else None

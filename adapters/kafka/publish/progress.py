"""The progress of a publisher, which the broker stores: each transaction that publishes commits it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import msgspec
from kafka import KafkaConsumer
from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.adapters.kafka.brokers import Brokers

_GLANCE = 50  # milliseconds a poll; a poll at a marker at the end of a topic always takes them


@dataclass(frozen=True, slots=True)
class PublishProgress:
    """How many ``documents`` and ``labels`` of an archive are published, with a digest of the ``last`` document.

    ``how`` names the settings that determine the order among them.

    >>> state = PublishProgress(7, 3, digest("reut-7"), "answers 2h")
    >>> PublishProgress.of(state.offset) == state
    True
    """

    documents: int = 0
    labels: int = 0
    last: str = ""
    how: str = ""

    @classmethod
    def of(cls, found: OffsetAndMetadata | None) -> PublishProgress:
        """Parse what :attr:`offset` wrote; None means that nothing was published."""
        if found is None or found.offset < 0:
            return cls()
        try:
            return msgspec.json.decode(found.metadata, type=cls)
        except (msgspec.MsgspecError, TypeError) as error:
            raise UsageError(
                "another program uses the group of this publisher; choose another name (--name)"
            ) from error

    @property
    def offset(self) -> OffsetAndMetadata:
        """The offset and metadata that a group can keep."""
        return OffsetAndMetadata(self.documents, msgspec.json.encode(self).decode(), -1)


def digest(name: str) -> str:
    """Return a short text that differs for different ids."""
    return hashlib.blake2s(name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def place(topic: str) -> TopicPartition:
    """Return the partition whose offset keeps the progress."""
    return TopicPartition(topic, 0)


def recent_keys(brokers: Brokers, topic: str, most: int) -> set[str]:
    """Return the keys of the last records of a topic, about ``most`` of them, without those of open transactions.

    Markers of transactions have offsets, too, but are not records.
    """
    consumer = KafkaConsumer(**brokers.clients, enable_auto_commit=False, isolation_level="read_committed")
    try:
        parts = [TopicPartition(topic, number) for number in sorted(consumer.partitions_for_topic(topic) or ())]
        consumer.assign(parts)
        begins, ends = consumer.beginning_offsets(parts), consumer.end_offsets(parts)
        for one in parts:
            consumer.seek(one, max(begins[one], ends[one] - most // len(parts)))
        return set(_keys(consumer, [one for one in parts if ends[one] > begins[one]], ends))
    finally:
        consumer.close()


def _keys(consumer: KafkaConsumer, parts: list[TopicPartition], ends: dict[TopicPartition, int]) -> Iterable[str]:
    while any(consumer.position(one) < ends[one] for one in parts):
        for records in consumer.poll(_GLANCE).values():
            yield from (record.key.decode("utf-8", "replace") for record in records if record.key is not None)

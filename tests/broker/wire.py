"""What tests do with a broker: topics that no other test has, and records in them."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING, Any

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer
from kafka.admin import NewPartitions, NewTopic
from kafka.errors import TopicAlreadyExistsError
from kafka.structs import TopicPartition

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Wire:
    """Topics of the broker at ``address``."""

    def __init__(self, address: str) -> None:
        self.address = address

    def name(self, stem: str = "t") -> str:
        """Return an unused name."""
        return f"{stem}-{uuid.uuid4().hex[:12]}"

    def topic(self, partitions: int = 1, stem: str = "t", **settings: Any) -> str:
        """Make a topic; ``settings`` have _ where Kafka has a dot."""
        name = self.name(stem)
        configs = {key.replace("_", "."): str(value) for key, value in settings.items()}
        with self.admin() as admin:
            admin.create_topics([NewTopic(name, partitions, 1, topic_configs=configs)])
            admin.wait_for_topics([name])
        return name

    def make_again(self, topic: str, partitions: int = 1) -> None:
        """Delete a topic and make it again, empty; brokers do the first in a moment of their own."""
        with self.admin() as admin:
            admin.delete_topics([topic])

            def made() -> bool:
                try:
                    admin.create_topics([NewTopic(topic, partitions, 1)])
                except TopicAlreadyExistsError:
                    return False
                return True

            self.until(made, 90.0)
            admin.wait_for_topics([topic])

    def more_partitions(self, topic: str, total: int) -> None:
        """Give the topic more partitions."""
        with self.admin() as admin:
            admin.create_partitions({topic: NewPartitions(total)})

    def forget(self, topic: str, partition: int, before: int) -> None:
        """Delete the records before an offset, as retention would."""
        with self.admin() as admin:
            admin.delete_records({TopicPartition(topic, partition): before})

    def admin(self) -> KafkaAdminClient:
        """Return a client that is to be closed."""
        return KafkaAdminClient(bootstrap_servers=self.address)

    def put(self, topic: str, records: Iterable[Mapping[str, Any]], **settings: Any) -> None:
        """Put records: ``partition`` (0), ``timestamp_ms`` (1000 and its place), ``key``, ``value``, ``headers``."""
        with self.producer(**settings) as producer:
            for place, record in enumerate(records):
                producer.send(topic, **{"partition": 0, "timestamp_ms": 1000 + place, **record})
            producer.flush()

    def producer(self, **settings: Any) -> KafkaProducer:
        """Return a producer that is to be closed."""
        return KafkaProducer(bootstrap_servers=self.address, **{"linger_ms": 5, **settings})

    def read(self, topic: str, *, committed: bool = True) -> list[Any]:
        """Return the records of a topic, those that are committed, in the order of (partition, offset)."""
        level = "read_committed" if committed else "read_uncommitted"
        consumer = KafkaConsumer(bootstrap_servers=self.address, isolation_level=level)
        parts = [TopicPartition(topic, one) for one in sorted(consumer.partitions_for_topic(topic))]
        consumer.assign(parts)
        consumer.seek_to_beginning(*parts)
        ends, records = consumer.end_offsets(parts), []
        while any(consumer.position(one) < ends[one] for one in parts):
            for found in consumer.poll(20).values():
                records += found
        consumer.close()
        return sorted(records, key=lambda one: (one.partition, one.offset))

    def until(self, true: Any, seconds: float = 30.0) -> Any:
        """Wait for what will come; an answer that is not false is returned."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if found := true():
                return found
            time.sleep(0.05)
        message = f"it did not come within {seconds:g} seconds"
        raise AssertionError(message)

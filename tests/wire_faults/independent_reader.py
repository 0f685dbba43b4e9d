"""Reads what a run wrote to topics, by another client than Telex has."""

from __future__ import annotations

import json
import time
from collections import Counter

from confluent_kafka import Consumer, KafkaException, TopicPartition

SILENT = 3.0
"""Seconds without a record after which all is read."""


class IndependentReader:
    """Counts the committed predictions of each document and learner, and the dead letters of each place.

    ``generation`` tells the places of a topic from those of the one of its name before it.
    """

    def __init__(self, address: str, out: str, dead: str) -> None:
        self._address, self._out, self._dead = address, out, dead
        self.predictions: Counter[tuple[str, str]] = Counter()
        self.letters: Counter[tuple[int, bytes, bytes, bytes]] = Counter()
        self.generation = 0
        self._next: dict[tuple[str, int], int] = {}

    def read(self) -> None:
        """Read what has come since."""
        settings = {"group.id": "independent", "enable.auto.commit": False, "isolation.level": "read_committed"}
        consumer = Consumer({"bootstrap.servers": self._address, "auto.offset.reset": "error", **settings})
        try:
            self._read(consumer)
        except KafkaException:
            time.sleep(0.2)  # the broker is not there yet; what was counted is behind the offsets that were stored
        finally:
            consumer.close()

    def _read(self, consumer: Consumer) -> None:
        ends, places = {}, []
        for topic in (self._out, self._dead):
            for number in consumer.list_topics(topic, timeout=10.0).topics[topic].partitions:
                one = topic, number
                ends[one] = consumer.get_watermark_offsets(TopicPartition(topic, number), timeout=10.0)[1]
                places.append(TopicPartition(topic, number, self._next.setdefault(one, 0)))
        consumer.assign(places)
        deadline = time.monotonic() + SILENT
        # A position also steps over markers of transactions, and stops at one that is open.
        while time.monotonic() < deadline and any(self._next[one] < end for one, end in ends.items()):
            for message in consumer.consume(1000, 0.2):
                if message.error():
                    raise KafkaException(message.error())
                deadline = time.monotonic() + SILENT
                self._count(message)
            for place in consumer.position(places):
                self._next[place.topic, place.partition] = max(self._next[place.topic, place.partition], place.offset)

    def _count(self, message: object) -> None:
        topic, number = message.topic(), message.partition()
        self._next[topic, number] = message.offset() + 1
        if topic == self._out:
            told = json.loads(message.value())
            self.predictions[told["id"], told["learner"]] += 1
        else:
            headers = dict(message.headers())
            names = ("topic", "partition", "offset")
            self.letters[self.generation, *(headers[f"__streams.errors.{name}"] for name in names)] += 1

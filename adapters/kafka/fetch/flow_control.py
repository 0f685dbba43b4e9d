"""How much may be fetched ahead: partitions that have enough are paused until the stream frees some of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kafka import KafkaConsumer
    from kafka.structs import TopicPartition

    from telex.adapters.kafka.fetch.log_bounds import LogBounds
    from telex.adapters.kafka.fetch.record_set import RecordSet


class FlowControl:
    """The bytes of each partition that are fetched and not freed yet, and the partitions that are ``paused`` for it.

    At most ``ahead`` bytes are fetched ahead, in equal shares. A partition is paused when its share is full, and
    resumed when half of it is free again.
    """

    def __init__(self, ahead: int) -> None:
        self.paused: set[TopicPartition] = set()
        self._ahead = ahead
        self._unfreed: dict[TopicPartition, int] = {}

    def add(self, one: TopicPartition, records: RecordSet) -> None:
        """Count records that are handed over."""
        self._unfreed[one] = self._unfreed.get(one, 0) + records.size

    def free(self, sizes: Mapping[TopicPartition, int]) -> None:
        """Count bytes that the stream has freed."""
        for one, size in sizes.items():
            self._unfreed[one] = max(0, self._unfreed.get(one, 0) - size)

    def balance(self, consumer: KafkaConsumer, mine: Sequence[TopicPartition], bounds: LogBounds) -> None:
        """Pause the partitions of ``mine`` that have enough fetched, and resume those that do not."""
        if not mine:
            return
        share = max(1, self._ahead // len(mine))
        full = {one for one in mine if one not in self.paused and self._unfreed.get(one, 0) >= share}
        free = {one for one in self.paused if self._unfreed.get(one, 0) <= share // 2}
        if full or free:
            assigned = consumer.assignment()
            full, free = full & assigned, free & assigned
        if full:
            consumer.pause(*full)
            self.paused |= full
        if free and bounds.try_ends(free):  # their ends are old, and must be known before the next round
            consumer.resume(*free)
            self.paused -= free

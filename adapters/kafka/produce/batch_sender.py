"""Messages given to a producer of kafka-python as whole batches of records, which are written natively."""

from __future__ import annotations

import hashlib
import inspect
import random
import time
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from kafka import errors as kafka
from kafka.producer import future, producer_batch, record_accumulator, sender
from kafka.record import default_records, memory_records
from kafka.structs import TopicPartition

from telex.adapters._messages import places, records

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kafka import KafkaProducer

    from telex.adapters.kafka.produce.encoded_messages import EncodedMessages
    from telex.learners.base import Offsets

KNOWN_HASHES = "d3dbb6eda9dd2de2", "13ea8bc7bdf1e1dc"
"""The results of :func:`source_hash` for kafka-python 3.0.9 to 3.0.11, and for 3.0.12."""


def source_hash() -> str:
    """Return a hash of all sources of kafka-python that batches rely on; empty if it has no sources."""
    modules = (future, producer_batch, record_accumulator, sender, default_records, memory_records)
    try:
        return hashlib.sha256("".join(map(inspect.getsource, modules)).encode()).hexdigest()[:16]
    except OSError:
        return ""


class _Given(Protocol):
    """What :class:`BatchSender` waits for: a record or a batch."""

    @property
    def is_done(self) -> bool:
        """Whether the brokers have acknowledged or refused it."""

    def get(self, timeout: float) -> object:
        """Wait until the brokers have it; raise the error if they do not take it."""


class _UnderWay(NamedTuple):
    given: _Given
    size: int
    messages: int


class BatchSender:
    """Gives messages to a producer, and knows which of them the brokers have not acknowledged yet.

    kafka-python appends each record by itself, in Python, and makes several objects for it. This appends many at a time
    to the same batches, in the same bytes; compression, checksum, sending and retries stay with kafka-python. If its
    sources differ from those that this was made for, each message is sent by the producer's own method.
    """

    def __init__(self, producer: KafkaProducer, known_hashes: Sequence[str] = KNOWN_HASHES) -> None:
        self._producer = producer
        self._whole = source_hash() in known_hashes
        self._topics = list[str]()  # those that messages had so far
        self._under_way: deque[_UnderWay] = deque()
        self.bytes = 0
        """How many bytes are not known to be acknowledged; call :meth:`settle` to know it better."""

    def send(self, messages: EncodedMessages) -> None:
        """Give messages to the producer; those of one partition keep their order."""
        if self._whole:
            news = 0
            for partition, rows in self._by_partition(messages):
                news += self._append(partition, messages, rows)
            if news:
                self._producer._sender.wakeup()  # once: it writes to a socket
            return
        for one in messages:
            sent = self._producer.send(one.topic, one.value, one.key, one.headers, None, one.timestamp)
            self._note(sent, one.size, 1)

    def settle(self, most: int, timeout: float) -> None:
        """Wait until at most ``most`` bytes are under way; raise the error of what could not be delivered."""
        while self._under_way:
            given, size, _ = self._under_way[0]
            if not given.is_done and self.bytes <= most:
                return
            given.get(timeout)
            self._under_way.popleft()
            self.bytes -= size

    def flush(self, timeout: float) -> None:
        """Wait until all that was sent by now is acknowledged; another thread may go on sending."""
        sent = self._under_way.copy()
        self._producer.flush(timeout=timeout)
        for one in sent:
            one.given.get(0)

    def pending(self) -> tuple[int, int]:
        """Return how many messages and bytes the brokers have not acknowledged; another thread may ask."""
        waiting = [one for one in self._under_way.copy() if not one.given.is_done]
        return sum(one.messages for one in waiting), sum(one.size for one in waiting)

    def _note(self, given: _Given, size: int, messages: int) -> None:
        self._under_way.append(_UnderWay(given, size, messages))
        self.bytes += size

    def _by_partition(self, messages: EncodedMessages) -> Iterator[tuple[TopicPartition, Offsets]]:
        """Yield the rows of each partition; records without a key go to any, as those of kafka-python do."""
        topics = self._topics
        while True:
            counts = [len(self._producer.partitions_for(topic)) for topic in topics]
            topic_of, partition_of = places(messages.data, messages.ends, topics, counts)
            unknown = np.flatnonzero(topic_of < 0)
            if not len(unknown):
                break
            row = int(unknown[0])
            topics.append(next(iter(messages.rows(row, row + 1))).topic)
        partition_of[partition_of < 0] = random.randrange(1 << 30)
        for number, (topic, count) in enumerate(zip(topics, counts, strict=True)):
            partitions = sorted(self._producer.partitions_for(topic))
            for partition in range(count):
                rows = np.flatnonzero((topic_of == number) & (partition_of % count == partition))
                if len(rows):
                    yield TopicPartition(topic, partitions[partition]), rows

    def _append(self, partition: TopicPartition, messages: EncodedMessages, rows: Offsets) -> bool:
        """Append rows to the last batch of a partition, and to new ones; the same as ``KafkaProducer.send`` of each.

        Return whether there is something new to send.
        """
        producer, accumulator = self._producer, self._producer._accumulator
        transactions = producer._transaction_manager
        if transactions and transactions.is_transactional():
            transactions.maybe_add_partition_to_transaction(partition)
        done, news = 0, False
        accumulator._appends_in_progress.increment()
        try:
            while done < len(rows):
                with accumulator._tp_lock(partition):
                    if accumulator._closed:
                        raise kafka.IllegalStateError("RecordAccumulator is closed")
                    queue = accumulator._batches[partition]
                    added = self._extend(queue[-1], messages, rows, done) if queue else 0
                    if not added:
                        news = True
                        batch = _new_batch(partition, accumulator.config)
                        added = self._extend(batch, messages, rows, done)
                        queue.append(batch)
                        accumulator._incomplete.add(batch)
                    done += added
                    news |= queue[-1].records.is_full()
        finally:
            accumulator._appends_in_progress.decrement()
        return news

    def _extend(self, batch: Any, messages: EncodedMessages, rows: Offsets, start: int) -> int:
        """Append the records of rows to a batch as far as it has room; return how many."""
        if batch.records._closed or not isinstance(batch._record_futures, _LateFutures):
            return 0  # it is on its way and comes back to be sent again, or was split
        memory, builder = batch.records, batch.records._builder
        made, count, first, latest = records(
            messages.data,
            messages.ends,
            rows,
            start,
            offset=memory._next_offset,
            first=builder._first_timestamp,
            now=int(time.time() * 1000),
            room=max(0, builder._batch_size - len(builder._buffer)),
        )
        if count:
            builder._max_timestamp = latest if builder._first_timestamp is None else max(latest, builder._max_timestamp)
            builder._first_timestamp = first
            builder._buffer += made
            builder._num_records += count
            memory._next_offset += count
            builder._last_offset = memory._next_offset - 1
            batch.last_append = time.monotonic()
            self._note(batch._record_futures, len(made), count)
        return count


class _LateFutures:
    """The futures of a batch's records. kafka-python asks for them only when it splits a batch, and they are made then.

    It then gives each record to one of the new batches, and forgets this batch.
    """

    def __init__(self, batch: Any) -> None:
        self._batch = batch
        self._made: list[Any] = []

    def __len__(self) -> int:
        return int(self._batch.record_count)

    def __getitem__(self, number: int) -> Any:
        if not self._made:
            one = self._batch.produce_future
            self._made = [
                future.FutureRecordMetadata(one, at, None, None, -1, -1, -1) for at in range(self._batch.record_count)
            ]
        return self._made[number]

    @property
    def is_done(self) -> bool:
        """Whether the brokers have acknowledged or refused all records."""
        return all(one.is_done for one in self._made) if self._made else bool(self._batch.is_done)

    def get(self, timeout: float) -> None:
        """Wait until the brokers have the records; raise the error if they do not take them."""
        result = self._batch.produce_future
        if not result.wait(timeout):
            raise kafka.KafkaTimeoutError(f"Timeout after waiting for {timeout} secs.")
        for one in self._made:
            one.get(timeout)
        if not self._made and result.value[2] is not None:
            raise result.value[2](0)


def _new_batch(partition: TopicPartition, config: dict[str, Any]) -> Any:
    memory = memory_records.MemoryRecordsBuilder(2, config["compression_attrs"], config["batch_size"])
    batch = producer_batch.ProducerBatch(partition, memory)
    batch._record_futures = _LateFutures(batch)
    return batch

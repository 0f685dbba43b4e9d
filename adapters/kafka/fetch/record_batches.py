"""Batches of records unpacked natively: the consumer of kafka-python, without an object for each record."""

from __future__ import annotations

import hashlib
import inspect
from typing import TYPE_CHECKING, Any

from kafka import errors as kafka
from kafka.consumer import fetcher
from kafka.protocol.consumer import IsolationLevel
from kafka.record import default_records, memory_records

from telex.adapters._records import Unpacking
from telex.adapters.kafka.fetch.record_set import RecordSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kafka import KafkaConsumer
    from kafka.structs import TopicPartition

KNOWN_HASH = "5e17a39fc66788b7"
"""The result of :func:`source_hash` for kafka-python 3.0.9 to 3.0.12."""
_AT_ONCE = 1 << 20
"""Bytes of records at which a record set is full; a batch is always read as a whole."""


def use_record_sets(consumer: KafkaConsumer, known_hash: str = KNOWN_HASH) -> bool:
    """Make the consumer's polls return record sets instead of records, of at most ``max_poll_records`` records.

    This function alone decides whether that is possible, and returns it. It is not if kafka-python's sources differ
    from those that this was made for: then a poll gives records, from which :func:`record_sets_of` makes the same
    record sets.
    """
    if source_hash() != known_hash:
        return False

    class Records(_ColumnRecords):
        most = consumer.config["max_poll_records"]

    consumer._fetcher.PartitionRecords = Records
    consumer.config["max_poll_records"] = 1
    consumer._fetcher.fetch_records = _awake(consumer._fetcher)
    return True


def _awake(fetching: fetcher.Fetcher) -> Callable[..., tuple[Any, bool]]:
    """Make a poll see records that came while it asked for more.

    kafka-python takes such a response for a used-up one, thinks that nothing is under way, and sleeps for 100 ms.
    """
    fetch_records = fetching.fetch_records

    def awake(*arguments: Any, **named: Any) -> tuple[Any, bool]:
        records, idle = fetch_records(*arguments, **named)
        return records, idle and not fetching._completed_fetches

    return awake


def source_hash() -> str:
    """Return a hash of all sources of kafka-python that are replaced here or relied on; empty if it has no sources."""
    try:
        sources = map(inspect.getsource, (fetcher, default_records, memory_records))
        return hashlib.sha256("".join(sources).encode()).hexdigest()[:16]
    except OSError:
        return ""


def record_sets_of(one: TopicPartition, records: list[Any]) -> list[RecordSet]:
    """Return the records that a poll gives of a partition as record sets."""
    if isinstance(records[0], RecordSet):
        return records
    rows = [
        (record.offset, -1 if record.timestamp is None else record.timestamp, record.key, record.value, record.headers)
        for record in records
    ]
    return [RecordSet.of((one.topic, one.partition), rows)]


class _ColumnRecords(fetcher.Fetcher.PartitionRecords):  # type: ignore[misc]
    """A fetch's records of one partition as record sets; everything else is as in kafka-python."""

    most: int

    def _maybe_skip_record(self, record: RecordSet) -> bool:
        return False  # records before the wanted offset are already left out

    def _unpack_records(
        self, tp: TopicPartition, records: memory_records.MemoryRecords, *_: object
    ) -> Iterator[RecordSet]:
        unpacked, trouble, batch = Unpacking(self.fetch_offset), None, records.next_batch()
        self._reached = self.fetch_offset
        while batch is not None:
            following = None
            try:
                self._read(batch, unpacked)
                following = records.next_batch()
            except Exception as error:  # raised after the records before it
                trouble = error
            over = following is None and trouble is None
            if over and batch.magic >= 2:
                self._reached = batch.next_offset  # behind the batch, even if its last records were compacted away
            if following is None or self._full(unpacked, following):
                while len(unpacked):
                    some = RecordSet((tp.topic, tp.partition), *unpacked.take(self.most))
                    self.next_fetch_offset = int(some.offsets[-1]) + 1 if len(unpacked) else self._reached
                    if over and not len(unpacked):
                        self.drain()  # now: the next request is made before the next poll
                    yield some
            if trouble is not None:
                raise trouble
            batch = following
        self.next_fetch_offset = self._reached
        self.drain()

    def _full(self, unpacked: Unpacking, following: Any) -> bool:
        """Tell whether a record set ends before a batch; its position carries the epoch of the leader."""
        other = following.magic >= 2 and following.leader_epoch != self.leader_epoch
        return other or unpacked.size >= _AT_ONCE or len(unpacked) >= self.most

    def _read(self, batch: Any, unpacked: Unpacking) -> None:
        if self.check_crcs and not batch.validate_crc():
            raise self._damaged(batch.base_offset, "its checksum is wrong")
        if batch.magic < 2:
            self._read_one_by_one(batch, unpacked)
        elif self._is_visible(batch):
            batch._maybe_uncompress()
            appended = batch.timestamp_type == batch.LOG_APPEND_TIME
            count, size, last, why = unpacked.add(
                batch._buffer,
                batch._pos,
                count=batch.records_count,
                offset=batch.base_offset,
                timestamp=batch.max_timestamp if appended else batch.first_timestamp,
                appended=appended,
            )
            self.records_read += count
            self.bytes_read += size
            if last is not None:
                self._reached = last + 1
            if why is not None:
                raise self._damaged(batch.base_offset, f"of record {count} in it, {why}")
        else:
            self._reached = batch.next_offset

    def _is_visible(self, batch: default_records.DefaultRecordBatch) -> bool:
        """Tell whether readers see the records of a batch: not markers, and not aborted records."""
        self.leader_epoch = batch.leader_epoch
        if self.isolation_level == IsolationLevel.READ_COMMITTED and batch.has_producer_id():
            self._consume_aborted_transactions_up_to(batch.last_offset)
            if self._contains_abort_marker(batch):
                self.aborted_producer_ids.discard(batch.producer_id)
            elif self._is_batch_aborted(batch):
                return False
        return not batch.is_control_batch

    def _read_one_by_one(self, batch: Any, unpacked: Unpacking) -> None:
        """Read a batch of the formats before version 2, which no broker has written since 0.11."""
        for record in batch:
            if self.check_crcs and not record.validate_crc():
                raise self._damaged(record.offset, "its checksum is wrong")
            self.records_read += 1
            self.bytes_read += record.size_in_bytes
            self._reached = record.offset + 1
            timestamp = -1 if record.timestamp is None else record.timestamp
            unpacked.append(record.offset, timestamp, record.key, record.value)

    def _damaged(self, offset: int, why: str) -> Exception:
        error: Exception = kafka.CorruptRecordError(f"batch at offset {offset} of {self.topic_partition}: {why}")
        return error

"""Transactions that put records into a topic exactly once, whatever the connection does."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from kafka import KafkaConsumer, KafkaProducer
from kafka import errors as kafka
from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.adapters.kafka.produce.producer_options import close_producer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from telex.adapters.kafka.brokers import Brokers

    CommittedOffsets = Mapping[TopicPartition, OffsetAndMetadata]

HELD_UP = 15.0  # seconds after which a commit counts as lost
PATIENCE = 120.0  # seconds that the brokers may be away
_RATE = 1 << 20  # lowest rate, in bytes a second, at which a transaction is expected to end
_TRIES = 3  # how often an error may repeat that waiting does not cure
FENCED = kafka.ProducerFencedError, kafka.InvalidProducerEpochError


class _SentRecord(NamedTuple):
    topic: str
    key: bytes | None
    value: bytes | None
    timestamp_ms: int | None
    headers: list[tuple[str, bytes]]


class Transactions:
    """The transactions of the producer ``name``, each with offsets of ``group`` that say how far it has come.

    It stores the records of an open transaction. If the connection breaks, and kafka-python with it, a new producer
    takes over, checks whether the transaction was committed, and sends the records again if not. ``committed`` has the
    offsets that are known to be committed. The brokers may be away for ``patience`` seconds.
    """

    def __init__(
        self, brokers: Brokers, name: str, group: str, options: Mapping[str, Any], patience: float | None = None
    ) -> None:
        self._brokers, self._group = brokers, group
        self._options = {**options, "transactional_id": name, "enable_idempotence": True}
        self._patience = PATIENCE if patience is None else patience
        self._producer: Any = None
        self._records: list[_SentRecord] = []
        self._bytes = 0
        self._begun = self._broken = False
        self._opened = 0.0
        self.committed: CommittedOffsets = {}

    def begin(self, partitions: Iterable[TopicPartition]) -> CommittedOffsets:
        """Take the name over from another process; return what is committed of ``partitions``."""
        self._connect()
        self.committed = committed_offsets(self._brokers, self._group, partitions)
        return self.committed

    @property
    def age(self) -> float:
        """For how many seconds a transaction has been open."""
        return time.monotonic() - self._opened if self._records else 0.0

    @property
    def is_open(self) -> bool:
        """Whether something was sent that is not committed."""
        return bool(self._records)

    def send(
        self,
        topic: str,
        key: bytes | None,
        value: bytes | None,
        timestamp_ms: int | None,
        headers: Sequence[tuple[str, bytes]] = (),
    ) -> None:
        """Send a record in the open transaction, or in a new one."""
        record = _SentRecord(topic, key, value, timestamp_ms, list(headers))
        if not self._records:
            self._opened = time.monotonic()
        self._records.append(record)
        self._bytes += len(key or b"") + len(value or b"")
        if not self._broken:
            try:
                self._send(record)
            except FENCED:
                raise
            except kafka.KafkaError:
                self._broken = True  # commit will repair it

    def commit(self, offsets: CommittedOffsets) -> None:
        """Commit what was sent together with ``offsets``."""
        try:
            if self._broken:
                self._retry(offsets)
            else:
                self._finish(offsets)
        except (*FENCED, kafka.AuthorizationError):
            raise
        except kafka.KafkaError:
            self._retry(offsets)
        self._records.clear()
        self._bytes = 0
        self.committed = {**self.committed, **offsets}

    def abort(self) -> None:
        """Abort the open transaction, so that no reader waits for it."""
        if self._records and not self._broken:
            with contextlib.suppress(kafka.KafkaError):
                within(HELD_UP, self._producer.abort_transaction)

    def close(self) -> None:
        """Leave an open transaction open: the next producer of the name will abort it."""
        if self._producer is not None:
            close_producer(self._producer)

    def _connect(self) -> None:
        self._producer = KafkaProducer(**self._options)
        # This aborts an open transaction of a killed process: only after it the committed offsets are known.
        self._producer.init_transactions()
        self._begun = self._broken = False

    def _send(self, record: _SentRecord) -> None:
        if not self._begun:
            self._producer.begin_transaction()
            self._begun = True
        topic, key, value, timestamp_ms, headers = record
        self._producer.send(topic, value, key, headers, None, timestamp_ms)

    def _finish(self, offsets: CommittedOffsets) -> None:
        producer, begun = self._producer, self._begun  # also if this is held up, and another producer has taken over

        def finish() -> None:
            if not begun:
                producer.begin_transaction()
            producer.send_offsets_to_transaction(dict(offsets), self._group)
            producer.commit_transaction()

        within(HELD_UP + self._bytes / _RATE, finish)
        self._begun = False

    def _retry(self, offsets: CommittedOffsets) -> None:
        """Try again with new producers, until it works or patience ends."""
        deadline, tries = time.monotonic() + self._patience, 0
        before = {one: self.committed[one] for one in offsets if one in self.committed}
        while True:
            self.close()
            try:
                self._connect()
                found = committed_offsets(self._brokers, self._group, offsets)
                if found == offsets:
                    return
                if found != before:
                    raise kafka.ProducerFencedError
                for record in self._records:
                    self._send(record)
                self._finish(offsets)
            except (*FENCED, kafka.AuthorizationError):
                raise
            except kafka.KafkaError as error:
                tries += not (error.retriable or isinstance(error, kafka.KafkaTimeoutError))
                if tries >= _TRIES or time.monotonic() > deadline:
                    raise
                time.sleep(0.5)
            else:
                return


def committed_offsets(brokers: Brokers, group: str, partitions: Iterable[TopicPartition]) -> CommittedOffsets:
    """Return the offsets that ``group`` has for those partitions; waits for open transactions."""
    consumer = KafkaConsumer(
        **brokers.clients, group_id=group, enable_auto_commit=False, isolation_level="read_committed"
    )
    try:
        found = {one: consumer.committed(one, metadata=True) for one in partitions}
    finally:
        consumer.close()
    return {
        one: OffsetAndMetadata(place.offset, place.metadata, -1)
        for one, place in found.items()
        if place is not None and place.offset >= 0
    }


def within(seconds: float, call: Callable[[], None]) -> None:
    """Call a function of kafka-python that might wait forever, and wait no longer than ``seconds``."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            call()
        except BaseException as error:  # raised again in the waiting thread
            raised.append(error)

    thread = threading.Thread(target=run, name="transaction", daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise kafka.KafkaTimeoutError(f"a transaction was not ended within {seconds:g} seconds")
    if raised:
        raise raised[0]

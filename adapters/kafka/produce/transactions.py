"""Transactions that put records into a topic exactly once, whatever the connection does."""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING, Any

from kafka import KafkaConsumer, KafkaProducer
from kafka import errors as kafka
from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.adapters.kafka.produce.batch_sender import BatchSender
from telex.adapters.kafka.produce.delivery_figures import TransactionFigures
from telex.adapters.kafka.produce.message_blocks import MessageBlocks
from telex.adapters.kafka.produce.producer_options import close_producer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.produce.encoded_messages import EncodedMessages

    CommittedOffsets = Mapping[TopicPartition, OffsetAndMetadata]

HELD_UP = 15.0  # seconds after which a commit counts as lost
PATIENCE = 120.0  # seconds that the brokers may be away
_RATE = 1 << 20  # lowest rate, in bytes a second, at which a transaction is expected to end
_TRIES = 3  # how often an error may repeat that waiting does not cure
_AHEAD = 8 << 20  # bytes that the producer may have at a time
_PIECE = 1 << 18  # bytes that it is given at a time
FENCED = kafka.ProducerFencedError, kafka.InvalidProducerEpochError


class _Connection:
    """A producer, and how many messages of the open transaction it has."""

    def __init__(self, producer: Any) -> None:
        self.producer, self._sender = producer, BatchSender(producer)
        # Else a producer (3.0.12) that another process has fenced would fence that process in turn, and lose messages.
        producer._transaction_manager._supports_epoch_bump = lambda: False
        self._sent, self.begun = 0, False

    def begin(self) -> None:
        """Begin a transaction, if none is open."""
        if not self.begun:
            self.producer.begin_transaction()
            self.begun = True

    def send(self, messages: MessageBlocks, timeout: float) -> None:
        """Give the producer the messages that it does not have, or without a ``timeout`` only those it has room for."""
        sender = self._sender
        for block in messages.rows(self._sent):
            for some in block.cut(_PIECE):
                sender.settle(_AHEAD if timeout else sender.bytes, timeout)
                if sender.bytes > _AHEAD:
                    return
                self.begin()
                sender.send(some)
                self._sent += len(some)

    def ended(self) -> None:
        """Note that the transaction is over."""
        self._sender.settle(0, 0.0)
        self._sent, self.begun = 0, False

    def cause(self, error: kafka.KafkaError) -> BaseException:
        """Return why the producer fails: after its first error it only says that there was one."""
        found: BaseException | None = self.producer._transaction_manager.last_error
        return found or error


class Transactions:
    """The transactions of the producer ``name``, each with offsets of ``group`` that say how far it has come.

    A transaction opens with its first message. Messages are sent as they come, as far as the brokers follow, and the
    rest with the commit; until then they are stored. If the connection breaks, and kafka-python with it, a new producer
    takes over, checks whether the transaction was committed, and sends the messages again if not. So it does after a
    transaction that was open for longer than the brokers allow, which they have aborted. ``committed`` has the offsets
    that are known to be committed. The brokers may be away for ``patience`` seconds.
    """

    def __init__(
        self, brokers: Brokers, name: str, group: str, options: Mapping[str, Any], patience: float | None = None
    ) -> None:
        self._brokers, self._group = brokers, group
        self._options = {**options, "transactional_id": name, "enable_idempotence": True}
        self.longest = self._options.get("transaction_timeout_ms", 60_000) / 1000
        """How many seconds a transaction may be open."""
        self._patience = PATIENCE if patience is None else patience
        self._connection: _Connection | None = None
        self.messages = MessageBlocks()
        """The messages of the open transaction."""
        self._broken = self._closed = False
        self._opened = 0.0
        self.failures = 0
        """How often a new producer had to take over."""
        self.delivered = 0
        """How many messages were committed."""
        self._commits, self._seconds = 0, 0.0
        self.committed: CommittedOffsets = {}

    def begin(self, partitions: Iterable[TopicPartition]) -> CommittedOffsets:
        """Take the name over from another process; return what is committed of ``partitions``."""
        self._connect()
        self.committed = committed_offsets(self._brokers, self._group, partitions)
        return self.committed

    @property
    def age(self) -> float:
        """For how many seconds a transaction has been open."""
        return time.monotonic() - self._opened if self.messages else 0.0

    @property
    def is_open(self) -> bool:
        """Whether there are messages that are not committed."""
        return bool(self.messages)

    def put(self, messages: EncodedMessages) -> None:
        """Put messages into the open transaction, or into a new one."""
        self._note_opening()
        self.messages.add(messages)
        self._send_ahead()

    def take(self, messages: MessageBlocks) -> None:
        """Put stored messages into the open transaction, or into a new one, without a copy."""
        if messages:
            self._note_opening()
            self.messages.take(messages)
            self._send_ahead()

    def commit(self, offsets: CommittedOffsets) -> None:
        """Commit what was put together with ``offsets``."""
        began = time.monotonic()
        try:
            if self._broken:
                self._retry(offsets)
            else:
                self._finish(offsets)
        except kafka.AuthorizationError:
            raise
        except FENCED:
            if self.age < self.longest:
                raise
            self._retry(offsets)
        except kafka.KafkaError:
            self._retry(offsets)
        self.delivered += len(self.messages)
        self.messages.clear()
        self._commits, self._seconds = self._commits + 1, self._seconds + time.monotonic() - began
        self.committed = {**self.committed, **offsets}

    def figures(self) -> TransactionFigures:
        """Return what is known now; another thread may ask."""
        return TransactionFigures(self._commits, self._seconds, self.failures, self.age)

    def abort(self) -> None:
        """Abort the open transaction, so that no reader waits for it."""
        if self._connection and self._connection.begun and not self._broken:
            with contextlib.suppress(kafka.KafkaError):
                within(HELD_UP, self._connection.producer.abort_transaction)

    def close(self) -> None:
        """Leave an open transaction open: the next producer of the name will abort it."""
        self._closed = True  # a commit that another thread tries again ends
        self._disconnect()

    def _disconnect(self) -> None:
        if self._connection is not None:
            close_producer(self._connection.producer)

    def _connect(self) -> _Connection:
        connection = self._connection = _Connection(KafkaProducer(**self._options))
        # This aborts an open transaction of a killed process: only after it the committed offsets are known.
        connection.producer.init_transactions()
        self._broken = False
        return connection

    def _note_opening(self) -> None:
        if not self.messages:
            self._opened = time.monotonic()

    def _send_ahead(self) -> None:
        """Give the producer messages as far as the brokers follow."""
        connection = self._connection
        if self._broken or connection is None:
            return
        try:
            connection.send(self.messages, 0.0)
        except kafka.KafkaError as error:
            if isinstance(connection.cause(error), FENCED) and self.age < self.longest:
                raise kafka.ProducerFencedError from error
            self._broken = True  # commit will repair it

    def _finish(self, offsets: CommittedOffsets) -> None:
        connection, messages = self._connection, self.messages
        assert connection is not None

        def finish() -> None:  # if this is held up, another connection has taken over meanwhile
            connection.send(messages, self._patience)
            connection.begin()
            connection.producer.send_offsets_to_transaction(dict(offsets), self._group)
            connection.producer.commit_transaction()
            connection.ended()

        try:
            within(HELD_UP + messages.size / _RATE, finish)
        except kafka.KafkaError as error:
            if isinstance(cause := connection.cause(error), FENCED):
                raise cause from error
            raise

    def _retry(self, offsets: CommittedOffsets) -> None:
        """Try again with new producers, until it works or patience ends."""
        deadline, tries = time.monotonic() + self._patience, 0
        before = {one: self.committed[one] for one in offsets if one in self.committed}
        while True:
            self.failures += 1
            self._disconnect()
            try:
                self._connect()
                found = committed_offsets(self._brokers, self._group, offsets)
                if found == offsets:
                    return
                if found != before:
                    raise kafka.ProducerFencedError
                self._finish(offsets)
            except (*FENCED, kafka.AuthorizationError):
                raise
            except kafka.KafkaError as error:
                tries += not (error.retriable or isinstance(error, kafka.KafkaTimeoutError))
                if self._closed or tries >= _TRIES or time.monotonic() > deadline:
                    raise
                time.sleep(0.5)
            else:
                return


def committed_offsets(brokers: Brokers, group: str, partitions: Iterable[TopicPartition]) -> CommittedOffsets:
    """Return the offsets that ``group`` has for those partitions; waits for open transactions.

    Without a time limit kafka-python would wait forever where the group's coordinator is away and other brokers answer.
    """
    until = time.monotonic() + brokers.attempt
    consumer = KafkaConsumer(
        **brokers.clients, group_id=group, enable_auto_commit=False, isolation_level="read_committed"
    )
    try:
        found = {
            one: consumer.committed(one, metadata=True, timeout_ms=max(1, int(1000 * (until - time.monotonic()))))
            for one in partitions
        }
    except kafka.KafkaTimeoutError as error:
        raise kafka.CoordinatorNotAvailableError(f"for {brokers.attempt:g} s") from error
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

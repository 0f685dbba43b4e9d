"""Sends predictions in transactions that also commit the offsets of a group with many members."""

from __future__ import annotations

import secrets
import time
from typing import TYPE_CHECKING, Any

from kafka import KafkaProducer
from kafka import errors as kafka
from kafka.structs import OffsetAndMetadata

from telex.adapters.kafka.failures import telex_error
from telex.adapters.kafka.produce.batch_sender import BatchSender
from telex.adapters.kafka.produce.producer_options import (
    close_producer,
    connection_errors,
    producer_options,
)
from telex.adapters.kafka.produce.transactions import HELD_UP, PATIENCE, within
from telex.adapters.kafka.topics import prepare_topics
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kafka.structs import ConsumerGroupMetadata, TopicPartition

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.produce.encoded_messages import EncodedMessages
    from telex.adapters.kafka.topics import TopicLimits

_LONGEST = 10_000
"""Milliseconds after which the brokers abort the transaction of a member that was killed."""
_PAUSE = 0.5


class GroupTransactions:
    """Puts messages into topics together with the offsets of the records that they are about, or neither.

    The brokers take the offsets only from a ``member`` that still belongs to the group in the generation in which it
    read the records: so of two members that have had a partition, one commits. Each process has a transactional id of
    its own, which fences nobody else.

    After a failure it is unknown whether the transaction was committed: :meth:`deliver` then returns why, a new
    producer has taken over, and what the group has committed says where to go on. (kafka-python 3.0.12 would send the
    offsets of an aborted transaction again with those of the next one.)
    """

    def __init__(self, brokers: Brokers, group: str, patience: float = PATIENCE, *, create: int | None = None) -> None:
        self._brokers, self._group, self._patience, self._create = brokers, group, patience, create
        self._name = f"{group}-{secrets.token_hex(8)}"
        self._options: dict[str, Any] = {}
        self._producer: Any = None

    def begin(self, topics: Sequence[str]) -> list[TopicLimits]:
        """Connect, and return the limits of the topics."""
        with connection_errors(self._brokers, self._group, self._name):
            limits = prepare_topics(self._brokers, topics, self._create)
            self._options = producer_options(self._brokers, limits)
            self._options |= {"transactional_id": self._name, "transaction_timeout_ms": _LONGEST}
            self.close()  # one that failed before
            self._connect()
        return limits

    def deliver(
        self, messages: EncodedMessages, offsets: Mapping[TopicPartition, int], member: ConsumerGroupMetadata
    ) -> str | None:
        """Commit messages and offsets; return None, or why it is unknown whether they are committed."""
        places = {one: OffsetAndMetadata(offset, "", -1) for one, offset in offsets.items()}
        producer = self._producer  # also if this is held up, and another producer has taken over meanwhile

        def transaction() -> None:
            producer.begin_transaction()
            BatchSender(producer).send(messages)
            producer.send_offsets_to_transaction(places, member)
            producer.commit_transaction()

        try:
            within(HELD_UP, transaction)
        except kafka.AuthorizationError as error:
            raise self._undelivered(error) from error
        except kafka.KafkaError as error:
            self._replace_producer()
            return type(error).__name__
        return None

    def close(self) -> None:
        """Close the producer."""
        if self._producer is not None:
            close_producer(self._producer)

    def _connect(self) -> None:
        producer = self._producer = KafkaProducer(**self._options)
        producer.init_transactions()  # this ends what the producer before has left open

    def _replace_producer(self) -> None:
        deadline = time.monotonic() + self._patience
        while True:
            self.close()
            try:
                within(HELD_UP, self._connect)
            except kafka.KafkaError as error:
                if time.monotonic() > deadline or isinstance(error, kafka.AuthorizationError):
                    raise self._undelivered(error) from error
                time.sleep(_PAUSE)
            else:
                return

    def _undelivered(self, error: kafka.KafkaError) -> StoppedError:
        why = telex_error(error, self._brokers, self._group, transactional_id=self._name, resume="")
        return StoppedError(f"predictions could not be delivered: {why}; start the reader again")

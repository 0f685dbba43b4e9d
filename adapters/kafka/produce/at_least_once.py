"""Sends messages as they come; after a kill, those since the last checkpoint are sent again."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from kafka import KafkaProducer
from kafka import errors as kafka

from telex.adapters.kafka.failures import telex_error
from telex.adapters.kafka.produce.batch_sender import BatchSender
from telex.adapters.kafka.produce.delivery_figures import DeliveryFigures
from telex.adapters.kafka.produce.encoded_messages import EncodedMessages, saved_messages
from telex.adapters.kafka.produce.producer_options import (
    close_producer,
    connection_errors,
    producer_options,
)
from telex.adapters.kafka.topics import prepare_topics
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.topics import TopicLimits
    from telex.learners.base import State

_AHEAD = 32 << 20


class AtLeastOnce:
    """Sends messages (:class:`.Delivery`) by an idempotent producer.

    At most ``ahead`` bytes are under way: a caller that puts more waits. The brokers may be away for ``patience``
    seconds; after that, an undelivered message ends the run at its next call. Before a checkpoint is written, the
    brokers have acknowledged all messages up to it. Missing topics are made with ``create`` partitions, if given.
    """

    checkpoints = False
    full = False

    def __init__(
        self, brokers: Brokers, *, patience: float = 300.0, ahead: int = _AHEAD, create: int | None = None
    ) -> None:
        self._brokers, self._patience, self._ahead, self._create = brokers, patience, ahead, create
        self._producer: Any = None
        self._sender: BatchSender | None = None
        self._loaded: list[EncodedMessages] = []
        self._put = 0

    def begin(self, topics: Sequence[str]) -> list[TopicLimits]:
        """Connect, and send the messages that were loaded."""
        with connection_errors(self._brokers):
            limits = prepare_topics(self._brokers, topics, self._create)
            options = producer_options(self._brokers, limits, exact=False)
            least = options["linger_ms"] + options.get("request_timeout_ms", 30_000)
            options["delivery_timeout_ms"] = max(int(1000 * self._patience), least)
            self._producer = KafkaProducer(**options)
            self._sender = BatchSender(self._producer)
        for messages in self._loaded:
            self.put(messages)
        self._loaded = []
        return limits

    def put(self, messages: EncodedMessages) -> None:
        """Send messages; wait while too much is under way."""
        assert self._sender is not None
        with self._sentences():
            for some in messages.cut(self._ahead // 4):
                self._sender.settle(max(0, self._ahead - some.size), self._patience + 60)
                self._sender.send(some)
                self._put += len(some)

    def figures(self) -> DeliveryFigures:
        """Return what the brokers have acknowledged, and what not."""
        put = self._put  # before what is pending, which is then at least what is pending of these
        count, size = (0, 0) if self._sender is None else self._sender.pending()
        return DeliveryFigures(count, size, max(0, put - count))

    def sync(self) -> None:
        """Wait until the brokers have acknowledged everything."""
        assert self._sender is not None
        with self._sentences():
            self._sender.flush(self._patience + 60)

    def save(self) -> State | None:
        """Return None: every message is in its topic."""
        return None

    def load(self, state: State) -> None:
        """Take over the messages that an exactly-once run had not sent yet; they may be sent twice."""
        self._loaded = saved_messages(state)

    def resumed(self, number: int, place: State | None) -> None:
        """Do nothing."""

    def checkpointed(self, number: int, place: State | None) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Close the producer; a run that resumes from the last checkpoint sends the rest."""
        if self._producer is not None:
            close_producer(self._producer)

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except kafka.KafkaError as error:
            why = telex_error(error, self._brokers, resume="")
            raise StoppedError(f"results could not be delivered: {why}; continue with --resume") from error

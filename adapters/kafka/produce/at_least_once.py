"""Sends messages as they come; after a kill, those since the last checkpoint are sent again."""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, Any

from kafka import KafkaProducer
from kafka import errors as kafka

from telex.adapters.kafka.failures import telex_error
from telex.adapters.kafka.produce import saved_messages
from telex.adapters.kafka.produce.producer_options import (
    close_producer,
    connection_errors,
    existing_topics,
    producer_options,
)
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.produce.messages import Message
    from telex.adapters.kafka.topics import TopicLimits
    from telex.learners.base import State

_AHEAD = 32 << 20


class AtLeastOnce:
    """Sends messages (:class:`.Delivery`) by an idempotent producer.

    At most ``ahead`` bytes are under way: a caller that puts more waits. The brokers may be away for ``patience``
    seconds; after that, an undelivered message ends the run at its next call. Before a checkpoint is written, the
    brokers have acknowledged all messages up to it.
    """

    checkpoints = False
    full = False

    def __init__(self, brokers: Brokers, *, patience: float = 300.0, ahead: int = _AHEAD) -> None:
        self._brokers, self._patience, self._ahead = brokers, patience, ahead
        self._producer: Any = None
        self._under_way: deque[tuple[Any, int]] = deque()
        self._bytes = 0
        self._lock = Lock()
        self._error: BaseException | None = None
        self._loaded: list[Message] = []

    def begin(self, topics: Sequence[str]) -> list[TopicLimits]:
        """Connect, and send the messages that were loaded."""
        with connection_errors(self._brokers):
            limits = existing_topics(self._brokers, topics)
            options = producer_options(self._brokers, limits)
            least = options["linger_ms"] + options.get("request_timeout_ms", 30_000)
            options["delivery_timeout_ms"] = max(int(1000 * self._patience), least)
            self._producer = KafkaProducer(**options)
        self.put(self._loaded)
        self._loaded = []
        return limits

    def put(self, messages: Iterable[Message]) -> None:
        """Send messages; wait while too much is under way."""
        for one in messages:
            self._settle(one.size)
            future = self._producer.send(
                one.topic, value=one.value, key=one.key, headers=one.headers, timestamp_ms=one.timestamp
            )
            with self._lock:
                self._under_way.append((future, one.size))
                self._bytes += one.size

    def sync(self) -> None:
        """Wait until the brokers have acknowledged everything."""
        with self._lock:
            sent = [future for future, _ in self._under_way]
        try:
            self._producer.flush(timeout=self._patience + 60)
            for future in sent:
                future.get(timeout=0)
        except kafka.KafkaError as error:
            raise self._undelivered(error) from error
        if self._error is not None:
            raise self._undelivered(self._error)

    def save(self) -> State | None:
        """Return None: every message is in its topic."""
        return None

    def load(self, state: State) -> None:
        """Take over the messages that an exactly-once run had not sent yet; they may be sent twice."""
        self._loaded = list(saved_messages.messages(saved_messages.from_arrays(state)))

    def resumed(self, number: int, place: State | None) -> None:
        """Do nothing."""

    def checkpointed(self, number: int, place: State | None) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Close the producer; a run that resumes from the last checkpoint sends the rest."""
        if self._producer is not None:
            close_producer(self._producer)

    def _settle(self, size: int) -> None:
        """Forget acknowledged messages, and wait until there is room for ``size`` bytes."""
        while self._under_way:
            future, some = self._under_way[0]
            if not future.is_done and self._bytes + size <= self._ahead:
                return
            try:
                future.get(timeout=self._patience + 60)
            except kafka.KafkaError as error:
                self._error = error
                raise self._undelivered(error) from error
            with self._lock:
                self._under_way.popleft()
                self._bytes -= some

    def _undelivered(self, error: BaseException) -> StoppedError:
        why = telex_error(error, self._brokers, resume="")
        return StoppedError(f"results could not be delivered: {why}; continue with --resume")

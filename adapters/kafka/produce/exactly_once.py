"""Sends messages in transactions with checkpoints, each exactly once."""

from __future__ import annotations

import contextlib
import secrets
from typing import TYPE_CHECKING

from kafka import KafkaConsumer
from kafka import errors as kafka
from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.adapters.kafka.consume import offsets_of
from telex.adapters.kafka.failures import telex_error
from telex.adapters.kafka.produce import saved_messages
from telex.adapters.kafka.produce.producer_options import connection_errors, existing_topics, producer_options
from telex.adapters.kafka.produce.transactions import FENCED, Transactions
from telex.learners.base import StoppedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.fetch import Partition
    from telex.adapters.kafka.produce.messages import Message
    from telex.adapters.kafka.topics import TopicLimits
    from telex.learners.base import State

_MOST = 64 << 20
_SECOND = 1000
_LONGEST = 900  # seconds that brokers as they come let a transaction be open


class ExactlyOnce:
    """Stores messages (:class:`.Delivery`) until a checkpoint has them; sends them in one transaction with its place.

    The place is the offsets of ``group`` in ``topics``, those that the run reads; their metadata are the checkpoint's
    number and a random id of the run. So a message is in its topic if, and only if, the offset of its source record is
    below the offset that this run has committed for that partition. This decides which messages to send and which to
    leave out, whenever the run was killed and whichever checkpoint it resumes from. Nothing else may commit offsets of
    the group. ``name`` is the transactional id: a second process that has it ends the first.

    Above ``most`` bytes it asks the run for a checkpoint. Kafka forgets the offsets of a group that is idle for
    ``offsets.retention.minutes``: then the run cannot know which messages are in the topics, and refuses to resume.
    """

    checkpoints = True

    def __init__(
        self,
        brokers: Brokers,
        group: str,
        name: str,
        topics: Sequence[str],
        *,
        patience: float = 300.0,
        most: int = _MOST,
    ) -> None:
        self._brokers, self._group, self._name, self._topics = brokers, group, name, topics
        self._patience, self._most = patience, most
        self._run = secrets.token_hex(8)
        self._transactions: Transactions | None = None
        self._new: list[bytes] = []  # messages since the last checkpoint
        self._bytes = 0
        self._unsent: list[bytes] = []  # messages of a checkpoint that are not sent yet
        self._has_committed = False  # whether something was committed before
        self._resumed: tuple[int, State] | None = None
        self._committed: dict[Partition, int] = {}

    def begin(self, topics: Sequence[str]) -> list[TopicLimits]:
        """Take over the transactional id, and send the messages of the checkpoint that are not in the topics."""
        with connection_errors(self._brokers, self._group):
            limits = existing_topics(self._brokers, topics)
            options = producer_options(self._brokers, limits)
            options["transaction_timeout_ms"] = int(_SECOND * min(_LONGEST, self._patience + 60))
            self._transactions = Transactions(self._brokers, self._name, self._group, options, self._patience)
            found = self._transactions.begin(_partitions(self._brokers, self._topics))
        self._committed = {
            (one.topic, one.partition): place.offset
            for one, place in found.items()
            if place.metadata.partition(" ")[2] == self._run
        }
        if self._has_committed and not self._committed:
            raise UsageError(
                f"group {self._group} has no offsets of this run any more (Kafka forgets those of a group that is idle "
                "for offsets.retention.minutes), so it is unknown whether its last messages were sent; resume "
                "without --exactly-once, which sends them, perhaps again"
            )
        messages = [one for one in saved_messages.messages(self._unsent) if self._is_missing(one)]
        self._unsent = [saved_messages.encode(one) for one in messages]
        if self._resumed is not None:
            number, place = self._resumed
            at = offsets_of(place)
            if self._unsent or (
                self._committed and any(self._committed.get(one, 0) < offset for one, offset in at.items())
            ):
                self._commit(number, place)
            self._committed = {one: offset for one, offset in self._committed.items() if offset > at.get(one, 0)}
        return limits

    def put(self, messages: Iterable[Message]) -> None:
        """Store messages until the next checkpoint."""
        encoded = [saved_messages.encode(one) for one in messages if not self._committed or self._is_missing(one)]
        self._bytes += sum(map(len, encoded))
        self._new += encoded

    @property
    def full(self) -> bool:
        """Whether a checkpoint should come: more than ``most`` bytes are stored."""
        return self._bytes > self._most

    def save(self) -> State | None:
        """Return the stored messages."""
        self._unsent += self._new
        self._new, self._bytes = [], 0
        return {**saved_messages.to_arrays(self._unsent), "run": self._run, "putting": self._has_committed}

    def load(self, state: State) -> None:
        """Take over the messages of a checkpoint."""
        self._unsent = saved_messages.from_arrays(state)
        self._run, self._has_committed = str(state["run"]), bool(state["putting"])

    def resumed(self, number: int, place: State | None) -> None:
        """Note the checkpoint that the run resumes from."""
        self._resumed = None if place is None else (number, place)

    def sync(self) -> None:
        """Do nothing: nothing is under way."""

    def checkpointed(self, number: int, place: State | None) -> None:
        """Send the messages of the checkpoint."""
        if place is None:
            raise UsageError(
                "this source has no place by records, which --exactly-once needs; read topics, or leave it out"
            )
        self._commit(number, place)

    def close(self) -> None:
        """Close the producer; a run that resumes makes again the messages that are in no checkpoint."""
        if self._transactions is not None:
            self._transactions.close()

    def _is_missing(self, message: Message) -> bool:
        topic, partition, offset = message.source
        return offset >= self._committed.get((topic, partition), 0)

    def _commit(self, number: int, place: State) -> None:
        assert self._transactions is not None
        # Offsets never go back: messages below a committed one are there, whichever checkpoint the run resumes from.
        offsets = {one: max(offset, self._committed.get(one, 0)) for one, offset in offsets_of(place).items()}
        with self._sentences():
            for one in saved_messages.messages(self._unsent):
                self._transactions.send(one.topic, one.key, one.value, one.timestamp, one.headers)
            self._transactions.commit(
                {
                    TopicPartition(*one): OffsetAndMetadata(offset, f"{number} {self._run}", -1)
                    for one, offset in offsets.items()
                }
            )
        self._unsent, self._has_committed = [], True

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        try:
            yield
        except FENCED as error:
            raise StoppedError(
                f"another process has taken over as {self._name}, or this one was held up for minutes; stop one of "
                "them, and continue with --resume"
            ) from error
        except kafka.KafkaError as error:
            why = telex_error(error, self._brokers, self._group, resume="")
            raise StoppedError(
                f"results could not be delivered: {why}; the checkpoint has them, so continue with --resume"
            ) from error


def _partitions(brokers: Brokers, topics: Iterable[str]) -> list[TopicPartition]:
    consumer = KafkaConsumer(**brokers.clients, enable_auto_commit=False)
    try:
        return [TopicPartition(topic, one) for topic in topics for one in consumer.partitions_for_topic(topic) or ()]
    finally:
        consumer.close()

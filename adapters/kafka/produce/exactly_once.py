"""Sends messages in transactions with checkpoints, each exactly once."""

from __future__ import annotations

import contextlib
import secrets
from functools import partial
from typing import TYPE_CHECKING

from kafka import KafkaConsumer
from kafka import errors as kafka
from kafka.structs import TopicPartition

from telex.adapters.kafka.failures import telex_error
from telex.adapters.kafka.fetch import topic_id
from telex.adapters.kafka.produce.committed_places import CommittedPlaces
from telex.adapters.kafka.produce.delivery_figures import DeliveryFigures
from telex.adapters.kafka.produce.encoded_messages import EncodedMessages, saved_messages
from telex.adapters.kafka.produce.message_blocks import MessageBlocks
from telex.adapters.kafka.produce.own_thread import OwnThread
from telex.adapters.kafka.produce.producer_options import connection_errors, producer_options
from telex.adapters.kafka.produce.transactions import FENCED, Transactions
from telex.adapters.kafka.topics import prepare_topics
from telex.learners.base import StoppedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.topic_names import TopicNames
    from telex.adapters.kafka.topics import TopicLimits
    from telex.learners.base import State

_MOST = 64 << 20
_SECOND = 1000
_LONGEST = 900  # seconds that brokers as they come let a transaction be open


class ExactlyOnce:
    """Sends messages (:class:`.Delivery`) in one transaction with the place of the checkpoint that has them.

    A transaction opens with the first message behind a checkpoint, and is committed once the next checkpoint is on the
    disk. Messages that come while it is written are stored for the transaction behind it.

    The place is the offsets of ``group`` in ``topics``, those that the run reads; their metadata are the checkpoint's
    number, a random id of the run and the topic's (:class:`.CommittedPlaces`). So a message is in its topic if, and
    only if, the offset of its source record is below the offset that this run has committed for that partition. This
    decides which messages to send and which to leave out, whenever the run was killed and whichever checkpoint it
    resumes from. A run that begins commits where the logs begin, before anything is sent, so that a group without
    offsets of the run is one that has lost them. Nothing else may commit offsets of the group. ``name`` is the
    transactional id: a second process that has it ends the first.

    It asks the run for a checkpoint above ``most`` bytes, and when a transaction has been open for half as long as the
    brokers allow. Kafka forgets the offsets of a group that is idle for
    ``offsets.retention.minutes``: then the run cannot know which messages are in the topics, and refuses to resume.
    """

    checkpoints = True

    def __init__(
        self,
        brokers: Brokers,
        group: str,
        name: str,
        topics: TopicNames,
        *,
        patience: float = 300.0,
        most: int = _MOST,
        create: int | None = None,
    ) -> None:
        self._brokers, self._group, self._name, self._topics = brokers, group, name, topics
        self._patience, self._most, self._create = patience, most, create
        self._run = secrets.token_hex(8)
        self._transactions: Transactions | None = None
        self._committer: OwnThread | None = None
        self._loaded: list[EncodedMessages] | None = None  # the messages of the checkpoint, if it has any state of ours
        self._waiting = MessageBlocks()  # messages behind a checkpoint that is being written
        self._writing = False
        self._has_begun = False  # whether there is a checkpoint: the first has no messages, and is not committed
        self._was_named = False  # whether the group had offsets of this run before its checkpoint
        self._resumed: tuple[int, State] | None = None
        self._committed = CommittedPlaces({}, self._run, {})

    def begin(self, topics: Sequence[str]) -> list[TopicLimits]:
        """Take over the transactional id, and send the messages of the checkpoint that are not in the topics."""
        self._committer = self._committer or OwnThread("commit")  # made here, by a thread of the run's priority
        with connection_errors(self._brokers, self._group, self._name):
            limits = prepare_topics(self._brokers, topics, self._create)
            options = producer_options(self._brokers, limits)
            options["transaction_timeout_ms"] = int(_SECOND * min(_LONGEST, self._patience + 60))
            if self._transactions is not None:  # it failed before
                self._transactions.close()
            self._transactions = Transactions(self._brokers, self._name, self._group, options, self._patience)
            beginnings, ids = _beginnings(self._brokers, self._topics)
            self._committed = CommittedPlaces(self._transactions.begin(beginnings), self._run, ids)
            if not self._committed.known:
                self._check_not_forgotten()
                if beginnings:
                    self._transactions.commit(self._committed.to_begin(self._run, beginnings))
        self._was_named = True
        if self._resumed is not None:
            self._take_up(self._transactions, *self._resumed)
        self._loaded = None
        return limits

    def _check_not_forgotten(self) -> None:
        """Refuse to resume a run that had offsets; one that an earlier version began had them from checkpoint 1 on."""
        if self._was_named or (self._loaded is not None and self._resumed is not None):
            raise UsageError(
                f"group {self._group} has no offsets of this run any more (Kafka forgets those of a group that is idle "
                "for offsets.retention.minutes), so it is unknown whether its last messages were sent; resume "
                "without --exactly-once, which sends them, perhaps again"
            )

    def _take_up(self, transactions: Transactions, number: int, place: State) -> None:
        """Send the messages of the checkpoint that are not in the topics."""
        for some in self._loaded or ():
            missing = (one for one in some if self._committed.was_missing(one.source, number, place))
            transactions.put(EncodedMessages.of(missing))
        if transactions.is_open or (self._committed.known and not self._committed.is_ahead_of(place)):
            self._commit(number, place, again=True)
        self._committed.resume(place)

    def put(self, messages: EncodedMessages) -> None:
        """Send messages in the open transaction, or store them until the one before is committed."""
        if self._committed.comes_again:
            messages = EncodedMessages.of(one for one in messages if self._committed.is_missing(one.source))
        if self._writing:
            self._waiting.add(messages)
        elif len(messages):
            self._send_waiting()
            with self._sentences():
                self._open.put(messages)

    def figures(self) -> DeliveryFigures:
        """Return what is committed, and what not."""
        if self._transactions is None:
            return DeliveryFigures()
        stored, waiting = self._transactions.messages, self._waiting
        return DeliveryFigures(
            len(stored) + len(waiting),
            stored.size + waiting.size,
            self._transactions.delivered,
            self._transactions.figures(),
        )

    @property
    def full(self) -> bool:
        """Whether a checkpoint should come: much is stored, or the transaction has been open for long."""
        stored = self._open.messages.size + self._waiting.size
        return stored > self._most or self._open.age > self._open.longest / 2

    def save(self) -> State | None:
        """Return the messages of the open transaction, which ends with this checkpoint."""
        self._send_waiting()
        self._writing, self._has_begun = self._has_begun, True
        return {"blocks": self._open.messages.save(), "run": self._run, "putting": self._was_named}

    def load(self, state: State) -> None:
        """Take over the messages of a checkpoint."""
        self._loaded = saved_messages(state)
        self._run, self._was_named = str(state["run"]), bool(state["putting"])

    def resumed(self, number: int, place: State | None) -> None:
        """Note the checkpoint that the run resumes from."""
        self._resumed = None if place is None else (number, place)
        self._has_begun = True

    def sync(self) -> None:
        """Do nothing: nothing is under way."""

    def checkpointed(self, number: int, place: State | None) -> None:
        """Send the messages of the checkpoint."""
        if place is None:
            raise UsageError(
                "this source has no place by records, which --exactly-once needs; read topics, or leave it out"
            )
        # By a thread of the run's own priority: one of low priority would hold the interpreter's lock for long.
        assert self._committer is not None
        self._committer.call(partial(self._commit, number, place))
        self._writing = False

    def close(self) -> None:
        """Close the producer; a run that resumes makes again the messages that are in no checkpoint.

        A commit under way, of a run that is broken off, is left alone: a run that resumes finds out what is there.
        """
        if self._committer is not None:
            self._committer.close()
        if self._transactions is not None:
            self._transactions.close()

    @property
    def _open(self) -> Transactions:
        assert self._transactions is not None
        return self._transactions

    def _send_waiting(self) -> None:
        with self._sentences():
            self._open.take(self._waiting)

    def _commit(self, number: int, place: State, *, again: bool = False) -> None:
        with self._sentences():
            self._open.commit(self._committed.to_commit(self._run, number, place, again=again))

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
            why = telex_error(error, self._brokers, self._group, transactional_id=self._name, resume="")
            raise StoppedError(
                f"results could not be delivered: {why}; the checkpoint has them, so continue with --resume"
            ) from error


def _beginnings(brokers: Brokers, names: TopicNames) -> tuple[dict[TopicPartition, int], dict[str, str | None]]:
    """Return where the logs of the topics' partitions begin, and the ids that the topics have."""
    consumer = KafkaConsumer(**brokers.clients, enable_auto_commit=False)
    try:
        topics = names.asked(consumer)
        found = [TopicPartition(topic, one) for topic in topics for one in consumer.partitions_for_topic(topic) or ()]
        beginnings = consumer.beginning_offsets(found, timeout_ms=int(1000 * brokers.attempt)) if found else {}
        return beginnings, {topic: topic_id(consumer, topic) for topic in topics}
    finally:
        consumer.close()

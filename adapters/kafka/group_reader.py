"""Predicts the documents of topics as one of a group of readers, by the newest model of a run."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from kafka import errors as kafka
from kafka.structs import OffsetAndMetadata, TopicPartition

from telex.adapters.formats.jsonl import time_text
from telex.adapters.kafka.connecting import AskedToStopError, connected, stop_looked_for
from telex.adapters.kafka.consume import (
    PLAIN,
    HeldRecords,
    PartitionFigures,
    RecordDecoder,
    RecordOrigin,
    TopicFigures,
)
from telex.adapters.kafka.failures import telex_error
from telex.adapters.kafka.fetch import (
    BrokerWatch,
    committed_offsets,
    connect_group_member,
    fresh_topic_ids,
    poll,
    record_sets_of,
)
from telex.adapters.kafka.last_warning import LastWarning
from telex.adapters.kafka.produce import (
    TRACE,
    AtLeastOnce,
    EncodedMessages,
    GroupTransactions,
    Message,
    PredictionValue,
    RunStamp,
    now,
    of_letter,
    of_prediction,
)
from telex.learners.base import UsageError
from telex.stream.sources import DEFAULT_BUDGET, Arrivals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence, Set

    from kafka import KafkaConsumer
    from kafka.structs import ConsumerGroupMetadata

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.consume import RecordFormat, RecordLetter
    from telex.adapters.kafka.fetch import FetchSettings, RecordSet
    from telex.adapters.kafka.produce import Header
    from telex.adapters.kafka.registered_values import RegisteredValues
    from telex.adapters.kafka.topics import TopicLimits
    from telex.stream.predict import FollowedModel, LoadedModel
    from telex.stream.sources import RecordBudget

_WAIT = 0.2
"""Seconds that a poll waits for records, and a reader without a model for one."""
_ANSWER = 5000
"""Milliseconds to wait for the offsets of the group, or for a sign of life."""
_NOT_OURS = (
    kafka.CommitFailedError,
    kafka.RebalanceInProgressError,
    kafka.IllegalGenerationError,
    kafka.UnknownMemberIdError,
)
"""Another member has the partitions by now, and predicts their records again."""


class GroupReader:
    """Predicts the records of the partitions that the group gives to this process, each at least once or exactly once.

    It polls, predicts by the newest model of ``followed``, and delivers the predictions. All records of a poll are
    predicted by one model, and each document as if it were alone: it does not matter which reader does it. The group is
    joined once there is a model.

    With :class:`.AtLeastOnce` it waits until the brokers have acknowledged the predictions, and only then commits the
    offsets of the group. So whoever gets a partition after a reader was killed, or after the group has changed,
    continues where its last predictions are in the topic; what came behind them comes again.

    With :class:`.GroupTransactions` predictions and offsets are committed together. Whenever the group has changed, or
    a transaction has failed, the reader forgets what it has read and goes back to where the group is: another member
    may have predicted it by now.

    Predictions go to ``out_topic`` by ``delivery``, records that cannot be read to ``dead_letter_topic``; their headers
    name the ``run``, and predictions have the ``carried`` headers of their records. ``predicted``
    is called with the number of documents of each poll and the seconds that they took.
    """

    def __init__(
        self,
        brokers: Brokers,
        settings: FetchSettings,
        followed: FollowedModel,
        delivery: AtLeastOnce | GroupTransactions,
        *,
        out_topic: str,
        dead_letter_topic: str | None = None,
        format: RecordFormat = PLAIN,  # noqa: A002
        values: RegisteredValues | None = None,
        budget: RecordBudget = DEFAULT_BUDGET,
        top: int = 10,
        carried: Set[str] = frozenset(TRACE),
        run: str | None = None,
        predicted: Callable[[int, float], object] = lambda documents, seconds: None,
        say: Callable[[str], object] = lambda sentence: None,
    ) -> None:
        self._brokers, self._settings, self._followed, self._delivery = brokers, settings, followed, delivery
        self._topics, self._top, self._told, self._say = (out_topic, dead_letter_topic), top, predicted, say
        self._carried, self._stamp = carried, RunStamp(run)
        self._records = RecordDecoder(None, format, values)
        self._records.begin(budget)
        self.documents = self.dead_letters = self._rebalances = 0
        self._mine: frozenset[TopicPartition] = frozenset()
        self._placed: frozenset[TopicPartition] = frozenset()
        self._first: dict[TopicPartition, int] = {}
        self._astray = False
        self._figures = TopicFigures()

    def figures(self) -> TopicFigures:
        """Return which partitions this process has, and how far it is; any thread may call."""
        return self._figures

    def run(self, stopped: Callable[[], bool], limit: int | None = None) -> None:
        """Predict until ``stopped``, or for about ``limit`` documents, of which the last poll may bring more."""
        while self._followed.look_if_due() is None:
            if stopped():
                return
            time.sleep(_WAIT)
        warning = LastWarning()
        wait = partial(connected, seconds=self._settings.connecting, say=self._say, stopped=stop_looked_for(stopped))
        try:
            consumer = wait(partial(connect_group_member, self._brokers, self._settings, warning))
            try:
                limits = wait(partial(self._delivery.begin, [topic for topic in self._topics if topic]))
                self._limits: dict[str, TopicLimits] = {one.topic: one for one in limits}
                self._watch = BrokerWatch(self._brokers, self._settings.patience, warning, self._tell_problem)
                while not stopped() and (limit is None or self.documents < limit):
                    self._round(consumer)
            finally:
                consumer.close()  # it leaves the group, and the others have its partitions at once
        except AskedToStopError:
            return
        except kafka.KafkaError as error:
            raise telex_error(
                error, self._brokers, self._settings.group, resume=", then start the reader again"
            ) from error
        finally:
            self._delivery.close()

    def _tell_problem(self, problem: Any) -> None:
        self._say(problem.sentence)

    def _round(self, consumer: KafkaConsumer) -> None:
        member = consumer.group_metadata()
        found = self._poll(consumer)
        self._note_partitions(consumer)
        if self._settings.start == "latest" and not self._astray and not self._mine <= self._placed:
            self._keep_first_places(consumer, found)
        if isinstance(self._delivery, GroupTransactions) and (self._astray or not _still(member, consumer)):
            self._go_back(consumer, found)
        elif found:
            self._watch.note_answer()
            loaded = self._followed.look_if_due()
            assert loaded is not None
            begun, done = time.monotonic(), self.documents
            self._deliver(consumer, member, found, loaded)
            self._told(self.documents - done, time.monotonic() - begun)
        elif self._watch.is_silent(asked := time.monotonic()):
            self._watch.asked = asked
            try:
                if self._mine:
                    consumer.end_offsets(list(self._mine), timeout_ms=_ANSWER)
                else:  # others have them all, or no topic is left
                    with suppress(kafka.UnknownTopicOrPartitionError):  # that is an answer, too
                        fresh_topic_ids(consumer, _ANSWER)
                self._watch.note_answer()
            except kafka.KafkaError as error:
                if not error.retriable:
                    raise
                self._watch.note_silence(time.monotonic())

    def _poll(self, consumer: KafkaConsumer) -> list[RecordSet]:
        try:
            polled = poll(consumer, _WAIT)
        except kafka.KafkaError as error:
            if not error.retriable:
                raise
            time.sleep(_WAIT)
            return []
        return [some for one, rows in polled.items() for some in record_sets_of(one, rows)]

    def _note_partitions(self, consumer: KafkaConsumer) -> None:
        mine = frozenset(consumer.assignment())
        if mine != self._mine:
            self._mine = mine
            self._rebalances += 1
            names = ", ".join(f"{topic} {number}" for topic, number in sorted(mine)) or "no partition"
            self._say(f"the group {self._settings.group} gives this reader {names}")
        figures = []
        for one in sorted(mine):
            try:
                position, end = consumer.position(one, timeout_ms=0), consumer.highwater(one)
            except (kafka.KafkaError, AssertionError):  # it has just been taken away, or is not known yet
                position = end = None
            figures.append(PartitionFigures(one.topic, one.partition, position, end))
        self._figures = TopicFigures(figures, rebalances=self._rebalances)

    def _keep_first_places(self, consumer: KafkaConsumer, found: Sequence[RecordSet]) -> None:
        """Commit where reading begins in partitions of which the group has no place yet.

        Otherwise, if this reader is killed before its first predictions, the next one begins at what is the latest
        then. A partition has a place once the group reports one, so the next round looks at what was committed here.
        """
        places = {TopicPartition(one.topic, one.partition): one.position for one in self._figures.partitions}
        for some in reversed(found):  # the position is behind them
            places[TopicPartition(*some.partition)] = int(some.offsets[0])
        places |= self._first
        new = {one: places[one] for one in self._mine - self._placed if places.get(one) is not None}
        try:
            kept = committed_offsets(consumer, new, _ANSWER)
            self._placed |= kept.keys()
            missing = {one: OffsetAndMetadata(place, "", -1) for one, place in new.items() if one not in kept}
            consumer.commit(missing, timeout_ms=_ANSWER)
        except kafka.KafkaError as error:  # the next round tries again
            if not (error.retriable or isinstance(error, _NOT_OURS)):
                raise

    def _deliver(
        self,
        consumer: KafkaConsumer,
        member: ConsumerGroupMetadata,
        found: Sequence[RecordSet],
        loaded: LoadedModel,
    ) -> None:
        offsets = {TopicPartition(*some.partition): int(some.offsets[-1]) + 1 for some in found}
        if isinstance(self._delivery, AtLeastOnce):
            for some in found:
                self._delivery.put(EncodedMessages.of(self._messages(some, loaded)))
            self._delivery.sync()
            self._commit(consumer, offsets)
            return
        counted = self.documents, self.dead_letters
        messages = EncodedMessages.of(one for some in found for one in self._messages(some, loaded))
        failed = self._delivery.deliver(messages, offsets, member)
        if failed is not None:
            self.documents, self.dead_letters = counted
            self._say(f"predictions were not committed ({failed}); the reader goes back to where the group is")
            self._go_back(consumer, found)

    def _go_back(self, consumer: KafkaConsumer, found: Sequence[RecordSet]) -> None:
        """Continue at the offsets of the group, or where reading began if it has none; waits for open transactions."""
        for some in found:
            self._first.setdefault(TopicPartition(*some.partition), int(some.offsets[0]))
        self._astray = True
        try:
            mine = consumer.assignment()
            kept = committed_offsets(consumer, mine, _ANSWER)
            for one in mine:
                place = kept.get(one, self._first.get(one))
                if place is not None:
                    consumer.seek(one, place)
        except kafka.KafkaError as error:  # the next poll tries again
            if not (error.retriable or isinstance(error, kafka.KafkaTimeoutError)):
                raise
        else:
            self._astray = False

    def _commit(self, consumer: KafkaConsumer, offsets: Mapping[TopicPartition, int]) -> None:
        ours = {
            one: OffsetAndMetadata(offset, "", -1) for one, offset in offsets.items() if one in consumer.assignment()
        }
        try:
            consumer.commit(ours, timeout_ms=10_000)
        except _NOT_OURS as error:
            self._say(f"the group has changed ({type(error).__name__}), and some documents will be predicted twice")
        except kafka.KafkaError as error:
            if not error.retriable:
                raise

    def _messages(self, some: RecordSet, loaded: LoadedModel) -> Iterator[Message]:
        """Predict the records of a set; yield predictions and dead letters."""
        held = HeldRecords([some.partition])
        held.add(some)
        block, _ = held.take(np.zeros(len(some), np.int32))
        block = self._records.without_gone(block.select(block.value_sizes >= 0))
        carried = block.headers(np.arange(len(block)), self._carried)
        self._stamp.checkpoint = loaded.number
        stamp = self._stamp.headers()
        at = 0
        for item in self._records.of(block) if len(block) else ():
            if isinstance(item, Arrivals):
                rows = zip(block.offsets[at : at + len(item)].tolist(), block.timestamps[at:].tolist(), strict=False)
                origins = [RecordOrigin(*some.partition, *row) for row in rows]
                headers = [[*stamp, *carried.get(row, ())] for row in range(at, at + len(item))]
                at += len(item)
                yield from self._predictions(item, origins, headers, loaded)
            else:
                at += 1
                yield from self._letter(item, stamp)

    def _predictions(
        self, item: Any, origins: Sequence[RecordOrigin], headers: Sequence[list[Header]], loaded: LoadedModel
    ) -> Iterator[Message]:
        model = loaded.model
        if model.frozen_features.words is None:
            raise UsageError(
                "this run learnt from features, and a topic brings texts; follow a run that learnt from texts"
            )
        into, moment = self._limits[self._topics[0]], now()
        stories = item.documents
        predictions = model.predict_all([stories], self._followed.learner, top=self._top, reasons=0, apart=True)
        times = stories.times.tolist()
        for found, origin, own, moment_of in zip(predictions, origins, headers, times, strict=True):
            place = origin.topic, origin.partition, origin.offset
            value = PredictionValue(
                found.id, found.labels, found.top, found.learner, loaded.learnt, moment, *place, time_text(moment_of)
            )
            self.documents += 1
            message = of_prediction(value, origin, into, own)
            if message is None:
                self._say(
                    f"the prediction of {found.id!r} has more bytes than topic {into.topic} takes, and is left out"
                )
            else:
                yield message

    def _letter(self, letter: RecordLetter | Any, stamp: Sequence[Header]) -> Iterator[Message]:
        self.dead_letters += 1
        if self._topics[1] is not None:
            yield of_letter(letter, self._limits[self._topics[1]], stamp)


def _still(member: ConsumerGroupMetadata, consumer: KafkaConsumer) -> bool:
    """Tell whether what was read since is the member's own: it has a place in the group, and the same one as before.

    One that has lost its place has no generation, and from that the brokers would take any offsets unchecked.
    """
    found = consumer.group_metadata()
    same = (member.generation_id, member.member_id) == (found.generation_id, found.member_id)
    return same and member.generation_id >= 0

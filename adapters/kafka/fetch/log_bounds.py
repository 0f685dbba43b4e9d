"""Where the logs of the partitions begin and end, and which offset of each is fetched next."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from kafka import errors as kafka

from telex.adapters.kafka.fetch.client import fresh_topic_ids, topic_id
from telex.adapters.kafka.fetch.events import FetchProblem, LostRecords
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from kafka import KafkaConsumer
    from kafka.structs import TopicPartition

    from telex.adapters.kafka.fetch.broker_watch import BrokerWatch
    from telex.adapters.kafka.fetch.events import LastRead
    from telex.adapters.kafka.fetch.record_set import RecordSet
    from telex.adapters.kafka.fetch.settings import FetchSettings

REQUEST = 5.0  # seconds that a request for offsets may take
DELETED = 5.0  # seconds for which a topic must be gone before it is said


class LogBounds:
    """The bounds of the logs as the broker last reported them, and the offset to fetch ``next`` of each partition.

    ``next`` keeps the offsets of partitions that another member has for a while. ``last_read`` tells what the
    partitions were when they were read last. A partition of a topic with another id, or with another record where the
    last one was, is not the one that was read: its log has a gap, however long it is.
    """

    def __init__(
        self,
        consumer: KafkaConsumer,
        settings: FetchSettings,
        watch: BrokerWatch,
        tell: Callable[[object], None],
        last_read: Mapping[TopicPartition, LastRead],
    ) -> None:
        self.consumer = consumer
        self.next: dict[TopicPartition, int] = {}
        self.beginnings: dict[TopicPartition, int] = {}
        self._settings, self._watch, self._tell = settings, watch, tell
        self._timeout = int(1000 * min(REQUEST, settings.patience))
        self._topic_ids = {one: read.topic_id for one, read in last_read.items()}
        self._told_ids: dict[str, str | None] = {}
        self._gone: dict[str, float | None] = {}  # since when; None if it was said
        # The last record read of each partition that was not sought yet, and of those that were, until it has come.
        self._last = {one: (read.offset, read.timestamp) for one, read in last_read.items() if read.offset is not None}
        self._awaited: dict[TopicPartition, tuple[int, int | None]] = {}
        # Of each partition the high watermark when its end was asked for, and that end.
        self._listed: dict[TopicPartition, tuple[int | None, int]] = {}

    def end(self, one: TopicPartition) -> int:
        """Return the end of a log: the newest of what fetches and requests reported."""
        highwater_then, listed = self._listed[one]
        try:
            highwater = self.consumer.highwater(one)
        except kafka.IllegalStateError:
            return listed  # revoked meanwhile; we hear of it when all members agree
        return listed if highwater is None or highwater == highwater_then else int(highwater)

    def seek(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Fetch from these offsets on; if they are gone, stop or skip the gap."""
        if not offsets:
            return
        ids = fresh_topic_ids(self.consumer, self._timeout)
        self._ask_ends(offsets)
        self.ask_beginnings(offsets)
        for one, given in offsets.items():
            wanted = self.next[one] if self._awaited.pop(one, None) else given
            beginning, end = self.beginnings[one], self._listed[one][1]
            now, last = ids.get(one.topic), self._last.pop(one, None)
            if self._is_another(one, now):
                self._begin_again(one, wanted, "", now)
            elif wanted < beginning or wanted > end:
                where = f"offset {wanted} of {one.topic} {one.partition}"
                self._begin_again(one, wanted, f"{where} is not there yet: the topic seems to have been created again"
                                  if wanted > end else
                                  f"{where} is no longer there: the log begins at {beginning}, so up to "
                                  f"{beginning - wanted} records are lost", now)  # fmt: skip
            else:
                self.next[one] = wanted
                if last is not None and beginning <= last[0] < wanted:  # it comes again, to be compared
                    self._awaited[one], wanted = last, last[0]
                self.consumer.seek(one, wanted)
            self._topic_ids[one] = now or self._topic_ids.get(one)

    def of_another_topic(self, partitions: Collection[TopicPartition]) -> list[TopicPartition]:
        """Return the partitions whose topic has been deleted and made again since they were sought."""
        ids = {topic: topic_id(self.consumer, topic) for topic in {one.topic for one in partitions}}
        if ids == self._told_ids:
            return []
        others = [one for one in partitions if self._is_another(one, ids[one.topic])]
        if not others:
            self._told_ids = ids
        return others

    def note_deleted_topics(self, now: float) -> None:
        """Say once that a topic that was read is gone; it may be made again, which is a gap."""
        for topic in {one.topic for one, name in self._topic_ids.items() if name is not None}:
            if topic_id(self.consumer, topic) is not None:
                self._gone.pop(topic, None)
            elif (since := self._gone.setdefault(topic, now)) is not None and now - since > DELETED:
                self._gone[topic] = None
                self._tell(FetchProblem(f"topic {topic} was deleted, or this user may no longer see it; the run waits "
                                        "until it is made again"))  # fmt: skip

    def behind_last_read(self, one: TopicPartition, some: RecordSet) -> RecordSet | None:
        """Return ``some`` without the record that came again, None if it is another one: then its log begins again."""
        last = self._awaited.pop(one, None)
        if last is None:
            return some
        wanted = self.next[one]
        if int(some.offsets[0]) != last[0] or int(some.timestamps[0]) == last[1]:
            return some.from_offset(wanted)
        self._begin_again(one, wanted, f"offset {last[0]} of {one.topic} {one.partition} has another record than was "
                          "read: the topic seems to have been created again", self._topic_ids.get(one))  # fmt: skip
        return None

    def _is_another(self, one: TopicPartition, now: str | None) -> bool:
        return now is not None and self._topic_ids.get(one) not in {None, now}

    def _begin_again(self, one: TopicPartition, wanted: int, what: str, now: str | None) -> None:
        """Stop at a gap, or continue at the beginning of the log."""
        what = what or (
            f"{one.topic} was deleted and created again, so offset {wanted} of partition {one.partition} is another "
            "record than before"
        )
        if self._settings.on_gap == "fail":
            raise StoppedError(f"{what}; continue at the log's start with --on-gap skip")
        found = self.beginnings[one]
        self.consumer.seek(one, found)
        self.next[one] = found
        lost = LostRecords((one.topic, one.partition), wanted, found, self._listed[one][1], now)
        self._tell(FetchProblem(f"{what}; continuing at {found}", lost))

    def pass_markers(self, partitions: Collection[TopicPartition]) -> None:
        """Step over the markers of transactions behind the last record, which only the consumer sees."""
        assigned = self.consumer.assignment()
        for one in partitions:
            if one in assigned and self.next[one] < self.end(one):
                position = self.consumer.position(one, timeout_ms=0)
                if position is not None:
                    self.next[one] = max(self.next[one], position)

    def try_ends(self, partitions: Collection[TopicPartition]) -> bool:
        """Ask the broker for the ends of these logs, or without any for its topics; return whether it answered."""
        try:
            if partitions:
                self._ask_ends(partitions)
            else:
                with contextlib.suppress(kafka.UnknownTopicOrPartitionError):  # that is an answer, too
                    fresh_topic_ids(self.consumer, self._timeout)
                self._watch.note_answer()
        except kafka.KafkaError as error:
            if not error.retriable:
                raise
            return False
        return True

    def ask_beginnings(self, partitions: Collection[TopicPartition]) -> None:
        """Ask the broker for the beginnings of these logs."""
        self.beginnings |= self.consumer.beginning_offsets(list(partitions), timeout_ms=self._timeout)

    def _ask_ends(self, partitions: Collection[TopicPartition]) -> None:
        assigned = self.consumer.assignment()
        highwaters = {one: self.consumer.highwater(one) for one in partitions if one in assigned}
        ends = self.consumer.end_offsets(list(partitions), timeout_ms=self._timeout)
        self._listed |= {one: (highwater, ends[one]) for one, highwater in highwaters.items()}
        self._watch.note_answer()

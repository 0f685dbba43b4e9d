"""Where the logs of the partitions begin and end, and which offset of each is fetched next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafka import errors as kafka

from telex.adapters.kafka.fetch.events import FetchProblem, LostRecords
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from kafka import KafkaConsumer
    from kafka.structs import TopicPartition

    from telex.adapters.kafka.fetch.broker_watch import BrokerWatch
    from telex.adapters.kafka.fetch.settings import FetchSettings

REQUEST = 5.0  # seconds that a request for offsets may take


class LogBounds:
    """The bounds of the logs as the broker last reported them, and the offset to fetch ``next`` of each partition.

    ``next`` keeps the offsets of partitions that another member has for a while.
    """

    def __init__(
        self,
        consumer: KafkaConsumer,
        settings: FetchSettings,
        watch: BrokerWatch,
        tell: Callable[[object], None],
    ) -> None:
        self.consumer = consumer
        self.next: dict[TopicPartition, int] = {}
        self.beginnings: dict[TopicPartition, int] = {}
        self._settings, self._watch, self._tell = settings, watch, tell
        self._timeout = int(1000 * min(REQUEST, settings.patience))
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
        self._ask_ends(offsets)
        self.ask_beginnings(offsets)
        for one, wanted in offsets.items():
            beginning, end = self.beginnings[one], self._listed[one][1]
            found = wanted
            if wanted < beginning or wanted > end:
                found = beginning
                self._report_gap(one, wanted, found)
            self.consumer.seek(one, found)
            self.next[one] = found

    def pass_markers(self, partitions: Collection[TopicPartition]) -> None:
        """Step over the markers of transactions behind the last record, which only the consumer sees."""
        assigned = self.consumer.assignment()
        for one in partitions:
            if one in assigned and self.next[one] < self.end(one):
                position = self.consumer.position(one, timeout_ms=0)
                if position is not None:
                    self.next[one] = max(self.next[one], position)

    def try_ends(self, partitions: Collection[TopicPartition]) -> bool:
        """Ask the broker for the ends of these logs; return whether it answered."""
        try:
            self._ask_ends(partitions)
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

    def _report_gap(self, one: TopicPartition, wanted: int, found: int) -> None:
        where = f"offset {wanted} of {one.topic} {one.partition}"
        if wanted < found:
            what = f"{where} is no longer there: the log begins at {found}, so up to {found - wanted} records are lost"
        else:
            what = f"{where} is not there yet: the topic seems to have been created again"
        if self._settings.on_gap == "fail":
            raise StoppedError(f"{what}; continue at the log's start with --on-gap skip")
        lost = LostRecords((one.topic, one.partition), wanted, found)
        self._tell(FetchProblem(f"{what}; continuing at {found}", lost))

"""The loop of the fetching process: it polls, hands records over, and obeys the stream's requests."""

from __future__ import annotations

import pickle
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from kafka import errors as kafka
from kafka.structs import TopicPartition

from telex.adapters.kafka.connecting import connected
from telex.adapters.kafka.fetch.broker_watch import BrokerWatch
from telex.adapters.kafka.fetch.client import connect_consumer, poll, topic_id
from telex.adapters.kafka.fetch.events import (
    FetchProblem,
    PartitionsAssigned,
    PartitionsRevoked,
    PollResult,
    SignOfLife,
)
from telex.adapters.kafka.fetch.flow_control import FlowControl
from telex.adapters.kafka.fetch.log_bounds import LogBounds
from telex.adapters.kafka.fetch.membership import Membership
from telex.adapters.kafka.fetch.offset_commit import OffsetCommit
from telex.adapters.kafka.fetch.pipe import is_asked_to_stop
from telex.adapters.kafka.fetch.poll_intervals import PollIntervals
from telex.adapters.kafka.fetch.record_batches import record_sets_of
from telex.adapters.kafka.last_warning import LastWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from multiprocessing.connection import Connection

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.fetch.events import LastRead
    from telex.adapters.kafka.fetch.record_set import Partition, RecordSet
    from telex.adapters.kafka.fetch.settings import FetchSettings

WAIT = 0.2  # seconds that a poll waits for records
REPORTING = 5.0  # seconds after which an unchanged state is sent again, with the counts of polls
BEGINNINGS = 30.0  # seconds between requests for the beginnings of the logs
ENDING = 2.0  # seconds that the last commit may take


class FetchLoop:
    """Fetches as a member of a group; ``tell`` sends what comes to the stream, whose requests ``connection`` brings."""

    def __init__(
        self,
        connection: Connection[Any, Any],
        tell: Callable[[object], None],
        brokers: Brokers,
        settings: FetchSettings,
        place: Mapping[Partition, int],
        *,
        last_read: Mapping[Partition, LastRead],
    ) -> None:
        last_warning = LastWarning()
        connect = partial(connect_consumer, brokers, settings, last_warning, read={topic for topic, _ in place})
        tell(SignOfLife())
        consumer = connected(
            connect,
            settings.connecting,
            lambda sentence: tell(FetchProblem(sentence)),
            partial(_is_asked_to_stop, connection, tell),
        )
        self._connection, self._send, self._settings = connection, tell, settings
        self._told = time.monotonic()
        self._watch = BrokerWatch(brokers, settings.patience, last_warning, self._tell)
        last = {TopicPartition(*one): read for one, read in last_read.items()}
        self._bounds = LogBounds(consumer, settings, self._watch, self._tell, last)
        self._flow = FlowControl(settings.ahead)
        self._member = Membership(connect, settings, place, self._bounds, self._flow)
        self._commit = OffsetCommit(brokers, self._tell)
        self._intervals = PollIntervals()
        self._reported: tuple[object, ...] = ()
        self._reported_at = -REPORTING
        self._begins_asked = time.monotonic()

    def run(self) -> None:
        """Fetch until the other end asks to stop."""
        while self._obey():
            self._commit.send(self._member.consumer)
            if self._member.mine and len(self._flow.paused) == len(self._member.mine):
                self._connection.poll(WAIT / 2)  # a request wakes us; the poll below keeps us a member
                records = self._poll(0.0)
            else:
                records = self._poll(WAIT)
            self._follow_group()
            self._hand_over(self._without_others(records))
            self._flow.balance(self._member.consumer, self._member.mine, self._bounds)
            self._ask(bool(records))
            if time.monotonic() - self._told > REPORTING:
                self._tell(SignOfLife())
        deadline = time.monotonic() + ENDING
        while self._commit.is_pending(self._member.consumer) and time.monotonic() < deadline:
            self._commit.send(self._member.consumer)
            self._member.consumer.pause(*self._member.mine)
            self._poll(0.05)
        # The end of the process closes the consumer: a static member does not leave its group, and a process that comes
        # back under its name before the session ends has its partitions at once.

    def close(self) -> None:
        """Close the consumer, in a process that continues."""
        self._member.consumer.close()

    def _tell(self, message: object) -> None:
        self._told = time.monotonic()
        self._send(message)

    def _obey(self) -> bool:
        """Carry out the requests of the stream; return whether to continue."""
        while self._connection.poll():
            try:
                request = pickle.loads(self._connection.recv_bytes())
            except (EOFError, OSError):
                return False  # the process that started us has ended
            match request:
                case "free", sizes:
                    self._flow.free({TopicPartition(*one): size for one, size in sizes.items()})
                case "commit", offsets, metadata:
                    self._commit.put(offsets, metadata)
                case ("stop",):
                    return False
        return True

    def _poll(self, seconds: float) -> dict[TopicPartition, list[Any]]:
        self._intervals.observe(time.monotonic())
        consumer, following = self._member.consumer, self._bounds.next
        try:
            records = poll(consumer, seconds)
        except kafka.OffsetOutOfRangeError as error:
            self._seek({one: wanted for one, wanted in error.args[0].items() if one in following})
            return {}
        except kafka.LogTruncationError as error:
            self._seek({one: following[one] for one in error.divergent_offsets if one in following})
            return {}
        except kafka.KafkaError as error:
            if not error.retriable:
                raise
            time.sleep(WAIT)
            return {}
        if records:
            self._watch.note_answer()
        return records

    def _seek(self, offsets: Mapping[TopicPartition, int]) -> None:
        try:
            self._bounds.seek(offsets)
        except kafka.KafkaError as error:
            if not error.retriable:
                raise
            time.sleep(WAIT)  # the consumer meets the same error again

    def _without_others(self, records: Mapping[TopicPartition, list[Any]]) -> Mapping[TopicPartition, list[Any]]:
        """Return the records without those of topics that were just made again; these begin again."""
        others = self._bounds.of_another_topic(self._member.mine)
        if not others:
            return records
        self._seek({one: self._bounds.next[one] for one in others})
        return {one: rows for one, rows in records.items() if one not in others}

    def _follow_group(self) -> None:
        change = self._member.update()
        if change is not None and change.gone:
            self._tell(PartitionsRevoked(change.gone))
        if change is not None and change.is_new:
            ids = {one.topic: topic_id(self._member.consumer, one.topic) for one in self._member.mine}
            known = {topic: name for topic, name in ids.items() if name is not None}
            self._tell(PartitionsAssigned(self._state(()), known))
        self._member.look_for_new()

    def _hand_over(self, records: Mapping[TopicPartition, list[Any]]) -> None:
        found: list[RecordSet] = []
        for one, rows in records.items():
            for come in record_sets_of(one, rows):
                some = self._bounds.behind_last_read(one, come)
                if some is None:
                    break  # what is behind it belongs to another log
                if not len(some):
                    continue
                self._bounds.next[one] = int(some.offsets[-1]) + 1
                self._flow.add(one, some)
                found.append(some)
        if not records:
            self._bounds.pass_markers(self._unpaused())
        state = self._state(tuple(found))
        reported = (state.positions.tobytes(), state.ends.tobytes(), state.at_end.tobytes(), state.partitions)
        now = time.monotonic()
        if found or (self._member.mine and (reported != self._reported or now - self._reported_at > REPORTING)):
            self._reported, self._reported_at = reported, now
            self._tell(state)

    def _state(self, records: tuple[RecordSet, ...]) -> PollResult:
        mine = self._member.mine
        positions = [self._bounds.next[one] for one in mine]
        ends = [self._bounds.end(one) for one in mine]
        at_end = [
            one not in self._flow.paused and position >= end
            for one, position, end in zip(mine, positions, ends, strict=True)
        ]
        return PollResult(
            records,
            tuple((one.topic, one.partition) for one in mine),
            np.array(positions, np.int64),
            np.array([self._bounds.beginnings[one] for one in mine], np.int64),
            np.array(ends, np.int64),
            np.array(at_end, np.bool_),
            time.monotonic(),
            self._intervals.counts(),
        )

    def _ask(self, fetched: bool) -> None:
        """Ask the broker for what polls do not bring: a sign of life, ends and beginnings of logs."""
        now = time.monotonic()
        self._bounds.note_deleted_topics(now)
        if self._watch.is_silent(now):
            self._watch.asked = now
            if not self._bounds.try_ends(self._member.mine):
                self._watch.note_silence(now)
        elif not fetched and self._settings.read_committed and now - self._watch.asked > WAIT:
            # Records behind an open transaction cannot be read yet: then the end is where it begins.
            waiting = [one for one in self._unpaused() if self._bounds.next[one] < self._bounds.end(one)]
            if waiting:
                self._watch.asked = now
                self._bounds.try_ends(waiting)
        if self._member.mine and now - self._begins_asked > BEGINNINGS:
            self._begins_asked = now
            try:
                self._bounds.ask_beginnings(self._member.mine)
            except kafka.KafkaError as error:
                if not error.retriable:
                    raise

    def _unpaused(self) -> list[TopicPartition]:
        return [one for one in self._member.mine if one not in self._flow.paused]


def _is_asked_to_stop(connection: Connection[Any, Any], tell: Callable[[object], None], seconds: float) -> bool:
    """Wait, with signs of life: the pause may be longer than the silence that is taken for the end of us."""
    while seconds > 0.0:
        if is_asked_to_stop(connection, min(seconds, REPORTING)):
            return True
        tell(SignOfLife())
        seconds -= REPORTING
    return False

"""The loop of the fetching process: it owns the consumer, fetches, and keeps the group's heartbeat."""

from __future__ import annotations

import pickle
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from kafka import errors as kafka  # type: ignore[import-untyped]
from kafka.structs import MemberState, OffsetAndMetadata, TopicPartition  # type: ignore[import-untyped]

from telex.adapters.kafka.consume.batch_unpacking import parts_of
from telex.adapters.kafka.consume.client import Listener, connected
from telex.adapters.kafka.consume.frames import Assigned, Frame, Lost, Part, Problem, Revoked
from telex.adapters.kafka.consume.poll_intervals import Polls
from telex.adapters.kafka.failures import LastWord, fenced, unreachable
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from multiprocessing.connection import Connection

    from telex.adapters.kafka.brokers import Brokers
    from telex.adapters.kafka.consume.frames import Partition
    from telex.adapters.kafka.consume.settings import Wanted

WAIT = 0.2  # seconds that a poll waits for records, and that a request waits at most
SILENT = 5.0  # seconds of silence after which the broker is asked for a sign of life
ASKING = 5.0  # seconds that such a question may take
JOINING = 20.0  # seconds that joining the group may take while the broker answers
LOOKING = 1.0  # seconds between looks for new partitions
TELLING = 5.0  # seconds after which an unchanged state is sent again, with the counts of polls
BEGINNINGS = 30.0  # seconds between requests for the beginnings of the logs


class Consuming:
    """The consumer, the partitions it has, and the bytes that the stream has not freed yet."""

    def __init__(
        self,
        connection: Connection[Any, Any],
        tell: Callable[[object], None],
        brokers: Brokers,
        wanted: Wanted,
        place: Mapping[Partition, int],
    ) -> None:
        self._connection, self._tell = connection, tell
        self._brokers, self._wanted = brokers, wanted
        self._place = dict(place)
        self._last_word = LastWord()
        self._consumer = connected(brokers, wanted, self._last_word)
        self._listener = self._subscribed()
        self._begun = bool(place)
        self._next: dict[TopicPartition, int] = {}  # the next offset; kept when a partition is lost for a while
        self._mine: tuple[TopicPartition, ...] = ()
        self._beginning: dict[TopicPartition, int] = {}
        self._listed: dict[TopicPartition, tuple[int | None, int]] = {}
        self._held: set[TopicPartition] = set()
        self._unfreed: dict[TopicPartition, int] = {}
        self._told: tuple[object, ...] = ()
        self._told_at = -TELLING
        self._polls = Polls()
        self._heard = self._asked = self._looked = self._begins_asked = time.monotonic()
        self._silent = False
        self._rejoined: set[TopicPartition] = set()
        # A broker keeps the partitions of a dead member until its session ends; wait that long, and a little more.
        self._aloof = 1.5 * self._consumer.config["session_timeout_ms"] / 1000
        self._elsewhere: float | None = None
        self._joining: float | None = None
        self._committing = False
        self._to_commit: tuple[Mapping[Partition, int], str] | None = None

    def run(self) -> None:
        """Fetch until the other end asks to stop."""
        while self._obey():
            self._commit_newest()
            if self._mine and len(self._held) == len(self._mine):
                self._connection.poll(WAIT / 2)  # a request wakes us; the poll below keeps the membership
                records = self._poll(0.0)
            else:
                records = self._poll(WAIT)
            self._membership()
            self._hand_over(records)
            self._balance()
            self._ask(bool(records))
        deadline = time.monotonic() + 2.0
        while (self._committing or self._to_commit) and time.monotonic() < deadline:
            self._commit_newest()
            self._consumer.pause(*self._mine)
            self._poll(0.05)
        # Closed by the end of the process: a static member does not leave its group, and a process that comes back
        # under its name before the session ends has its partitions at once.

    # Requests of the stream

    def _obey(self) -> bool:
        while self._connection.poll():
            try:
                what, *arguments = pickle.loads(self._connection.recv_bytes())
            except (EOFError, OSError):
                return False  # the process that started us has ended
            if what == "stop":
                return False
            getattr(self, f"_{what}")(*arguments)
        return True

    def _free(self, sizes: Mapping[Partition, int]) -> None:
        for partition, size in sizes.items():
            one = TopicPartition(*partition)
            self._unfreed[one] = max(0, self._unfreed.get(one, 0) - size)

    def _commit(self, offsets: Mapping[Partition, int], metadata: str) -> None:
        self._to_commit = offsets, metadata

    def _commit_newest(self) -> None:
        """Commit, one request at a time: with more than a few under way the client refuses the last."""
        if self._to_commit is None or self._committing:
            return
        (offsets, metadata), self._to_commit = self._to_commit, None

        def done(_: object, result: object) -> None:
            self._committing = False
            if isinstance(result, BaseException):
                why = self._brokers.without_secrets(str(result))[:200]
                self._tell(Problem(f"the offsets of checkpoint {metadata} could not be committed ({why});  "
                                   "the checkpoint counts, and lag tools see an older one"))  # fmt: skip

        self._committing = True
        places = {TopicPartition(*at): OffsetAndMetadata(offset, metadata, -1) for at, offset in offsets.items()}
        self._consumer.commit_async(places, done)

    # The consumer

    def _poll(self, seconds: float) -> dict[TopicPartition, list[Any]]:
        self._polls.polled(time.monotonic())
        # While a partition is paused, the client (3.0.12) returns the records it has buffered only once all its buffers
        # are empty. It counts used-up records as buffered, so without this the partition would never resume.
        fetcher = self._consumer._fetcher
        if not getattr(fetcher, "_next_partition_records", True):
            fetcher._next_partition_records = None
        try:
            records: dict[TopicPartition, list[Any]] = self._consumer.poll(timeout_ms=int(1000 * seconds))
        except kafka.OffsetOutOfRangeError as error:
            self._begin({one: wanted for one, wanted in error.args[0].items() if one in self._next})
            return {}
        except kafka.LogTruncationError as error:
            self._begin({one: self._next[one] for one in error.divergent_offsets if one in self._next})
            return {}
        except kafka.KafkaError as error:
            if not error.retriable:
                raise
            time.sleep(WAIT)
            return {}
        if records:
            self._hear()
        return records

    # Which member has which partitions

    def _subscribed(self) -> Listener:
        listener = Listener(self._consumer)
        self._consumer.subscribe(list(self._wanted.topics), listener=listener)
        return listener

    def _membership(self) -> None:
        if self._consumer.group_metadata().state != MemberState.STABLE:
            now = time.monotonic()
            self._joining = self._joining or now
            if now - self._joining > JOINING and self._try_list(self._mine or self._first()):
                self._renew()
            return
        self._joining = None
        # The client does not say when the heartbeat finds us fenced: it only stops beating.
        if not getattr(self._consumer._coordinator, "_heartbeat_enabled", True):
            raise fenced(self._wanted.group, self._wanted.member)
        assigned = self._consumer.assignment()
        if assigned != set(self._mine) or self._listener.added:
            self._reassigned(assigned)
        self._look_for_new(assigned)

    def _renew(self) -> None:
        """Replace the consumer if the broker answers but the group lets the old one wait.

        A lost request to join is only repeated after minutes. All offsets are known here, and partitions that come back
        continue there.
        """
        self._joining = None
        try:
            renewed = connected(self._brokers, self._wanted, self._last_word)
        except StoppedError:
            return  # the broker has just gone; the old consumer sees it come back, too
        self._consumer.close(autocommit=False, timeout_ms=1000)
        self._consumer = renewed
        self._listener = self._subscribed()
        self._held.clear()
        self._committing = False

    def _reassigned(self, assigned: set[TopicPartition]) -> None:
        added = {one for one in self._listener.added if one in assigned}
        self._listener.added.clear()
        if added and not self._start(added):
            self._listener.added |= added  # the broker did not answer; try again in the next round
            return
        gone = sorted(set(self._mine) - assigned)
        new = assigned - set(self._mine)
        self._mine = tuple(sorted(assigned))
        self._held = {one for one in self._held if one in assigned}
        self._consumer.resume(*(added - self._held))
        if gone:
            self._tell(Revoked(tuple((topic, number) for topic, number in gone)))
        if new:
            self._tell(Assigned(self._state(())))
            self._begun = True

    def _start(self, added: set[TopicPartition]) -> bool:
        """Seek new partitions to where they should begin; False if the broker left a question open."""
        known = {one: self._next[one] for one in added if one in self._next}
        known |= {one: self._place[one] for one in added - known.keys() if one in self._place}
        fresh = added - known.keys()
        start = self._wanted.start
        try:
            if start == "latest" and not self._begun:
                found = self._consumer.end_offsets(list(fresh), timeout_ms=int(1000 * ASKING)) if fresh else {}
            elif isinstance(start, str):
                found = self._consumer.beginning_offsets(list(fresh), timeout_ms=int(1000 * ASKING)) if fresh else {}
            else:
                found = self._at_time(fresh, start)
            self._begin({**known, **found})
        except kafka.KafkaError as error:
            if not error.retriable:
                raise
            return False
        return True

    def _at_time(self, fresh: set[TopicPartition], start: int) -> dict[TopicPartition, int]:
        if not fresh:
            return {}
        timeout = int(1000 * ASKING)
        found = self._consumer.offsets_for_times(dict.fromkeys(fresh, start), timeout_ms=timeout)
        ends = self._consumer.end_offsets(list(fresh), timeout_ms=timeout)
        return {one: ends[one] if found[one] is None or found[one].offset < 0 else found[one].offset for one in fresh}

    def _begin(self, offsets: Mapping[TopicPartition, int]) -> None:
        """Seek to the wanted offsets; where they are gone, stop or skip the gap."""
        if not offsets:
            return
        self._list(offsets)
        self._list_beginnings(offsets)
        for one, wanted in offsets.items():
            beginning, end = self._beginning[one], self._listed[one][1]
            found = wanted
            if wanted < beginning or wanted > end:
                found = beginning
                self._gap(one, wanted, found)
            self._consumer.seek(one, found)
            self._next[one] = found

    def _gap(self, one: TopicPartition, wanted: int, found: int) -> None:
        where = f"offset {wanted} of {one.topic} {one.partition}"
        if wanted < found:
            what = f"{where} is no longer there: the log begins at {found}, so up to {found - wanted} records are lost"
        else:
            what = f"{where} is not there yet: the topic seems to have been created again"
        if self._wanted.on_gap == "fail":
            raise StoppedError(f"{what}; go on at the log's start with --on-gap skip")
        self._tell(Problem(f"{what}; going on at {found}", Lost((one.topic, one.partition), wanted, found)))

    def _look_for_new(self, assigned: set[TopicPartition]) -> None:
        """Look for partitions that no member of the group has.

        The leader of a group watches for new partitions; but a static member that comes back does not learn that it is
        the leader, and then nobody would.
        """
        now = time.monotonic()
        if now - self._looked < LOOKING:
            return
        self._looked = now
        there = {
            TopicPartition(topic, number)
            for topic in self._wanted.topics
            for number in self._consumer.partitions_for_topic(topic)
        }
        missing = there - assigned
        if not missing:
            self._elsewhere = None
        elif missing - self._rejoined:
            self._rejoined = missing
            self._consumer._coordinator.request_rejoin()
        else:
            self._elsewhere = self._elsewhere or now
            if now - self._elsewhere > self._aloof:
                names = ", ".join(f"{topic} {number}" for topic, number in sorted(missing)[:5])
                raise StoppedError(f"another member of group {self._wanted.group} has {names}: a run is one learner "
                                   "and takes all; stop the other, or give each a group of its own")  # fmt: skip

    # What the stream receives

    def _hand_over(self, records: Mapping[TopicPartition, list[Any]]) -> None:
        parts = list[Part]()
        for one, rows in records.items():
            for part in parts_of(one, rows):
                self._next[one] = int(part.offsets[-1]) + 1
                self._unfreed[one] = self._unfreed.get(one, 0) + part.size
                parts.append(part)
        if not records:
            self._past_markers()
        state = self._state(tuple(parts))
        told = (state.positions.tobytes(), state.ends.tobytes(), state.at_end.tobytes(), state.partitions)
        now = time.monotonic()
        if parts or (self._mine and (told != self._told or now - self._told_at > TELLING)):
            self._told, self._told_at = told, now
            self._tell(state)

    def _past_markers(self) -> None:
        """Step over marks of transactions behind the last record, which only the consumer sees."""
        there = self._consumer.assignment()
        for one in self._mine:
            if one in there and one not in self._held and self._next[one] < self._end(one):
                position = self._consumer.position(one, timeout_ms=0)
                if position is not None:
                    self._next[one] = max(self._next[one], position)

    def _end(self, one: TopicPartition) -> int:
        at_listing, listed = self._listed[one]
        try:
            highwater = self._consumer.highwater(one)
        except kafka.IllegalStateError:
            return listed  # revoked meanwhile; we hear of it when all members agree
        return listed if highwater is None or highwater == at_listing else int(highwater)

    def _state(self, parts: tuple[Part, ...]) -> Frame:
        positions = [self._next[one] for one in self._mine]
        ends = [self._end(one) for one in self._mine]
        at_end = [
            one not in self._held and position >= end
            for one, position, end in zip(self._mine, positions, ends, strict=True)
        ]
        return Frame(
            parts,
            tuple((one.topic, one.partition) for one in self._mine),
            np.array(positions, np.int64),
            np.array([self._beginning[one] for one in self._mine], np.int64),
            np.array(ends, np.int64),
            np.array(at_end, np.bool_),
            time.monotonic(),
            self._polls.counts(),
        )

    def _balance(self) -> None:
        """Pause partitions that have enough fetched, and resume those that do not."""
        if not self._mine:
            return
        share = max(1, self._wanted.ahead // len(self._mine))
        full = {one for one in self._mine if one not in self._held and self._unfreed.get(one, 0) >= share}
        free = {one for one in self._held if self._unfreed.get(one, 0) <= share // 2}
        if full or free:
            there = self._consumer.assignment()
            full, free = full & there, free & there
        if full:
            self._consumer.pause(*full)
            self._held |= full
        if free and self._try_list(free):  # their ends are old, and must be known before the next round
            self._consumer.resume(*free)
            self._held -= free

    # Whether the broker answers

    def _ask(self, fetched: bool) -> None:
        now = time.monotonic()
        if now - self._heard > SILENT and now - self._asked > min(SILENT, self._wanted.patience / 4):
            self._asked = now
            if not self._try_list(self._mine or self._first()):
                self._silence(now)
        elif not fetched and self._wanted.read_committed and now - self._asked > WAIT:
            # Records behind an open transaction cannot be read yet: then the end is where it begins.
            waiting = [one for one in self._mine if one not in self._held and self._next[one] < self._end(one)]
            if waiting:
                self._asked = now
                self._try_list(waiting)
        if self._mine and now - self._begins_asked > BEGINNINGS:
            self._begins_asked = now
            try:
                self._list_beginnings(self._mine)
            except kafka.KafkaError as error:
                if not error.retriable:
                    raise

    def _first(self) -> list[TopicPartition]:
        return [TopicPartition(self._wanted.topics[0], 0)]

    def _silence(self, now: float) -> None:
        silent = now - self._heard
        if silent > self._wanted.patience:
            raise unreachable(self._brokers, silent, self._last_word.text)
        if not self._silent:
            self._silent = True
            self._tell(Problem(f"no broker has answered for {silent:.0f} s; trying on for "
                               f"{self._wanted.patience:.0f} s in all"))  # fmt: skip

    def _hear(self) -> None:
        now = time.monotonic()
        if self._silent:
            self._silent = False
            self._tell(Problem(f"the broker answers again, after {now - self._heard:.0f} s"))
        self._heard = now

    def _try_list(self, those: Collection[TopicPartition]) -> bool:
        try:
            self._list(those)
        except kafka.KafkaError as error:
            if not error.retriable:
                raise
            return False
        return True

    def _list(self, those: Collection[TopicPartition]) -> None:
        there = self._consumer.assignment()
        highwaters = {one: self._consumer.highwater(one) for one in those if one in there}
        ends = self._consumer.end_offsets(list(those), timeout_ms=int(1000 * min(ASKING, self._wanted.patience)))
        self._listed |= {one: (highwater, ends[one]) for one, highwater in highwaters.items()}
        self._hear()

    def _list_beginnings(self, those: Collection[TopicPartition]) -> None:
        timeout = int(1000 * min(ASKING, self._wanted.patience))
        self._beginning |= self._consumer.beginning_offsets(list(those), timeout_ms=timeout)

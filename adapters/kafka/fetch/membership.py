"""The membership in the consumer group: joining, which partitions are ours, and where they begin."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from kafka import errors as kafka
from kafka.structs import MemberState, TopicPartition

from telex.adapters.kafka.failures import fenced
from telex.adapters.kafka.fetch.client import AssignmentListener, is_fenced
from telex.adapters.kafka.fetch.log_bounds import REQUEST
from telex.learners.base import StoppedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kafka import KafkaConsumer

    from telex.adapters.kafka.fetch.flow_control import FlowControl
    from telex.adapters.kafka.fetch.log_bounds import LogBounds
    from telex.adapters.kafka.fetch.record_set import Partition
    from telex.adapters.kafka.fetch.settings import FetchSettings

JOINING = 20.0  # seconds that joining the group may take while the broker answers
LOOKING = 1.0  # seconds between looks for new partitions


class Reassignment(NamedTuple):
    """Partitions that are no longer ours, and whether there are new ones."""

    gone: tuple[Partition, ...]
    is_new: bool


class Membership:
    """The membership of ``consumer``, which subscribes to the topics, and the partitions that are ours (``mine``).

    New partitions begin at the offsets of ``place``, else where the settings say. Without a place there are none until
    all are ours: one that came after the others would count as one that appeared later. A consumer that waits too long
    for its group is replaced by one that ``connect`` returns.
    """

    def __init__(
        self,
        connect: Callable[[], KafkaConsumer],
        settings: FetchSettings,
        place: Mapping[Partition, int],
        bounds: LogBounds,
        flow: FlowControl,
    ) -> None:
        self.mine: tuple[TopicPartition, ...] = ()
        self.consumer = bounds.consumer
        self._connect, self._settings, self._place = connect, settings, dict(place)
        self._bounds, self._flow = bounds, flow
        self._listener = self._subscribed()
        self._begun = bool(place)
        self._looked = time.monotonic()
        self._joining: float | None = None  # since when we wait for the group
        self._rejoined: set[TopicPartition] = set()
        self._elsewhere: float | None = None  # since when another member has some
        # A broker keeps the partitions of a dead member until its session ends; wait that long, and a little more.
        self._aloof = 1.5 * self.consumer.config["session_timeout_ms"] / 1000

    def update(self) -> Reassignment | None:
        """Follow the group after a poll; return how ``mine`` has changed, if it has."""
        if self.consumer.group_metadata().state != MemberState.STABLE:
            now = time.monotonic()
            self._joining = self._joining or now
            if now - self._joining > JOINING and self._bounds.try_ends(self.mine):
                self._renew()
            return None
        self._joining = None
        if is_fenced(self.consumer):
            raise fenced(self._settings.group, self._settings.member)
        assigned = self.consumer.assignment()
        return self._reassign(assigned) if assigned != set(self.mine) or self._listener.added else None

    def look_for_new(self) -> None:
        """Look for partitions that no member of the group has; raise an error if another member keeps some.

        The leader of a group watches for new partitions; but a static member that comes back does not learn that it is
        the leader, and then no member watches.
        """
        now = time.monotonic()
        if self._joining is not None or now - self._looked < LOOKING:
            return
        self._looked = now
        missing = self._missing()
        if missing is None:
            return
        if not missing:
            self._elsewhere = None
        elif missing - self._rejoined:
            self._rejoined = missing
            self.consumer._coordinator.request_rejoin()
        else:
            self._elsewhere = self._elsewhere or now
            if now - self._elsewhere > self._aloof:
                names = ", ".join(f"{topic} {number}" for topic, number in sorted(missing)[:5])
                raise StoppedError(f"another member of group {self._settings.group} has {names}: a run is one learner "
                                   "and takes all; stop the other, or give each a group of its own")  # fmt: skip

    def _missing(self) -> set[TopicPartition] | None:
        """Return the partitions of the topics that are not ours, None if the broker left it open."""
        try:
            found: set[TopicPartition] = {
                TopicPartition(topic, number)
                for topic in self._settings.names.of(self.consumer)
                for number in self.consumer.partitions_for_topic(topic) or ()
            }
        except kafka.KafkaError as error:  # such as a topic that was deleted
            if not error.retriable:
                raise
            return None
        return found.difference(self.consumer.assignment())

    def _subscribed(self) -> AssignmentListener:
        listener = AssignmentListener(self.consumer)
        self._settings.names.subscribe(self.consumer, listener=listener)
        return listener

    def _renew(self) -> None:
        """Replace the consumer if the broker answers but the group lets the old one wait.

        A lost request to join is only repeated after minutes. All offsets are known here, and partitions that come back
        continue there.
        """
        self._joining = time.monotonic()
        try:
            renewed = self._connect()
        except StoppedError:
            return  # the broker has just gone; the old consumer sees it come back, too
        self.consumer.close(autocommit=False, timeout_ms=1000)
        self.consumer = self._bounds.consumer = renewed
        self._listener = self._subscribed()
        self._flow.paused.clear()

    def _reassign(self, assigned: set[TopicPartition]) -> Reassignment | None:
        if not self._begun and self._missing() != set():
            return None  # another member has some, or a dead one is still waited for; look_for_new says when it is over
        added = {one for one in self._listener.added if one in assigned}
        self._listener.added.clear()
        if added and not self._start(added):
            self._listener.added |= added  # the broker did not answer; try again in the next round
            return None
        gone = sorted(set(self.mine) - assigned)
        new = assigned - set(self.mine)
        self.mine = tuple(sorted(assigned))
        self._flow.paused &= assigned
        self.consumer.resume(*(added - self._flow.paused))
        self._begun = self._begun or bool(new)
        return Reassignment(tuple((topic, number) for topic, number in gone), bool(new))

    def _start(self, added: set[TopicPartition]) -> bool:
        """Seek new partitions to where they should begin; False if the broker left a question open."""
        known = {one: self._bounds.next[one] for one in added if one in self._bounds.next}
        known |= {one: self._place[one] for one in added - known.keys() if one in self._place}
        try:
            self._bounds.seek({**known, **self._first_offsets(list(added - known.keys()))})
        except kafka.KafkaError as error:
            if not error.retriable:
                raise
            return False
        return True

    def _first_offsets(self, fresh: list[TopicPartition]) -> Mapping[TopicPartition, int]:
        """Return where partitions begin that were never read."""
        start, timeout = self._settings.start, int(1000 * REQUEST)
        if not fresh:
            return {}
        if start == "latest" and not self._begun:
            ends: dict[TopicPartition, int] = self.consumer.end_offsets(fresh, timeout_ms=timeout)
            return ends
        if isinstance(start, str):
            beginnings: dict[TopicPartition, int] = self.consumer.beginning_offsets(fresh, timeout_ms=timeout)
            return beginnings
        found = self.consumer.offsets_for_times(dict.fromkeys(fresh, start), timeout_ms=timeout)
        ends = self.consumer.end_offsets(fresh, timeout_ms=timeout)
        return {one: ends[one] if found[one] is None or found[one].offset < 0 else found[one].offset for one in fresh}

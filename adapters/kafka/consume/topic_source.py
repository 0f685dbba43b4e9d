"""Topics of Kafka as an archive that knows the place of each of its records."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.formats.detection import BYTES
from telex.adapters.kafka.consume.detected_format import SAMPLE
from telex.adapters.kafka.consume.figures import GroupState
from telex.adapters.kafka.consume.held_records import HeldRecords
from telex.adapters.kafka.consume.merge import TimestampMerge
from telex.adapters.kafka.consume.positions import PartitionPositions, RecordOffsets, last_read_of, positions_of
from telex.adapters.kafka.consume.record_origins import HeldRows, RecordOrigins
from telex.adapters.kafka.consume.recorded_merge import RecordedMerge
from telex.adapters.kafka.fetch import FetchProblem, LastRead, PartitionsAssigned, PartitionsRevoked, PollResult
from telex.learners.base import UsageError
from telex.stream.sources import Arrivals, StageLine, Stories, StoryBuilder, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Set

    from telex.adapters.kafka.consume.decoder import RecordDecoder
    from telex.adapters.kafka.consume.figures import TopicFigures
    from telex.adapters.kafka.consume.held_records import RecordBlock, TopicRecord
    from telex.adapters.kafka.consume.merge import TakenRecords
    from telex.adapters.kafka.consume.order_file import Order, OrderFile
    from telex.adapters.kafka.consume.record_format import RecordFormat
    from telex.adapters.kafka.fetch import Fetcher, FetchEvent, LostRecords
    from telex.learners.base import Batch, Offsets, Reals, State
    from telex.stream.sources import DeadLetter

_AT_ONCE = 1024
_GLANCE = 0.1
"""Seconds that a wait for records takes at most."""


class TopicWire(Wire):
    """The records of all partitions of some topics, in the order of docs/live-wire.md.

    ``fetching`` brings the records, and ``records`` makes documents and answers of them. With ``until_end`` the wire
    ends at the ends that were first seen; else it is ``live``, and yields empty arrivals while nothing comes. It can be
    read once; :meth:`place` returns its place behind a number of records, and a new wire can resume there. When all is
    read it still commits, until :meth:`close`. ``say`` gets the problems that stop nothing.

    With ``detect`` the first documents, some hundreds or a megabyte, are held back until it has said by them what
    all are; None means that not one of them can be read, and that it is to be asked again. A wire that is not live
    waits for as many, so that what is said does not depend on how they were fetched.

    ``order`` records the order in which the records are taken. With ``order_of`` they are taken in that order again,
    and the wire ends with it.

    >>> from telex.adapters.kafka.fake import FakeFetcher, poll_result
    >>> from telex.adapters.kafka.consume.decoder import RecordDecoder
    >>> fetching = FakeFetcher([
    ...     poll_result({}, ends={("wire", 0): 2}),
    ...     poll_result({("wire", 0): [(0, 10, b"a", b'{"text": "Gold."}'), (1, 20, b"b", b'{"text": "Cup."}')]}),
    ... ])
    >>> wire = TopicWire(fetching, RecordDecoder(), until_end=True)
    >>> [list(posted.documents.ids) for posted in wire], wire.place(1)["partitions"]
    ([['a', 'b']], {'wire': {'0': [1, 10, 2]}})
    """

    checks_records = True

    def __init__(
        self,
        fetching: Fetcher,
        records: RecordDecoder,
        *,
        until_end: bool = False,
        max_idle: float = 0.0,
        order: OrderFile | None = None,
        order_of: Order | None = None,
        detect: Callable[[Sequence[TopicRecord]], RecordFormat | None] | None = None,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.fetching, self.live, self.title = fetching, not until_end and order_of is None, "kafka"
        self._records, self._order, self._order_of, self._say = records, order, order_of, say
        self._detect = detect
        self._sample: list[RecordBlock] = []
        self._merge: TimestampMerge | RecordedMerge = (
            TimestampMerge(until_end=until_end, max_idle=max_idle) if order_of is None else RecordedMerge(order_of)
        )
        self._positions = PartitionPositions(self._merge.partitions, order)
        self._positions.begin(0, positions_of(self._merge.place()))
        self._held = HeldRecords(self._merge.partitions)
        self._group = GroupState()
        self._gap: LostRecords | None = None
        self._begun = False
        self._resumed: tuple[int, Any] = (0, ((), ()))
        self._followers: list[RecordOrigins] = []
        self._times: RecordOrigins | None = None
        self._newest = math.nan

    def follow(self, *, whole: bool = False, named: Set[str] = frozenset()) -> RecordOrigins:
        """Return the origins of the documents to come, for a caller that asks for each of them later.

        They have the ``whole`` records, or the headers that are ``named``.
        """
        if self._begun:
            raise UsageError("this wire is being read already; call follow before it is")
        followed = RecordOrigins(whole=whole, named=named)
        self._followers.append(followed)
        return followed

    follow_records = follow

    def track_record_times(self) -> None:
        """Store the times of the records to come, for :meth:`record_times`."""
        self._times = self._times or self.follow()

    def record_times(self, batch: Batch) -> Reals:
        """Return the times of the records of documents, from :meth:`track_record_times`; ask once, in their order."""
        if self._times is None:
            raise UsageError("the times of records are not stored; call track_record_times before the wire is read")
        return self._times.times(batch.ids)

    def close(self) -> None:
        """End the fetching; from now on nothing is committed."""
        self.fetching.close()

    def stage_lines(self) -> list[StageLine]:
        """Return how documents and answers are made of the records."""
        return [
            StageLine("fetch", "topics", "frames", f"{self.title}, in a process of its own"),
            StageLine("merge", "frames", "records", "partitions in the order of their timestamps"),
            StageLine("decode", "records", "Arrivals of Stories", "documents, and the answers among them"),
        ]

    def drop_places_before(self, records: int) -> None:
        """Note that ``records`` documents, answers and dead letters have passed: no earlier place is needed."""
        self._positions.mark_passed(records)

    def place(self, records: int) -> State:
        """Return the place behind ``records`` documents, answers and dead letters, which have passed with this call."""
        found: dict[str, dict[str, list[int | None]]] = {}
        for (topic, number), place in sorted(self._positions.at(records).items()):
            found.setdefault(topic, {})[str(number)] = list(place)
        met = [list(labels) for labels in self._records.met_before(records)]
        last: dict[str, dict[str, list[str | int | None]]] = {}
        for (topic, number), read in sorted(self._positions.last_read().items()):
            last.setdefault(topic, {})[str(number)] = list(read)
        return {"records": records, "partitions": found, "late": self._merge.late, "labels": met, "last_read": last}

    def seek(self, place: State) -> None:
        """Begin at ``place``."""
        if self._begun:
            raise UsageError("a wire that is being read cannot begin elsewhere; make a new one")
        records = int(place["records"])
        if records:  # what its documents are was clear then
            self._detect, self.detected = None, self._records.format.plain()
        self._merge.load(place["partitions"])
        self._merge.late = int(place["late"])
        self._resumed = records, tuple(place.get("labels", ((), ())))
        self._positions.begin(records, positions_of(self._merge.place()), last_read_of(place.get("last_read", {})))
        if self._order is not None:
            self._order.resume_at(records)

    @property
    def newest_time(self) -> float:
        """The newest time of a record that has been fetched; times ahead of the clock do not count."""
        return self._newest

    def figures(self) -> TopicFigures:
        """Return the progress of reading; any thread may ask, at any moment.

        The position of a partition is behind the records that :meth:`drop_places_before` counts. The counts of polls
        come from the process that fetches, with the records, else every few seconds.
        """
        found = self._group.figures(self._positions.now(), self._merge.late)
        return replace(found, silence=self.fetching.silence)

    def __iter__(self) -> Iterator[Any]:
        if self._begun:
            raise UsageError("a wire of topics is read once; there is no second pass")
        self._begun = True
        records, met = self._resumed
        self._records.begin(self.budget, self.skip_records, records, met)
        offsets = {one: place[0] for one, place in self._positions.now().items()}
        self._follow_event(self.fetching.begin(offsets, self._positions.last_read(), self._say))
        while not self._merge.ended:
            quiet = not self._listen()
            if self._gap is not None:
                self._merge.drain()
            taken = self._merge.take(_AT_ONCE, time.monotonic())
            if quiet and not len(taken.rows):  # nothing more is there for now
                if self.live:
                    yield from self._sampled()
                if not self._sample:
                    self._reach()
                yield Arrivals(StoryBuilder().take())
            while len(taken.rows):
                yield from self._items(taken)
                taken = self._merge.take(_AT_ONCE, time.monotonic())
            if self._gap is not None:
                yield from self._sampled()
                self._begin_again(self._gap)
        yield from self._sampled()
        self._reach()

    def _listen(self) -> bool:
        """Take what comes next; return whether anything came.

        If we are behind, take polls of a few records together: it costs less to learn many at once.
        """
        event, records = self.fetching.take(_GLANCE), 0
        if event is None:
            return False
        while event is not None:
            self._follow_event(event)
            records += len(event) if isinstance(event, PollResult) else 0
            event = self.fetching.take(0.0) if records < _AT_ONCE and self._gap is None else None
        return True

    def _begin_again(self, gap: LostRecords) -> None:
        """Go on behind a gap, now that all records before it are yielded: a place has only one log of a partition."""
        self._gap = None
        self._merge.begin_again(gap)
        again = {gap.partition: LastRead(gap.topic_id)}
        self._positions.reach(positions_of(self._merge.place()), again)

    def _reach(self) -> None:
        """Note the positions behind everything yielded."""
        self._positions.reach(positions_of(self._merge.place()))

    def _follow_event(self, event: FetchEvent) -> None:
        match event:
            case PartitionsAssigned(state, topic_ids):
                if self._order_of is not None:
                    self._order_of.check_topics(topic_ids)
                if self._order is not None:
                    self._order.note_topics(topic_ids)
                self._merge.assign(state)
                self._positions.add_partitions(positions_of(self._merge.place()), topic_ids)
            case PollResult():
                self._merge.add(event)
                for some in event.record_sets:
                    self._held.add(some)
                    self._note_newest(some.timestamps)
            case PartitionsRevoked(partitions):
                self._merge.revoke(partitions)
            case FetchProblem():
                self._say(event.sentence)
                self._gap = event.lost
        self._group = self._group.after(event)

    def _note_newest(self, stamps: Offsets) -> None:
        known = stamps[(stamps >= 0) & (stamps <= 1000 * time.time())]
        if len(known):
            self._newest = float(np.fmax(self._newest, known.max() / 1000))

    def _items(self, taken: TakenRecords) -> Iterator[Arrivals[Stories] | DeadLetter]:
        """Yield what the records hold, unless they belong to the sample; skip those that do not count."""
        block, used_up = self._held.take(taken.partitions)
        for some in used_up:
            self.fetching.free({some.partition: some.size})
        counts = self._records.counts(block)
        block = block.select(counts if taken.counted is None else counts & taken.counted)
        if self._detect is None:
            yield from self._held_by(block)
            return
        self._sample.append(block)
        size = sum(int(one.value_sizes.sum()) for one in self._sample)
        if size >= BYTES or sum(map(len, self._sample)) >= SAMPLE:
            yield from self._sampled()

    def _sampled(self) -> Iterator[Arrivals[Stories] | DeadLetter]:
        """Find out by the sample what the documents are, and yield what it holds."""
        blocks, self._sample = self._sample, []
        if blocks and self._detect is not None:
            records = chain.from_iterable(block.records() for block in blocks)
            documents = self._records.documents_of(islice(records, SAMPLE))
            found = self._detect(documents) if documents else None
            if found is not None:
                self._records.settle(found)
                self._detect, self.detected = None, found.plain()
        for block in blocks:
            yield from self._held_by(block)

    def _held_by(self, block: RecordBlock) -> Iterator[Arrivals[Stories] | DeadLetter]:
        """Note the places of records, and yield what they hold; leave out those that say that a row is gone."""
        block = self._records.without_gone(block)
        offsets = RecordOffsets(block.partitions, block.offsets, block.timestamps)
        if len(block):
            self._positions.add(offsets)
        items = self._records.of(block)
        yield from self._followed(items, offsets, block) if self._followers else items

    def _followed(
        self, items: Iterable[Arrivals[Stories] | DeadLetter], offsets: RecordOffsets, block: RecordBlock
    ) -> Iterator[Arrivals[Stories] | DeadLetter]:
        """Yield ``items``, and give the followers the records of their documents; ``offsets`` has all records in order.

        Each document, answer and dead letter is a record. If the records are answer, document, answer, answer,
        document, then the answers come before the documents 0, 1 and 1, and the documents are the records 1 and 4:
        their own numbers plus the 1 and 3 answers that come before them.
        """
        at = 0
        for item in items:
            if not isinstance(item, Arrivals):
                at += 1
            elif isinstance(item.documents, Stories):
                numbers = np.arange(len(item))
                rows = at + numbers + np.searchsorted(item.answers.rows, numbers, "right")
                at += len(item) + len(item.answers)
                partitions, places, stamps = (column[rows] for column in offsets)
                held = HeldRows(block, rows)
                for one in self._followers if len(item) else ():
                    one.add(item.documents.ids, self._merge.partitions, partitions, places, stamps, held=held)
            yield item

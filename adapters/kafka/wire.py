"""Topics of Kafka as an archive that knows where each of its records stands."""

from __future__ import annotations

import time
from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters.kafka.frames import Assigned, Frame, Problem, Revoked
from telex.adapters.kafka.merging import Merging, places_of
from telex.adapters.kafka.records import Record, Records
from telex.learners.errors import UsageError
from telex.stream.posted import Posted
from telex.stream.stories import StoryBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from telex.adapters.kafka.fetching import Fetches
    from telex.adapters.kafka.frames import Part, Partition
    from telex.adapters.kafka.merging import Taken
    from telex.learners.arrays import Ids, Offsets
    from telex.stream.deadletter import DeadLetter
    from telex.stream.state import State

_AT_ONCE = 1024
_GLANCE = 0.1
"""Seconds after which who waits for records looks whether something else is to be done."""
_LEAST = np.iinfo(np.int64).min


class _Stretch(NamedTuple):
    """Records that were given out: of each the partition, its offset and its timestamp."""

    partitions: Ids
    offsets: Offsets
    timestamps: Offsets


class TopicWire:
    """The records of all partitions of some topics, in the order of docs/live-wire.md.

    ``fetching`` brings them, ``records`` makes documents and answers of them. With ``until_end`` the wire ends at the
    ends that were first seen; else it is ``live``, and tells empty pieces while nothing comes. It is read once; where
    it stood after so many records is said by :meth:`place`, and one that is newly made goes on there. Problems that
    stop nothing are told to ``say``.

    >>> from telex.adapters.kafka.fake import FakeFetching, frame
    >>> fetching = FakeFetching([
    ...     frame({}, ends={("wire", 0): 2}),
    ...     frame({("wire", 0): [(0, 10, b"a", b'{"text": "Gold."}'), (1, 20, b"b", b'{"text": "Cup."}')]}),
    ... ])
    >>> wire = TopicWire(fetching, Records(), until_end=True)
    >>> [list(posted.documents.ids) for posted in wire], wire.place(1)["partitions"]
    ([['a', 'b']], {'wire': {'0': [1, 10, 2]}})
    """

    title = "kafka"

    def __init__(
        self,
        fetching: Fetches,
        records: Records,
        *,
        until_end: bool = False,
        max_idle: float = 0.0,
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.fetching, self.live = fetching, not until_end
        self._records, self._say = records, say
        self._merging = Merging(until_end=until_end, max_idle=max_idle)
        self._parts: dict[int, deque[Part]] = {}
        self._firsts: dict[int, int] = {}  # the row of the first record that is held, by partition
        self._lock = Lock()
        self._begin = 0  # records behind which the first stretch begins
        self._places: dict[Partition, list[int | None]] = {}
        self._stretches: deque[_Stretch] = deque()
        self._begun = False

    def place(self, records: int) -> State:
        """Return where the wire stood after so many documents, answers and letters; what is before is forgotten."""
        with self._lock:
            while self._stretches and records - self._begin >= len(self._stretches[0].offsets):
                stretch = self._stretches.popleft()
                _go(self._places, self._merging.partitions, stretch)
                self._begin += len(stretch.offsets)
            places = {partition: list(place) for partition, place in self._places.items()}
            if self._stretches:
                some, stretch = records - self._begin, self._stretches[0]
                part = _Stretch(stretch.partitions[:some], stretch.offsets[:some], stretch.timestamps[:some])
                _go(places, self._merging.partitions, part)
        found: dict[str, dict[str, list[int | None]]] = {}
        for (topic, number), place in sorted(places.items()):
            found.setdefault(topic, {})[str(number)] = place
        return {"records": records, "partitions": found, "late": self._merging.late}

    def go_on(self, place: State) -> None:
        """Begin there."""
        if self._begun:
            raise UsageError("a wire that is being read cannot begin elsewhere; make a new one")
        self._begin = int(place["records"])
        self._merging.load(place["partitions"])
        self._places = {one: list(told) for one, told in places_of(place["partitions"]).items()}
        self._merging.late = int(place["late"])

    def __iter__(self) -> Iterator[Posted | DeadLetter]:
        if self._begun:
            raise UsageError("a wire of topics is read once; there is no second pass")
        self._begun = True
        try:
            assigned = self.fetching.begin({one: int(place[0] or 0) for one, place in self._places.items()})
            self._heard(assigned)
            while not self._merging.ended:
                told = self.fetching.take(_GLANCE)
                if told is not None:
                    self._heard(told)
                taken = self._merging.take(_AT_ONCE, time.time())
                if told is None and not len(taken.rows):
                    yield Posted(StoryBuilder().take())  # nothing more is there for now
                while len(taken.rows):
                    yield from self._given(taken)
                    taken = self._merging.take(_AT_ONCE, time.time())
        finally:
            self.fetching.close()

    def _heard(self, told: Any) -> None:
        match told:
            case Assigned():
                self._merging.assign(told.state)
                with self._lock:
                    for topic, partitions in self._merging.place().items():
                        for number, place in partitions.items():
                            self._places.setdefault((topic, int(number)), place)
            case Frame():
                self._merging.add(told)
                for part in told.parts:
                    self._parts.setdefault(self._merging.partitions.index(part.partition), deque()).append(part)
            case Revoked():
                self._merging.revoke(told.partitions)
            case Problem():
                self._say(told.sentence)

    def _given(self, taken: Taken) -> Iterator[Posted | DeadLetter]:
        """Yield what the records say, having noted where they stand; those without a value are passed over."""
        found = self._found(taken)
        records = [record for record, _ in found if record is not None]
        counted = np.array([record is not None for record, _ in found], np.bool_)
        stretch = _Stretch(
            taken.partitions[counted],
            np.array([record.offset for record in records], np.int64),
            np.array([time for record, time in found if record is not None], np.int64),
        )
        with self._lock:
            if records:
                self._stretches.append(stretch)
        yield from self._records.of(records)

    def _found(self, taken: Taken) -> list[tuple[Record | None, int]]:
        """Return the records that were taken and their timestamps, and free what is not needed any more."""
        rows: dict[int, Iterator[tuple[Record | None, int]]] = {}
        for index in np.unique(taken.partitions).tolist():
            rows[index] = iter(self._next(index, int(np.count_nonzero(taken.partitions == index))))
        return [next(rows[index]) for index in taken.partitions.tolist()]

    def _next(self, index: int, count: int) -> list[tuple[Record | None, int]]:
        """Return the next records of a partition."""
        partition, parts = self._merging.partitions[index], self._parts[index]
        found = list[tuple[Record | None, int]]()
        first = self._firsts.get(index, 0)
        while count:
            part = parts[0]
            some = min(count, len(part) - first)
            found += _records(partition, part, first, first + some)
            count, first = count - some, first + some
            if first == len(part):
                parts.popleft()
                self.fetching.free({partition: part.size})
                first = 0
        self._firsts[index] = first
        return found


def _records(partition: Partition, part: Part, start: int, stop: int) -> Iterator[tuple[Record | None, int]]:
    keys, values = part.key_sizes, part.value_sizes
    key_at = int(np.maximum(keys[:start], 0).sum())
    value_at = int(np.maximum(values[:start], 0).sum())
    rows = zip(*(c[start:stop].tolist() for c in (part.offsets, part.timestamps, keys, values)), strict=True)
    for offset, stamp, key_size, value_size in rows:
        key = None if key_size < 0 else part.keys[key_at : key_at + key_size]
        key_at += max(key_size, 0)
        value = part.values[value_at : value_at + max(value_size, 0)]
        value_at += len(value)
        when = stamp / 1000 if stamp >= 0 else float("nan")
        yield (None if value_size < 0 else Record(partition, offset, when, key, value)), stamp


def _go(places: dict[Partition, list[int | None]], partitions: list[Partition], stretch: _Stretch) -> None:
    """Move places behind the records of a stretch."""
    for index in np.unique(stretch.partitions).tolist():
        of = stretch.partitions == index
        place = places[partitions[index]]
        largest = max(int(stretch.timestamps[of].max()), _LEAST if place[1] is None else place[1])
        places[partitions[index]] = [int(stretch.offsets[of][-1]) + 1, largest, place[2]]

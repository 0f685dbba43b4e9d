"""The specified order: the records of all partitions merged into one stream."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from telex.adapters.kafka.consume.frames import Frame, Partition
    from telex.learners.base import Flags, Ids, Offsets

LEAST = np.iinfo(np.int64).min
"""A timestamp below all others."""
_NONE = np.empty(0, np.int64)


class Taken(NamedTuple):
    """Records in the order in which they are taken: each with its partition and its index in that partition.

    ``partitions`` are indices into :attr:`Merging.partitions`; rows count from the first record since the merging was
    made. ``counted`` marks the records to be given out; None means all. The others are passed over.
    """

    partitions: Ids
    rows: Offsets
    counted: Flags | None = None


@dataclass(slots=True)
class _Waiting:
    """The records of one partition that wait; ``keys`` are the largest timestamps up to each record."""

    next: int
    end: int | None
    largest: int = LEAST
    keys: Offsets = field(default_factory=_NONE.copy)
    offsets: Offsets = field(default_factory=_NONE.copy)
    position: int = 0
    assigned: bool = True
    at_end: bool = False
    came: float = -np.inf
    row: int = 0

    def add(self, offsets: Offsets, timestamps: Offsets, now: float) -> None:
        if self.end is not None:  # records behind the end belong to another run
            offsets = offsets[: np.searchsorted(offsets, self.end)]
            timestamps = timestamps[: len(offsets)]
        if not len(offsets):
            return
        first = self.keys[-1] if len(self.keys) else self.largest
        keys = np.maximum.accumulate(np.maximum(timestamps, first))
        self.keys = np.concatenate((self.keys, keys))
        self.offsets = np.concatenate((self.offsets, offsets))
        self.came = now

    def over(self, now: float, max_idle: float) -> bool:
        """Tell whether the merge need not wait for more of this partition."""
        if not self.assigned:
            return True
        if self.end is not None:
            reached = int(self.offsets[-1]) + 1 if len(self.offsets) else self.next
            return max(self.position, reached) >= self.end
        return self.at_end and now - self.came >= max_idle

    def take(self, count: int) -> None:
        self.next, self.largest = int(self.offsets[count - 1]) + 1, int(self.keys[count - 1])
        self.keys, self.offsets = self.keys[count:], self.offsets[count:]
        self.row += count

    def place(self) -> list[int | None]:
        # Marks of transactions may follow the last record. Once all is taken, the place is behind them, too.
        reached = self.next if len(self.keys) else max(self.next, self.position)
        if self.end is not None:
            reached = max(self.next, min(reached, self.end))
        return [reached, None if self.largest == LEAST else self.largest, self.end]


class Merging:
    """Takes the record with the smallest (timestamp, topic, partition, offset) among the first of each partition.

    It waits until every partition has a record or is known to be at its end. A record that is earlier than one before
    it in its partition comes directly behind that one: the order is that of (largest timestamp so far in the partition,
    topic, partition, offset). With ``until_end`` a partition ends at the end that was first seen, and the order depends
    on the records alone. Without it, a partition is at its end when the broker says so and nothing has come for
    ``max_idle`` seconds; a record that comes too late is taken when it comes, and counted in ``late``.

    >>> from telex.adapters.kafka.fake import frame
    >>> merging = Merging(until_end=True)
    >>> merging.assign(frame({("wire", 0): [], ("wire", 1): []}, ends={("wire", 0): 3, ("wire", 1): 1}))
    >>> merging.add(frame({("wire", 0): [(0, 10), (1, 5), (2, 30)]}, ends={("wire", 0): 3, ("wire", 1): 1}))
    >>> merging.take().rows.tolist()  # partition 1 may have an earlier one
    []
    >>> merging.add(frame({("wire", 1): [(0, 10)]}, ends={("wire", 0): 3, ("wire", 1): 1}))
    >>> taken = merging.take()
    >>> taken.partitions.tolist(), taken.rows.tolist(), merging.ended
    ([0, 0, 1, 0], [0, 1, 0, 2], True)
    >>> merging.place()
    {'wire': {'0': [3, 30, 3], '1': [1, 10, 1]}}
    """

    def __init__(self, *, until_end: bool = False, max_idle: float = 0.0) -> None:
        self.partitions: list[Partition] = []
        self.late = 0
        self._until_end, self._max_idle = until_end, max_idle
        self._waiting: list[_Waiting] = []
        self._by_rank: list[int] = []
        self._ranks = np.empty(0, np.int64)
        self._indices: dict[Partition, int] = {}
        self._last = (LEAST, -1)
        self._begun = False

    def assign(self, state: Frame) -> None:
        """Wait for these partitions from now on, and for no others."""
        for one in self._waiting:
            one.assigned = False
        for partition, position, end in zip(
            state.partitions, state.positions.tolist(), state.ends.tolist(), strict=True
        ):
            index = self._indices.get(partition)
            if index is None:
                # A partition that appears once the ends are fixed has no records in this run.
                until = (position if self._begun else end) if self._until_end else None
                self._know(partition, _Waiting(position, until))
            else:
                self._waiting[index].assigned = True
        self._begun = True
        self.add(state)

    def revoke(self, partitions: Sequence[Partition]) -> None:
        """Stop waiting for these; records that have come are still taken."""
        for partition in partitions:
            self._waiting[self._indices[partition]].assigned = False

    def add(self, frame: Frame) -> None:
        """Add the records of one poll."""
        for part in frame.parts:
            self._waiting[self._indices[part.partition]].add(part.offsets, part.timestamps, frame.time)
        for partition, position, at_end in zip(
            frame.partitions, frame.positions.tolist(), frame.at_end.tolist(), strict=True
        ):
            one = self._waiting[self._indices[partition]]
            one.position, one.at_end = position, at_end

    def take(self, most: int | None = None, now: float = np.inf) -> Taken:
        """Return the records that may be taken next; ``now`` is a time of the frames' clock.

        ``most`` limits their number; there may be fewer than possible, so take until none comes.
        """
        # A partition that may still get records limits what can be taken: nothing behind its last (key, rank), the cut.
        # If partition 0 has the keys 10, 10, 30, and partition 1, still open, has 10, then the cut is (10, 1). Each
        # partition gives its keys below 10, and those equal to 10 if its rank is at most that of the cut's partition.
        cut: tuple[int, int] | None = None
        for index, one in enumerate(self._waiting):
            if not one.over(now, self._max_idle):
                if not len(one.keys):
                    return Taken(np.empty(0, np.int32), _NONE)
                cut = self._first_of(cut, index, len(one.keys))
        if most is not None:
            # Take only some of each, so that little is sorted in vain; fewer than possible may be taken.
            some = max(1, 2 * most // max(1, len(self._waiting)))
            for index, one in enumerate(self._waiting):
                if len(one.keys) > some:
                    cut = self._first_of(cut, index, some)
        pieces = []
        for index in self._by_rank:
            one = self._waiting[index]
            count = len(one.keys)
            if cut is not None and count:
                count = int(np.searchsorted(one.keys, cut[0], "right" if self._ranks[index] <= cut[1] else "left"))
            if count:
                pieces.append((index, count if most is None else min(count, most)))
        if not pieces:
            return Taken(np.empty(0, np.int32), _NONE)
        return self._merged(pieces, most)

    def _first_of(self, cut: tuple[int, int] | None, index: int, count: int) -> tuple[int, int]:
        last = (int(self._waiting[index].keys[count - 1]), int(self._ranks[index]))
        return last if cut is None else min(cut, last)

    def _merged(self, pieces: list[tuple[int, int]], most: int | None) -> Taken:
        # Pieces are in the order of topic and partition, and each ascends, so a stable sort by keys gives the order.
        keys = np.concatenate([self._waiting[index].keys[:count] for index, count in pieces])
        order = np.argsort(keys, kind="stable") if len(pieces) > 1 else np.arange(len(keys))
        order = order[:most]
        partitions = np.repeat(np.array([index for index, _ in pieces], np.int32), [count for _, count in pieces])[
            order
        ]
        rows = np.concatenate([np.arange(self._waiting[i].row, self._waiting[i].row + n) for i, n in pieces])[order]
        keys = keys[order]
        self._count_late(keys, self._ranks[partitions])
        for index, count in enumerate(np.bincount(partitions).tolist()):
            if count:
                self._waiting[index].take(count)
        return Taken(partitions, rows)

    def _count_late(self, keys: Offsets, ranks: Offsets) -> None:
        key, rank = self._last
        first, behind = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
        self.late += int(first) + int(np.count_nonzero(ranks[first:behind] < rank))
        self._last = max(self._last, (int(keys[-1]), int(ranks[-1])))

    @property
    def ended(self) -> bool:
        """Whether everything up to the first seen ends is taken."""
        return (
            self._until_end
            and self._begun
            and all(one.over(np.inf, 0.0) and not len(one.keys) for one in self._waiting)
        )

    @property
    def waiting(self) -> int:
        """The number of records that have come and are not taken."""
        return sum(len(one.keys) for one in self._waiting)

    def place(self) -> dict[str, dict[str, list[int | None]]]:
        """Return by topic and partition the next offset, the largest timestamp and the end, None on a live wire."""
        places: dict[str, dict[str, list[int | None]]] = {}
        for (topic, number), one in sorted(zip(self.partitions, self._waiting, strict=True), key=lambda pair: pair[0]):
            places.setdefault(topic, {})[str(number)] = one.place()
        return places

    def load(self, place: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Resume at a place; call it on a new object."""
        for (topic, number), (offset, largest, end) in places_of(place).items():
            if (end is None) == self._until_end:
                raise UsageError(
                    "this run was begun with --until-end; resume it with --until-end"
                    if end is not None
                    else "this run was begun without --until-end; resume it without"
                )
            waiting = _Waiting(offset, end, LEAST if largest is None else largest, assigned=False)
            waiting.position = offset
            self._know((topic, number), waiting)
            self._begun = True

    def _know(self, partition: Partition, waiting: _Waiting) -> None:
        self._indices[partition] = len(self.partitions)
        self.partitions.append(partition)
        self._waiting.append(waiting)
        self._by_rank = sorted(range(len(self.partitions)), key=self.partitions.__getitem__)
        self._ranks = np.argsort(self._by_rank)
        if self._last[1] >= 0:  # the rank of the last may have changed, so compare timestamps alone
            self._last = (self._last[0], len(self.partitions))


def places_of(place: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[Partition, tuple[int, int | None, int | None]]:
    """Return a place by partition, after checking it.

    >>> places_of({"wire": {"0": [3, 30, None]}})
    {('wire', 0): (3, 30, None)}
    """
    try:
        return {
            (topic, int(number)): (
                int(offset),
                None if largest is None else int(largest),
                None if end is None else int(end),
            )
            for topic, partitions in place.items()
            for number, (offset, largest, end) in partitions.items()
        }  # fmt: skip
    except (TypeError, ValueError, AttributeError) as error:
        raise UsageError(f"this is not a place in topics ({error}); resume from another checkpoint") from error

"""Merges the records of all partitions into one stream, in the specified order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters.kafka.consume.partition_queue import PartitionQueue
from telex.adapters.kafka.consume.positions import LEAST, positions_of
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from telex.adapters.kafka.fetch import LostRecords, Partition, PollResult
    from telex.learners.base import Flags, Ids, Offsets

_NONE = np.empty(0, np.int64)


class TakenRecords(NamedTuple):
    """Records in the order in which they are taken: each with its partition and its index in that partition.

    ``partitions`` are indices into :attr:`TimestampMerge.partitions`; rows count from the first record since the merge
    was made. ``counted`` marks the records to yield; None means all. The others are skipped.
    """

    partitions: Ids
    rows: Offsets
    counted: Flags | None = None


class TimestampMerge:
    """Takes the record with the smallest (timestamp, topic, partition, offset) among the first of each partition.

    It waits until every partition has a record or is known to be at its end. A record that is earlier than one before
    it in its partition comes directly behind that one: the order is that of (largest timestamp so far in the partition,
    topic, partition, offset). With ``until_end`` a partition ends at the end that was first seen, and the order depends
    on the records alone. Without it, a partition is at its end when the broker says so and nothing has come for
    ``max_idle`` seconds; a record that comes too late is taken when it comes, and counted in ``late``.

    >>> from telex.adapters.kafka.fake import poll_result
    >>> merge = TimestampMerge(until_end=True)
    >>> merge.assign(poll_result({("wire", 0): [], ("wire", 1): []}, ends={("wire", 0): 3, ("wire", 1): 1}))
    >>> merge.add(poll_result({("wire", 0): [(0, 10), (1, 5), (2, 30)]}, ends={("wire", 0): 3, ("wire", 1): 1}))
    >>> merge.take().rows.tolist()  # partition 1 may have an earlier one
    []
    >>> merge.add(poll_result({("wire", 1): [(0, 10)]}, ends={("wire", 0): 3, ("wire", 1): 1}))
    >>> taken = merge.take()
    >>> taken.partitions.tolist(), taken.rows.tolist(), merge.ended
    ([0, 0, 1, 0], [0, 1, 0, 2], True)
    >>> merge.place()
    {'wire': {'0': [3, 30, 3], '1': [1, 10, 1]}}
    """

    def __init__(self, *, until_end: bool = False, max_idle: float = 0.0) -> None:
        self.partitions: list[Partition] = []
        self.late = 0
        self._until_end, self._max_idle = until_end, max_idle
        self._queues: list[PartitionQueue] = []
        self._by_rank: list[int] = []
        self._ranks = np.empty(0, np.int64)
        self._indices: dict[Partition, int] = {}
        self._last = (LEAST, -1)
        self._begun = self._draining = False

    def assign(self, state: PollResult) -> None:
        """Wait for these partitions from now on, and for others only up to their ends; the first time has them all."""
        for one in self._queues:
            one.assigned = False
        for partition, position, end in zip(
            state.partitions, state.positions.tolist(), state.ends.tolist(), strict=True
        ):
            index = self._indices.get(partition)
            if index is None:
                # A partition that appears once the ends are fixed has no records in this run.
                until = (position if self._begun else end) if self._until_end else None
                self._add_partition(partition, PartitionQueue(position, until))
            else:
                self._queues[index].assigned = True
        self._begun = True
        self.add(state)

    def revoke(self, partitions: Sequence[Partition]) -> None:
        """Stop waiting for these, unless they have an end; records that have come are still taken."""
        for partition in partitions:
            self._queues[self._indices[partition]].assigned = False

    def drain(self) -> None:
        """Wait for no partition, until :meth:`begin_again`."""
        self._draining = True

    def begin_again(self, gap: LostRecords) -> None:
        """Go on behind a gap, once all records before it are taken."""
        self._draining = False
        self._queues[self._indices[gap.partition]].begin_again(gap.found, gap.end)

    def add(self, poll: PollResult) -> None:
        """Add the records of one poll."""
        for some in poll.record_sets:
            self._queues[self._indices[some.partition]].add(some.offsets, some.timestamps, poll.time)
        for partition, position, at_end in zip(
            poll.partitions, poll.positions.tolist(), poll.at_end.tolist(), strict=True
        ):
            one = self._queues[self._indices[partition]]
            one.position, one.at_end = position, at_end

    def take(self, most: int | None = None, now: float = np.inf) -> TakenRecords:
        """Return the records that may be taken next; ``now`` is a time of the polls' clock.

        ``most`` limits their number; there may be fewer than possible, so take until none comes.
        """
        # A partition that may still get records limits what can be taken: nothing behind its last (key, rank), the cut.
        # If partition 0 has the keys 10, 10, 30, and partition 1, still open, has 10, then the cut is (10, 1). Each
        # partition gives its keys below 10, and those equal to 10 if its rank is at most that of the cut's partition.
        cut: tuple[int, int] | None = None
        for index, one in enumerate(self._queues):
            if not (self._draining or one.over(now, self._max_idle)):
                if not len(one.keys):
                    return TakenRecords(np.empty(0, np.int32), _NONE)
                cut = self._first_of(cut, index, len(one.keys))
        if most is not None:
            # Take only some of each, so that little is sorted in vain; fewer than possible may be taken.
            some = max(1, 2 * most // max(1, len(self._queues)))
            for index, one in enumerate(self._queues):
                if len(one.keys) > some:
                    cut = self._first_of(cut, index, some)
        pieces = []
        for index in self._by_rank:
            one = self._queues[index]
            count = len(one.keys)
            if cut is not None and count:
                count = int(np.searchsorted(one.keys, cut[0], "right" if self._ranks[index] <= cut[1] else "left"))
            if count:
                pieces.append((index, count if most is None else min(count, most)))
        if not pieces:
            return TakenRecords(np.empty(0, np.int32), _NONE)
        return self._merged(pieces, most)

    def _first_of(self, cut: tuple[int, int] | None, index: int, count: int) -> tuple[int, int]:
        last = (int(self._queues[index].keys[count - 1]), int(self._ranks[index]))
        return last if cut is None else min(cut, last)

    def _merged(self, pieces: list[tuple[int, int]], most: int | None) -> TakenRecords:
        # Pieces are in the order of topic and partition, and each ascends, so a stable sort by keys gives the order. If
        # partition 0 gives the keys 10, 10, 30 and partition 1 gives 10, then ``keys`` is [10, 10, 30, 10], ``order``
        # [0, 1, 3, 2], ``partitions`` [0, 0, 1, 0], and ``rows`` [0, 1, 0, 2] if these are the first of each.
        keys = np.concatenate([self._queues[index].keys[:count] for index, count in pieces])
        order = np.argsort(keys, kind="stable") if len(pieces) > 1 else np.arange(len(keys))
        order = order[:most]
        indices, counts = zip(*pieces, strict=True)
        partitions = np.repeat(np.array(indices, np.int32), counts)[order]
        rows = np.concatenate([np.arange(self._queues[i].row, self._queues[i].row + n) for i, n in pieces])[order]
        keys = keys[order]
        self._count_late(keys, self._ranks[partitions])
        for index, count in enumerate(np.bincount(partitions).tolist()):
            if count:
                self._queues[index].take(count)
        return TakenRecords(partitions, rows)

    def _count_late(self, keys: Offsets, ranks: Offsets) -> None:
        # Late are records that come before the last one taken earlier: those with a smaller key, and of those with the
        # same key the ones of an earlier partition. ``keys`` ascend, so these are rows 0 to ``first`` and some behind.
        key, rank = self._last
        first, behind = np.searchsorted(keys, key, "left"), np.searchsorted(keys, key, "right")
        self.late += int(first) + int(np.count_nonzero(ranks[first:behind] < rank))
        self._last = max(self._last, (int(keys[-1]), int(ranks[-1])))

    @property
    def ended(self) -> bool:
        """Whether everything up to the first seen ends is taken."""
        return (
            self._until_end and self._begun and all(one.over(np.inf, 0.0) and not len(one.keys) for one in self._queues)
        )

    @property
    def waiting(self) -> int:
        """The number of records that have come and are not taken."""
        return sum(len(one.keys) for one in self._queues)

    def place(self) -> dict[str, dict[str, list[int | None]]]:
        """Return by topic and partition the next offset, the largest timestamp and the end, None on a live wire."""
        places: dict[str, dict[str, list[int | None]]] = {}
        for (topic, number), one in sorted(zip(self.partitions, self._queues, strict=True), key=lambda pair: pair[0]):
            places.setdefault(topic, {})[str(number)] = one.place()
        return places

    def load(self, place: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Resume at a place; call it on a new object."""
        for (topic, number), (offset, largest, end) in positions_of(place).items():
            if (end is None) == self._until_end:
                raise UsageError(
                    "this run was begun with --until-end; resume it with --until-end"
                    if end is not None
                    else "this run was begun without --until-end; resume it without"
                )
            queue = PartitionQueue(offset, end, LEAST if largest is None else largest, assigned=False)
            queue.position = offset
            self._add_partition((topic, number), queue)
            self._begun = True

    def _add_partition(self, partition: Partition, queue: PartitionQueue) -> None:
        self._indices[partition] = len(self.partitions)
        self.partitions.append(partition)
        self._queues.append(queue)
        self._by_rank = sorted(range(len(self.partitions)), key=self.partitions.__getitem__)
        self._ranks = np.argsort(self._by_rank)
        if self._last[1] >= 0:  # the rank of the last may have changed, so compare timestamps alone
            self._last = (self._last[0], len(self.partitions))

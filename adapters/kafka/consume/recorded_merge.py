"""The merge in the order that another run recorded."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.kafka.consume.merge import TakenRecords
from telex.adapters.kafka.consume.positions import LEAST, positions_of
from telex.adapters.kafka.consume.recorded_partition import RecordedPartition
from telex.learners.base import StoppedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from telex.adapters.kafka.consume.order_file import Order
    from telex.adapters.kafka.fetch import LostRecords, Partition, PollResult
    from telex.learners.base import Ids, Offsets

_AT_ONCE = 1 << 15
"""Rows of the order that are matched at a time."""
_NONE = np.empty(0, np.int64)


class RecordedMerge:
    """Takes the records of ``order`` in their recorded order, whatever their times.

    It has the methods of :class:`~.merge.TimestampMerge`. Other records of a partition that come before a recorded one
    are skipped: they are among the taken records, but not ``counted``. A recorded record that is no longer there is an
    error. ``ended`` is true after the last record of the order.

    The order is read in pieces. Of a piece, ``_piece`` has the partition of each row; ``_there`` tells which of its
    records have come, and for these ``_rows`` has their number in their partition, ``_over`` how many others of it are
    skipped before, and ``_keys`` what :class:`~.merge.TimestampMerge` would sort by.
    """

    def __init__(self, order: Order) -> None:
        self._order = order
        self.late = 0
        firsts = dict[int, int]()
        for codes, offsets, _ in self._pieces():
            found, rows = np.unique(codes, return_index=True)
            for code, offset in zip(found.tolist(), offsets[rows].tolist(), strict=True):
                firsts.setdefault(code, offset)
        self._codes = np.array(sorted(firsts), np.int64)
        self.partitions = [(order.topics[code >> 32], code & 0xFFFFFFFF) for code in self._codes.tolist()]
        self._states = [RecordedPartition(firsts[code]) for code in self._codes.tolist()]
        self._indices = {partition: index for index, partition in enumerate(self.partitions)}
        self._ranks = np.argsort(sorted(range(len(self.partitions)), key=self.partitions.__getitem__))
        self._at = self._start = 0  # records of the order taken, and records before the current piece
        self._piece = np.empty(0, np.int32)
        self._there = np.empty(0, np.bool_)
        self._rows, self._over, self._keys = _NONE, _NONE, _NONE
        self._last = LEAST

    def assign(self, state: PollResult) -> None:
        """Add partitions that are fetched from now on."""
        for partition, position in zip(state.partitions, state.positions.tolist(), strict=True):
            self._state_of(partition, position)
        self.add(state)

    def revoke(self, partitions: Sequence[Partition]) -> None:
        """Ignore that partitions were revoked: the merge waits for their records until they are back."""

    def drain(self) -> None:
        """Do nothing: the order says what is taken."""

    def begin_again(self, gap: LostRecords) -> None:
        """Ignore a gap: a recorded record that is in it will be missed."""

    def add(self, poll: PollResult) -> None:
        """Add the records of one poll."""
        for some in poll.record_sets:
            index = self._indices[some.partition]
            if index < len(self._codes):  # else it is never taken
                one = self._states[index]
                one.come = np.concatenate((one.come, some.offsets))
                one.come_at = np.concatenate((one.come_at, some.timestamps))
                self._match(one, index)
        states = zip(poll.partitions, poll.positions.tolist(), poll.at_end.tolist(), strict=True)
        for partition, position, at_end in states:
            one = self._states[self._indices[partition]]
            one.position, one.at_end = position, at_end

    def take(self, most: int | None = None, now: float = np.inf) -> TakenRecords:
        """Return the next records as far as they have come; at most ``most`` of the order."""
        if self._at == self._start + len(self._piece):
            self._next_piece()
        first = self._at - self._start
        there = self._there[first : None if most is None else first + most]
        count = len(there) if there.all() else int(np.argmin(there))
        rows = slice(first, first + count)
        self._at += count
        taken = _with_passed(self._piece[rows], self._rows[rows], self._over[rows])
        self._count_late(self._keys[rows])
        if not count and not self.ended:
            return self._passed_over(int(self._piece[first]))
        return taken

    @property
    def ended(self) -> bool:
        """Whether all records of the order are taken."""
        return self._at == len(self._order)

    def place(self) -> dict[str, dict[str, list[int | None]]]:
        """Return by topic and partition the next offset and the largest timestamp; there is no end."""
        places: dict[str, dict[str, list[int | None]]] = {}
        for (topic, number), one in sorted(zip(self.partitions, self._states, strict=True), key=lambda pair: pair[0]):
            behind, largest = self._behind(one)
            places.setdefault(topic, {})[str(number)] = [behind, None if largest == LEAST else largest, None]
        return places

    def load(self, place: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Resume at a place; call it on a new object."""
        for partition, (offset, largest, end) in positions_of(place).items():
            if end is not None:
                raise UsageError(
                    "this run was begun with --until-end; resume it with --until-end, or follow an order in a new run"
                )
            one = self._state_of(partition, offset)
            one.next, one.largest = max(one.next, offset), LEAST if largest is None else largest
        nexts = np.array([one.next for one in self._states], np.int64)
        after = False
        for codes, offsets, _ in self._pieces():
            taken = offsets < nexts[np.searchsorted(self._codes, codes)]
            self._at += int(np.count_nonzero(taken))
            if (after and taken.any()) or (np.diff(taken.astype(np.int8)) > 0).any():
                raise UsageError(f"the checkpoint does not fit the order in {self._order.path}; begin a new run")
            after = after or not taken.all()
        self._start = self._at

    # -- the order

    def _pieces(self) -> Iterator[tuple[Offsets, Offsets, Offsets]]:
        """Yield the codes of partitions, the offsets and the timestamps of the order, piece by piece."""
        for start in range(0, len(self._order), _AT_ONCE):
            yield self._columns(start)

    def _columns(self, start: int) -> tuple[Offsets, Offsets, Offsets]:
        rows = self._order.rows(start, start + _AT_ONCE)
        codes = (rows["topic"].astype(np.int64) << 32) | rows["partition"]
        return codes, rows["offset"].astype(np.int64), rows["timestamp"].astype(np.int64)

    def _next_piece(self) -> None:
        """Go to the next piece of the order after one that is taken."""
        nexts = [self._behind(one) for one in self._states]
        codes, offsets, timestamps = self._columns(self._at)
        self._start, self._piece = self._at, np.searchsorted(self._codes, codes).astype(np.int32)
        self._there = np.zeros(len(codes), np.bool_)
        self._rows, self._over, self._keys = np.empty((3, len(codes)), np.int64)
        for index, one in enumerate(self._states):
            places = np.flatnonzero(self._piece == index)
            one.begin_piece(nexts[index], places, offsets[places], timestamps[places])
            self._match(one, index)

    # -- what is taken

    def _state_of(self, partition: Partition, position: int) -> RecordedPartition:
        if partition not in self._indices:
            self._indices[partition] = len(self.partitions)
            self.partitions.append(partition)
            self._states.append(RecordedPartition(position))
        return self._states[self._indices[partition]]

    def _behind(self, one: RecordedPartition) -> tuple[int, int]:
        """Return the offset after the last taken record of a partition, and the largest timestamp."""
        taken = int(np.searchsorted(one.places, self._at - self._start))
        if not taken:
            return one.next, one.largest
        return int(one.offsets[taken - 1]) + 1, max(one.largest, int(one.timestamps[:taken].max()))

    def _match(self, one: RecordedPartition, index: int) -> None:
        """Note the rows of the piece that are there, now that records of a partition have come."""
        found = one.match(partial(self._missing, index))
        if found is None:
            return
        self._there[found.places] = True
        self._rows[found.places], self._over[found.places] = found.rows, found.over
        # The key is timestamp and rank of the partition in one number: of 3 partitions, timestamp 100 in that of rank 2
        # becomes 302. The clip keeps absurd timestamps from overflowing.
        most = (1 << 62) // len(self._ranks)
        self._keys[found.places] = np.clip(found.largest, -most, most) * len(self._ranks) + self._ranks[index]

    def _passed_over(self, index: int) -> TakenRecords:
        """Take the records of that partition before the next one in the order; raise an error if that never comes."""
        one = self._states[index]
        offset = int(one.offsets[one.found])
        count = int(np.searchsorted(one.come, offset))
        if not count and (len(one.come) or one.position > offset):
            raise self._missing(index, offset, "is no longer there")
        if not count and one.at_end:
            raise self._missing(index, offset, f"is not there: the log ends at {one.position}")
        rows = np.arange(one.row, one.row + count)
        one.drop(count)
        return TakenRecords(np.full(count, index, np.int32), rows, np.zeros(count, np.bool_))

    def _missing(self, index: int, offset: int, what: str) -> StoppedError:
        topic, number = self.partitions[index]
        return StoppedError(
            f"offset {offset} of {topic} {number}, a record of the order in {self._order.path}, {what}; begin a run "
            "that takes the records as they are"
        )

    def _count_late(self, keys: Offsets) -> None:
        if len(keys):
            newest = np.maximum.accumulate(np.concatenate(([self._last], keys)))
            self.late += int(np.count_nonzero(keys < newest[:-1]))
            self._last = int(newest[-1])


def _with_passed(partitions: Ids, rows: Offsets, over: Offsets) -> TakenRecords:
    """Return records with those that are skipped before each: ``over`` many, of the same partition.

    Rows 20 and 23 with ``over`` 0 and 2 become rows 20, 21, 22, 23, of which 20 and 23 are counted.
    """
    if not over.any():
        return TakenRecords(partitions, rows)
    ends = np.cumsum(over + 1)
    counted = np.zeros(int(ends[-1]), np.bool_)
    counted[ends - 1] = True
    before = np.arange(len(counted)) - np.repeat(ends - 1, over + 1)  # 0 for a counted record, -1, -2, .. before it
    return TakenRecords(np.repeat(partitions, over + 1), np.repeat(rows, over + 1) + before, counted)

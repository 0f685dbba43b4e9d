"""The order of records that another run recorded, followed again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.kafka.consume.merge import LEAST, Taken, places_of
from telex.learners.base import StoppedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from telex.adapters.kafka.consume.frames import Frame, Partition
    from telex.adapters.kafka.consume.order_file import Order
    from telex.learners.base import Ids, Offsets

_AT_ONCE = 1 << 15
"""Rows of the order that are matched at a time."""
_NONE = np.empty(0, np.int64)


@dataclass(slots=True)
class _Waiting:
    """The records of one partition that are wanted, and those that have come but are not matched yet.

    ``places`` are the rows of the current piece of the order that are of this partition, ``offsets`` and ``timestamps``
    the records in these rows; the first ``found`` of them have come. ``come`` and ``come_at`` are offsets and
    timestamps of records that came and were not matched. ``next`` and ``largest`` are the state before the piece.
    """

    next: int
    largest: int = LEAST
    places: Offsets = field(default_factory=_NONE.copy)
    offsets: Offsets = field(default_factory=_NONE.copy)
    timestamps: Offsets = field(default_factory=_NONE.copy)
    found: int = 0
    newest: int = LEAST
    come: Offsets = field(default_factory=_NONE.copy)
    come_at: Offsets = field(default_factory=_NONE.copy)
    row: int = 0  # the index of the first of ``come`` among all records that came of the partition
    position: int = 0
    at_end: bool = False

    def drop(self, count: int) -> None:
        self.come, self.come_at = self.come[count:], self.come_at[count:]
        self.row += count


class Following:
    """Takes the records of ``order`` in their recorded order, whatever their times; see :class:`~.merging.Merging`.

    Other records of a partition that come before a recorded one are passed over: they are among what is taken, but not
    ``counted``. A recorded record that is no longer there is an error. ``ended`` is true after the last record of the
    order.
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
        self._waiting = [_Waiting(firsts[code]) for code in self._codes.tolist()]
        self._indices = {partition: index for index, partition in enumerate(self.partitions)}
        self._ranks = np.argsort(sorted(range(len(self.partitions)), key=self.partitions.__getitem__))
        self._at = self._start = 0  # records of the order taken, and records before the current piece
        self._piece = np.empty(0, np.int32)  # the partition of each row of the piece; then, for rows that came:
        self._there = np.empty(0, np.bool_)
        self._rows, self._over, self._keys = _NONE, _NONE, _NONE
        self._last = LEAST

    def assign(self, state: Frame) -> None:
        """Add partitions that are fetched from now on."""
        for partition, position in zip(state.partitions, state.positions.tolist(), strict=True):
            self._know(partition, position)
        self.add(state)

    def revoke(self, partitions: Sequence[Partition]) -> None:
        """Ignore that partitions were revoked: their records are waited for until they are back."""

    def add(self, frame: Frame) -> None:
        """Add the records of one poll."""
        for part in frame.parts:
            index = self._indices[part.partition]
            if index < len(self._codes):  # else it is never taken
                one = self._waiting[index]
                one.come = np.concatenate((one.come, part.offsets))
                one.come_at = np.concatenate((one.come_at, part.timestamps))
                self._match(one, index)
        states = zip(frame.partitions, frame.positions.tolist(), frame.at_end.tolist(), strict=True)
        for partition, position, at_end in states:
            one = self._waiting[self._indices[partition]]
            one.position, one.at_end = position, at_end

    def take(self, most: int | None = None, now: float = np.inf) -> Taken:
        """Return the next records as far as they have come; at most ``most`` of the order."""
        if self._at == self._start + len(self._piece):
            self._turn()
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
        for (topic, number), one in sorted(zip(self.partitions, self._waiting, strict=True), key=lambda pair: pair[0]):
            behind, largest = self._behind(one)
            places.setdefault(topic, {})[str(number)] = [behind, None if largest == LEAST else largest, None]
        return places

    def load(self, place: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Resume at a place; call it on a new object."""
        for partition, (offset, largest, end) in places_of(place).items():
            if end is not None:
                raise UsageError("this run was begun with --until-end; resume it so, or follow an order in a new run")
            one = self._know(partition, offset)
            one.next, one.largest = max(one.next, offset), LEAST if largest is None else largest
        nexts = np.array([one.next for one in self._waiting], np.int64)
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

    def _turn(self) -> None:
        """Go to the next piece of the order after one that is taken."""
        nexts = [self._behind(one) for one in self._waiting]
        codes, offsets, timestamps = self._columns(self._at)
        self._start, self._piece = self._at, np.searchsorted(self._codes, codes).astype(np.int32)
        self._there = np.zeros(len(codes), np.bool_)
        self._rows, self._over, self._keys = np.empty((3, len(codes)), np.int64)
        for index, one in enumerate(self._waiting):
            one.next, one.largest = nexts[index]
            one.places = np.flatnonzero(self._piece == index)
            one.offsets, one.timestamps, one.found = offsets[one.places], timestamps[one.places], 0
            one.newest = one.largest
            self._match(one, index)

    # -- what is taken

    def _know(self, partition: Partition, position: int) -> _Waiting:
        if partition not in self._indices:
            self._indices[partition] = len(self.partitions)
            self.partitions.append(partition)
            self._waiting.append(_Waiting(position))
        return self._waiting[self._indices[partition]]

    def _behind(self, one: _Waiting) -> tuple[int, int]:
        """Return the offset after the last taken record of a partition, and the largest timestamp."""
        taken = int(np.searchsorted(one.places, self._at - self._start))
        if not taken:
            return one.next, one.largest
        return int(one.offsets[taken - 1]) + 1, max(one.largest, int(one.timestamps[:taken].max()))

    def _match(self, one: _Waiting, index: int) -> None:
        """Find the wanted records among those that have come, and note the rows of the piece that are there.

        The order wants offsets 4 and 7 of this partition, in rows 10 and 12 of the piece; offsets 4, 5, 6 and 7 have
        come, the first as the partition's record 20. Then ``at`` is [0, 3]: rows 10 and 12 are there, as records 20 and
        23, and ``_over`` is [0, 2], since 5 and 6 are passed over before 7. If only 4 to 6 had come, row 10 alone would
        be there. An offset that was wanted but is missing between others ends the match: :meth:`_passed_over` reports
        it.
        """
        if not len(one.come):
            return
        wanted = one.offsets[one.found : np.searchsorted(one.offsets, one.come[-1], "right")]
        at = np.searchsorted(one.come, wanted)
        there = one.come[at] == wanted
        count = len(at) if there.all() else int(np.argmin(there))
        if not count:
            return
        at, wanted = at[:count], wanted[:count]
        other = one.come_at[at] != one.timestamps[one.found : one.found + count]
        if other.any():
            raise self._missing(index, int(wanted[np.argmax(other)]), "has another time: the topic was created again")
        places = one.places[one.found : one.found + count]
        self._there[places] = True
        self._rows[places] = one.row + at
        self._over[places] = np.diff(at, prepend=-1) - 1
        behind = int(at[-1]) + 1
        largest = np.maximum(np.maximum.accumulate(one.come_at[:behind]), one.newest)
        one.newest = int(largest[-1])
        # Timestamp and rank of the partition in one number. The clip keeps absurd timestamps from overflowing.
        most = (1 << 62) // len(self._ranks)
        self._keys[places] = np.clip(largest[at], -most, most) * len(self._ranks) + self._ranks[index]
        one.found += count
        one.drop(behind)

    def _passed_over(self, index: int) -> Taken:
        """Take the records of that partition before the next wanted one; raise an error if that never comes."""
        one = self._waiting[index]
        offset = int(one.offsets[one.found])
        count = int(np.searchsorted(one.come, offset))
        if not count and (len(one.come) or one.position > offset):
            raise self._missing(index, offset, "is no longer there")
        if not count and one.at_end:
            raise self._missing(index, offset, f"is not there: the log ends at {one.position}")
        rows = np.arange(one.row, one.row + count)
        one.drop(count)
        return Taken(np.full(count, index, np.int32), rows, np.zeros(count, np.bool_))

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


def _with_passed(partitions: Ids, rows: Offsets, over: Offsets) -> Taken:
    """Return records with those that are passed over before each: ``over`` many, of the same partition.

    Rows 20 and 23 with ``over`` 0 and 2 become rows 20, 21, 22, 23, of which 20 and 23 are counted.
    """
    if not over.any():
        return Taken(partitions, rows)
    ends = np.cumsum(over + 1)
    counted = np.zeros(int(ends[-1]), np.bool_)
    counted[ends - 1] = True
    before = np.arange(len(counted)) - np.repeat(ends - 1, over + 1)  # 0 for a counted record, -1, -2, .. before it
    return Taken(np.repeat(partitions, over + 1), np.repeat(rows, over + 1) + before, counted)

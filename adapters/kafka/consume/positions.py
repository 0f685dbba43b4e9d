"""The positions of a wire in its partitions, behind each of the records that it has yielded."""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters.kafka.fetch import LastRead
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from telex.adapters.kafka.consume.order_file import OrderFile
    from telex.adapters.kafka.fetch import Partition
    from telex.learners.base import Ids, Offsets


LEAST = np.iinfo(np.int64).min
"""A timestamp below all others."""
PartitionPosition = tuple[int, int | None, int | None]
"""The next offset of a partition, the largest timestamp so far, and the end."""


class RecordOffsets(NamedTuple):
    """Records in the order in which a wire yields them: the partition, offset and timestamp of each."""

    partitions: Ids
    offsets: Offsets
    timestamps: Offsets

    def rows(self, start: int, stop: int | None) -> RecordOffsets:
        """Return some of them."""
        return RecordOffsets(self.partitions[start:stop], self.offsets[start:stop], self.timestamps[start:stop])


class Reached(NamedTuple):
    """Positions behind everything yielded; ``again`` has the partitions whose logs are others from here on."""

    positions: dict[Partition, PartitionPosition]
    again: dict[Partition, LastRead]


class PartitionPositions:
    """The positions of all partitions of ``table``, behind any number of records that have not passed yet.

    One thread adds the records that it yields; others note how many have passed, and ask for positions, and for what
    the partitions were there: ``last_read``. ``order`` gets the records that have passed.

    >>> positions = PartitionPositions([("wire", 0), ("wire", 1)])
    >>> positions.begin(5, {("wire", 0): (3, 900, None), ("wire", 1): (2, None, None)})
    >>> positions.add(RecordOffsets(np.array([0, 0, 1], np.int32), np.array([3, 7, 2]), np.array([1000, 10, 2000])))
    >>> positions.at(7)
    {('wire', 0): (8, 1000, None), ('wire', 1): (2, None, None)}
    """

    def __init__(self, table: list[Partition], order: OrderFile | None = None) -> None:
        self._table, self._order = table, order
        self._passed = self._begin = 0  # how many records have passed, and behind how many the positions are known
        self._positions: dict[Partition, PartitionPosition] = {}
        self._last: dict[Partition, LastRead] = {}
        self._ahead: deque[RecordOffsets | Reached] = deque()
        self._lock = Lock()

    def begin(
        self,
        count: int,
        positions: Mapping[Partition, PartitionPosition],
        last_read: Mapping[Partition, LastRead] | None = None,
    ) -> None:
        """Begin at these positions, behind ``count`` records."""
        self._last = dict(last_read or {})
        self._passed = self._begin = count
        self._positions = dict(positions)

    def add_partitions(self, positions: Mapping[Partition, PartitionPosition], topic_ids: Mapping[str, str]) -> None:
        """Add the partitions that are new, and the ids that were not known."""
        with self._lock:
            self._positions = {**positions, **self._positions}
            for one in positions:
                known = self._last.get(one, LastRead())
                self._last[one] = known._replace(topic_id=known.topic_id or topic_ids.get(one[0]))

    def add(self, records: RecordOffsets) -> None:
        """Add the records that the wire yields next."""
        with self._lock:
            self._ahead.append(records)

    def reach(
        self, positions: dict[Partition, PartitionPosition], again: Mapping[Partition, LastRead] | None = None
    ) -> None:
        """Set the positions behind everything yielded: also behind markers and records without a value.

        From here on the logs of the partitions in ``again`` are others.
        """
        with self._lock:
            others = dict(again or {})
            if self._ahead and isinstance(last := self._ahead[-1], Reached):
                self._ahead.pop()
                others = {**last.again, **others}
            self._ahead.append(Reached(positions, others))

    def mark_passed(self, count: int) -> None:
        """Note that ``count`` records have passed: no position before them is needed."""
        with self._lock:
            self._passed = count
            self._pass(count)

    def at(self, count: int) -> dict[Partition, PartitionPosition]:
        """Return the positions behind ``count`` records, which have passed with this call."""
        with self._lock:
            self._passed = count
            self._pass(count)
            if count > self._begin and self._ahead and isinstance(records := self._ahead[0], RecordOffsets):
                some = count - self._begin
                self._go(records.rows(0, some))
                self._ahead[0] = records.rows(some, None)
            return dict(self._positions)

    def now(self) -> dict[Partition, PartitionPosition]:
        """Return the positions behind the records that have passed."""
        with self._lock:
            positions = dict(self._positions)
            if self._passed > self._begin and self._ahead and isinstance(records := self._ahead[0], RecordOffsets):
                positions.update(self._behind(records.rows(0, self._passed - self._begin))[0])
            return positions

    def last_read(self) -> dict[Partition, LastRead]:
        """Return what the partitions were at the positions that :meth:`at` returned last; ask in the same thread."""
        with self._lock:
            return dict(self._last)

    def _pass(self, count: int) -> None:
        while self._ahead:
            first = self._ahead[0]
            if not isinstance(first, RecordOffsets):
                self._positions.update(first.positions)
                self._last.update(first.again)
            elif len(first.offsets) <= count - self._begin:
                self._go(first)
            else:
                return
            self._ahead.popleft()

    def _go(self, records: RecordOffsets) -> None:
        if self._order is not None:
            self._order.append(self._table, records)
        positions, last = self._behind(records)
        self._positions.update(positions)
        self._last.update(last)
        self._begin += len(records.offsets)

    def _behind(self, records: RecordOffsets) -> tuple[dict[Partition, PartitionPosition], dict[Partition, LastRead]]:
        """Return the positions of those partitions that have some of the records, and what these were."""
        found: dict[Partition, PartitionPosition] = {}
        last: dict[Partition, LastRead] = {}
        for index in (
            np.unique(records.partitions).tolist() if len(records.offsets) > 1 else records.partitions.tolist()
        ):
            of = records.partitions == index
            one, offset = self._table[index], int(records.offsets[of][-1])
            _, largest, end = self._positions[one]
            newest = max(int(records.timestamps[of].max()), LEAST if largest is None else largest)
            found[one] = (offset + 1, newest, end)
            last[one] = LastRead(self._last.get(one, LastRead()).topic_id, offset, int(records.timestamps[of][-1]))
        return found, last


def positions_of(place: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[Partition, PartitionPosition]:
    """Return a place by partition, after checking it.

    >>> positions_of({"wire": {"0": [3, 30, None]}})
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


def last_read_of(place: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[Partition, LastRead]:
    """Return what the partitions of a place were.

    >>> last_read_of({"wire": {"0": ["5e0f", 2, 30]}})
    {('wire', 0): LastRead(topic_id='5e0f', offset=2, timestamp=30)}
    """
    return {
        (topic, int(number)): LastRead(*read)
        for topic, partitions in place.items()
        for number, read in partitions.items()
    }

"""The positions of a wire in its partitions, behind each of the records that it has yielded."""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

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


class PartitionPositions:
    """The positions of all partitions of ``table``, behind any number of records that have not passed yet.

    One thread adds the records that it yields; others note how many have passed, and ask for positions. ``order`` gets
    the records that have passed.

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
        self._ahead: deque[RecordOffsets | dict[Partition, PartitionPosition]] = deque()
        self._lock = Lock()

    def begin(self, count: int, positions: Mapping[Partition, PartitionPosition]) -> None:
        """Begin at these positions, behind ``count`` records."""
        self._passed = self._begin = count
        self._positions = dict(positions)

    def add_partitions(self, positions: Mapping[Partition, PartitionPosition]) -> None:
        """Add the partitions that are new."""
        with self._lock:
            self._positions = {**positions, **self._positions}

    def add(self, records: RecordOffsets) -> None:
        """Add the records that the wire yields next."""
        with self._lock:
            self._ahead.append(records)

    def reach(self, positions: dict[Partition, PartitionPosition]) -> None:
        """Set the positions behind everything yielded: also behind markers and records without a value."""
        with self._lock:
            if self._ahead and not isinstance(self._ahead[-1], RecordOffsets):
                self._ahead.pop()
            self._ahead.append(positions)

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
                positions.update(self._behind(records.rows(0, self._passed - self._begin)))
            return positions

    def _pass(self, count: int) -> None:
        while self._ahead:
            first = self._ahead[0]
            if not isinstance(first, RecordOffsets):
                self._positions.update(first)
            elif len(first.offsets) <= count - self._begin:
                self._go(first)
            else:
                return
            self._ahead.popleft()

    def _go(self, records: RecordOffsets) -> None:
        if self._order is not None:
            self._order.append(self._table, records)
        self._positions.update(self._behind(records))
        self._begin += len(records.offsets)

    def _behind(self, records: RecordOffsets) -> dict[Partition, PartitionPosition]:
        """Return the positions of those partitions that have some of the records."""
        found: dict[Partition, PartitionPosition] = {}
        for index in (
            np.unique(records.partitions).tolist() if len(records.offsets) > 1 else records.partitions.tolist()
        ):
            of = records.partitions == index
            _, largest, end = self._positions[self._table[index]]
            newest = max(int(records.timestamps[of].max()), LEAST if largest is None else largest)
            found[self._table[index]] = (int(records.offsets[of][-1]) + 1, newest, end)
        return found


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

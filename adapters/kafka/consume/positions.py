"""Where a wire stands: for each of the records that it has given out, until these are passed."""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters.kafka.consume.merge import LEAST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.adapters.kafka.consume.frames import Partition
    from telex.adapters.kafka.consume.order_file import OrderFile
    from telex.learners.base import Ids, Offsets


Place = tuple[int, int | None, int | None]
"""The next offset of a partition, the largest timestamp so far, and the end."""


class Stretch(NamedTuple):
    """Records that were given out one after another: of each the partition, its offset and its timestamp."""

    partitions: Ids
    offsets: Offsets
    timestamps: Offsets

    def rows(self, start: int, stop: int | None) -> Stretch:
        """Return some of them."""
        return Stretch(self.partitions[start:stop], self.offsets[start:stop], self.timestamps[start:stop])


class Places:
    """The places of all partitions, which stand in ``table``, at any number of records that is not passed yet.

    One thread adds what it gives out; others say what is passed, and ask. What is passed is put into ``order``.

    >>> places = Places([("wire", 0), ("wire", 1)])
    >>> places.begin(5, {("wire", 0): (3, 900, None), ("wire", 1): (2, None, None)})
    >>> places.add(Stretch(np.array([0, 0, 1], np.int32), np.array([3, 7, 2]), np.array([1000, 10, 2000])))
    >>> places.at(7)
    {('wire', 0): (8, 1000, None), ('wire', 1): (2, None, None)}
    """

    def __init__(self, table: list[Partition], order: OrderFile | None = None) -> None:
        self._table, self._order = table, order
        self._passed = self._begin = 0  # how many records are passed, and behind how many of them the places are known
        self._places: dict[Partition, Place] = {}
        self._ahead: deque[Stretch | dict[Partition, Place]] = deque()
        self._lock = Lock()

    def begin(self, records: int, places: Mapping[Partition, Place]) -> None:
        """Begin there."""
        self._passed = self._begin = records
        self._places = dict(places)

    def known(self, places: Mapping[Partition, Place]) -> None:
        """Have partitions that may be new."""
        with self._lock:
            self._places = {**places, **self._places}

    def add(self, stretch: Stretch) -> None:
        """Have records that are given out next."""
        with self._lock:
            self._ahead.append(stretch)

    def reached(self, places: dict[Partition, Place]) -> None:
        """Have where partitions stand behind all that was given out: marks and records without a value are behind."""
        with self._lock:
            if self._ahead and not isinstance(self._ahead[-1], Stretch):
                self._ahead.pop()
            self._ahead.append(places)

    def passed(self, records: int) -> None:
        """Be told that nobody asks about what is before so many records."""
        with self._lock:
            self._passed = records
            self._pass(records)

    def at(self, records: int) -> dict[Partition, Place]:
        """Return where all stood after so many records; what is before is passed."""
        with self._lock:
            self._passed = records
            self._pass(records)
            if records > self._begin and self._ahead and isinstance(stretch := self._ahead[0], Stretch):
                some = records - self._begin
                self._go(stretch.rows(0, some))
                self._ahead[0] = stretch.rows(some, None)
            return dict(self._places)

    def now(self) -> dict[Partition, Place]:
        """Return where all stands behind what is passed."""
        with self._lock:
            places = dict(self._places)
            if self._passed > self._begin and self._ahead and isinstance(stretch := self._ahead[0], Stretch):
                places.update(self._behind(stretch.rows(0, self._passed - self._begin)))
            return places

    def _pass(self, records: int) -> None:
        while self._ahead:
            first = self._ahead[0]
            if not isinstance(first, Stretch):
                self._places.update(first)
            elif len(first.offsets) <= records - self._begin:
                self._go(first)
            else:
                return
            self._ahead.popleft()

    def _go(self, stretch: Stretch) -> None:
        if self._order is not None:
            self._order.append(self._table, stretch)
        self._places.update(self._behind(stretch))
        self._begin += len(stretch.offsets)

    def _behind(self, stretch: Stretch) -> dict[Partition, Place]:
        """Return where those partitions stand that have records in a stretch."""
        found: dict[Partition, Place] = {}
        for index in (
            np.unique(stretch.partitions).tolist() if len(stretch.offsets) > 1 else stretch.partitions.tolist()
        ):
            of = stretch.partitions == index
            _, largest, end = self._places[self._table[index]]
            newest = max(int(stretch.timestamps[of].max()), LEAST if largest is None else largest)
            found[self._table[index]] = (int(stretch.offsets[of][-1]) + 1, newest, end)
        return found

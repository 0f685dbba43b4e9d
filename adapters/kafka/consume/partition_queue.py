"""The records of one partition that have come, and wait for the merge."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.kafka.consume.positions import LEAST

if TYPE_CHECKING:
    from telex.learners.base import Offsets

_NONE = np.empty(0, np.int64)


@dataclass(slots=True)
class PartitionQueue:
    """The records of one partition that wait; ``keys`` are the largest timestamps up to each record.

    If the timestamps are 10, 5, 30, the keys are 10, 10, 30: a record that is earlier than one before it comes directly
    behind that one. ``largest`` is the key of the last record taken, ``next`` the offset behind it, and ``row`` how
    many were taken. ``end`` is the offset at which the partition ends in this run, None on a live wire; ``position`` is
    the next offset to be fetched, and ``came`` when records came last.
    """

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
        """Append records that came at a time."""
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
        if self.end is not None:  # whoever has it now: its records are still to come
            reached = int(self.offsets[-1]) + 1 if len(self.offsets) else self.next
            return max(self.position, reached) >= self.end
        return not self.assigned or (self.at_end and now - self.came >= max_idle)

    def begin_again(self, offset: int, end: int) -> None:
        """Go on at an offset; a partition that ends does so where its log ends now, if that is another log."""
        if self.end is not None and (offset < self.next or end < self.end):
            self.end = max(end, offset)
        self.next = self.position = offset
        self.at_end = offset >= end

    def take(self, count: int) -> None:
        """Remove the first ``count`` records."""
        self.next, self.largest = int(self.offsets[count - 1]) + 1, int(self.keys[count - 1])
        self.keys, self.offsets = self.keys[count:], self.offsets[count:]
        self.row += count

    def place(self) -> list[int | None]:
        """Return the next offset, the largest timestamp and the end, as a checkpoint stores them."""
        # Marks of transactions may follow the last record. Once all is taken, the place is behind them, too.
        reached = self.next if len(self.keys) else max(self.next, self.position)
        if self.end is not None:
            reached = max(self.next, min(reached, self.end))
        return [reached, None if self.largest == LEAST else self.largest, self.end]

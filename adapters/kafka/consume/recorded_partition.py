"""The records of one partition that a recorded order names, found among those that come."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.adapters.kafka.consume.positions import LEAST

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners.base import Offsets, StoppedError

_NONE = np.empty(0, np.int64)


class FoundRecords(NamedTuple):
    """Records of the order that have come: their rows in the piece, and which records of the partition they are.

    ``over`` counts the records that are skipped before each, ``largest`` is the largest timestamp up to each.
    """

    places: Offsets
    rows: Offsets
    over: Offsets
    largest: Offsets


@dataclass(slots=True)
class RecordedPartition:
    """The records that a piece of the order names, and those that have come but are not matched with them yet.

    ``places`` are the rows of the piece that are of this partition, ``offsets`` and ``timestamps`` the records in these
    rows; the first ``found`` of them have come. ``come`` and ``come_at`` are offsets and timestamps of records that
    came and were not matched. ``next`` and ``largest`` are the state before the piece.
    """

    next: int
    largest: int = LEAST
    places: Offsets = field(default_factory=_NONE.copy)
    offsets: Offsets = field(default_factory=_NONE.copy)
    timestamps: Offsets = field(default_factory=_NONE.copy)
    found: int = 0
    newest: int = LEAST  # the largest timestamp so far, of skipped records as well
    come: Offsets = field(default_factory=_NONE.copy)
    come_at: Offsets = field(default_factory=_NONE.copy)
    row: int = 0  # the number of the first of ``come`` among all records that came of the partition
    position: int = 0
    at_end: bool = False

    def begin_piece(self, start: tuple[int, int], places: Offsets, offsets: Offsets, timestamps: Offsets) -> None:
        """Go to another piece of the order, of which nothing is found yet; ``start`` is the state before it."""
        self.next, self.largest = start
        self.places, self.offsets, self.timestamps = places, offsets, timestamps
        self.found, self.newest = 0, self.largest

    def drop(self, count: int) -> None:
        """Drop the first ``count`` records that came."""
        self.come, self.come_at = self.come[count:], self.come_at[count:]
        self.row += count

    def match(self, error: Callable[[int, str], StoppedError]) -> FoundRecords | None:
        """Find the next records of the order among those that have come, and drop these up to the last found.

        A record that is missing between others ends the match, and is no error here. ``error`` makes one of an offset
        and what is wrong with it.

        The order has the offsets 4 and 7 of this partition, in rows 10 and 12 of the piece. The offsets 4 to 7 have
        come, the first of them as record 20 of the partition. So the rows 10 and 12 are there, as the records 20 and
        23, and two records are skipped before the second:

        >>> order = {"places": np.array([10, 12]), "offsets": np.array([4, 7]), "timestamps": np.array([100, 90])}
        >>> come = {"come": np.array([4, 5, 6, 7]), "come_at": np.array([100, 200, 80, 90]), "row": 20}
        >>> one = RecordedPartition(4, **order, **come)
        >>> [column.tolist() for column in one.match(lambda offset, why: StoppedError(why))]
        [[10, 12], [20, 23], [0, 2], [100, 200]]

        If only 4 to 6 had come, row 10 alone would be there, and 5 and 6 would wait.
        """
        if not len(self.come):
            return None
        # In the example ``sought`` is [4, 7], ``at`` [0, 3], ``there`` [True, True]; for 4 to 6 [4], [0] and [True].
        sought = self.offsets[self.found : np.searchsorted(self.offsets, self.come[-1], "right")]
        at = np.searchsorted(self.come, sought)
        there = self.come[at] == sought
        count = len(at) if there.all() else int(np.argmin(there))
        if not count:
            return None
        at, now = at[:count], slice(self.found, self.found + count)
        changed = self.come_at[at] != self.timestamps[now]
        if changed.any():
            raise error(int(sought[np.argmax(changed)]), "has another time: the topic was created again")
        behind = int(at[-1]) + 1
        largest = np.maximum(np.maximum.accumulate(self.come_at[:behind]), self.newest)
        found = FoundRecords(self.places[now], self.row + at, np.diff(at, prepend=-1) - 1, largest[at])
        self.newest = int(largest[-1])
        self.found += count
        self.drop(behind)
        return found

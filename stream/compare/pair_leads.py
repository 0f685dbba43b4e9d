"""The order of each pair: since when one of two learners is better without a break, and when to report it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from telex.learners.base import Offsets, State

HELD = 100
"""For how many scored documents an order must hold before it is reported; at its start it often comes and goes."""


class OrderChange(NamedTuple):
    """The order of ``pair`` has been ``sign`` since the document ``since``, as reported at ``document``."""

    document: int
    pair: int
    sign: int
    since: int


class Orders:
    """The order of each pair (1, -1, or 0 while it is open), and since which document it has held without a break.

    >>> orders = Orders(1)
    >>> orders.follow(np.array([[0, 1, 0, 1, 1]], np.int8), np.arange(1, 6))
    []
    >>> orders.signs.tolist(), orders.since.tolist()
    ([1], [4])
    >>> orders.follow(np.ones((1, 200), np.int8), np.arange(6, 206))
    [OrderChange(document=103, pair=0, sign=1, since=4)]
    """

    def __init__(self, pairs: int) -> None:
        self.signs: npt.NDArray[np.int8] = np.zeros(pairs, np.int8)
        self.since: Offsets = np.zeros(pairs, np.int64)
        self._held: Offsets = np.zeros(pairs, np.int64)  # for how many scored documents the order has held
        self._reported: npt.NDArray[np.int8] = np.zeros(pairs, np.int8)  # the order reported last

    def follow(self, signs: npt.NDArray[np.int8], documents: Offsets) -> list[OrderChange]:
        """Take a column of signs for each scored document; return the reports, in order."""
        count, reports = len(documents), list[OrderChange]()
        # Fast path: pairs whose order does not change and is already reported, or will not have held for long enough.
        silent = (signs == self.signs[:, None]).all(axis=1)
        silent &= (self.signs == self._reported) | (self._held + count < HELD)
        if silent.all():
            self._held += count
            return reports
        for pair in np.flatnonzero(~silent).tolist():
            row = signs[pair]
            # The columns at which each stretch of one sign starts; the first started before this call, so below 0.
            turns = np.flatnonzero(np.diff(row, prepend=self.signs[pair])).tolist()
            starts = [-int(self._held[pair]), *turns]
            for turn, (start, end) in enumerate(zip(starts, [*turns, count], strict=True)):
                if turn:
                    self.signs[pair], self.since[pair] = row[start], documents[start]
                at = start + HELD - 1
                if at < end and self._reported[pair] != self.signs[pair]:
                    self._reported[pair] = self.signs[pair]
                    reports.append(OrderChange(int(documents[at]), pair, int(self.signs[pair]), int(self.since[pair])))
            self._held[pair] = count - starts[-1]
        self._held[silent] += count
        return sorted(reports)

    def save(self) -> State:
        """Return the orders as plain data."""
        return {
            "signs": self.signs.copy(),
            "since": self.since.copy(),
            "held": self._held.copy(),
            "told": self._reported.copy(),
        }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self.signs, self.since, self._held, self._reported = (state[key] for key in ("signs", "since", "held", "told"))

"""Since when one of two is better without a break, and when that is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from telex.learners.arrays import Offsets
    from telex.stream.state import State

HELD = 100
"""For how many scored documents an order must have held before it is told: at its begin it comes and goes."""


class Told(NamedTuple):
    """That the order of ``pair`` has been ``sign`` since the document ``since``, told at the document ``document``."""

    document: int
    pair: int
    sign: int
    since: int


class Orders:
    """Which order each pair is in (1, -1, or 0 where it is open), and since which document, without a break.

    >>> orders = Orders(1)
    >>> orders.follow(np.array([[0, 1, 0, 1, 1]], np.int8), np.arange(1, 6))
    []
    >>> orders.signs.tolist(), orders.since.tolist()
    ([1], [4])
    >>> orders.follow(np.ones((1, 200), np.int8), np.arange(6, 206))
    [Told(document=103, pair=0, sign=1, since=4)]
    """

    def __init__(self, pairs: int) -> None:
        self.signs: npt.NDArray[np.int8] = np.zeros(pairs, np.int8)
        self.since: Offsets = np.zeros(pairs, np.int64)
        self._held: Offsets = np.zeros(pairs, np.int64)  # scored documents since then
        self._told: npt.NDArray[np.int8] = np.zeros(pairs, np.int8)

    def follow(self, signs: npt.NDArray[np.int8], documents: Offsets) -> list[Told]:
        """Go through a column of signs for each scored document, and return what is to be told, in order."""
        count, found = len(documents), list[Told]()
        silent = (signs == self.signs[:, None]).all(axis=1)
        silent &= (self.signs == self._told) | (self._held + count < HELD)
        if silent.all():
            self._held += count
            return found
        for pair in np.flatnonzero(~silent).tolist():
            row = signs[pair]
            turns = np.flatnonzero(np.diff(row, prepend=self.signs[pair])).tolist()
            starts = [-int(self._held[pair]), *turns]
            for turn, (start, end) in enumerate(zip(starts, [*turns, count], strict=True)):
                if turn:
                    self.signs[pair], self.since[pair] = row[start], documents[start]
                at = start + HELD - 1
                if at < end and self._told[pair] != self.signs[pair]:
                    self._told[pair] = self.signs[pair]
                    found.append(Told(int(documents[at]), pair, int(self.signs[pair]), int(self.since[pair])))
            self._held[pair] = count - starts[-1]
        self._held[silent] += count
        return sorted(found)

    def save(self) -> State:
        """Return the orders."""
        return {
            "signs": self.signs.copy(),
            "since": self.since.copy(),
            "held": self._held.copy(),
            "told": self._told.copy(),
        }

    def load(self, state: State) -> None:
        """Go on with the orders that :meth:`save` told of."""
        self.signs, self.since, self._held, self._told = (state[key] for key in ("signs", "since", "held", "told"))

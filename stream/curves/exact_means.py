"""Running means that are the same to the bit however the stream is cut into batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Flags, Offsets, Reals, State

# A sum of whole numbers in float64 is exact, in any order, while it is below 2**53. The values of a batch must be below
# _SMALL, so that fewer than 2**22 of them add less than 2**52, and the sum before them must be below _EXACT.
_EXACT = 2.0**52
_SMALL = 2.0**30


class Columns:
    """Losses of some documents, a row per loss and a column per document, prepared to be added to several means.

    Rows of whole numbers, such as losses of 0 and 1, are summed here, once and fast: such sums are exact in any order.
    """

    __slots__ = ("defined", "totals", "values", "whole")

    def __init__(self, values: Reals) -> None:
        undefined = np.isnan(values)
        self.defined: Offsets = values.shape[1] - np.count_nonzero(undefined, axis=1)
        self.values: Reals = np.where(undefined, 0.0, values)
        self.whole: Flags = (np.rint(self.values) == self.values).all(axis=1) & (
            np.abs(self.values).max(axis=1, initial=0.0) < _SMALL
        )
        self.totals: Reals = self.values.sum(axis=1)


class Means:
    """Running means, as if documents were added one by one in float64; NaN is left out.

    >>> means = Means(2)
    >>> means.add(Columns(np.array([[1.0, 2.0], [0.1, np.nan]])))
    >>> means.figures()
    [1.5, 0.1]
    """

    __slots__ = ("defined", "sums")

    def __init__(self, losses: int) -> None:
        self.sums: Reals = np.zeros(losses)
        self.defined: Offsets = np.zeros(losses, np.int64)

    def add(self, columns: Columns) -> None:
        """Add documents."""
        sums = self.sums
        exact = columns.whole & (np.rint(sums) == sums) & (np.abs(sums) < _EXACT)
        for row in np.flatnonzero(~exact).tolist():
            # accumulate adds strictly in order, starting from the sum so far; numpy's sum adds pairwise.
            sums[row] = np.add.accumulate(np.concatenate((sums[row : row + 1], columns.values[row])))[-1]
        sums[exact] += columns.totals[exact]
        self.defined += columns.defined

    def save(self) -> State:
        """Return the sums as plain data."""
        return {"sums": self.sums.copy(), "defined": self.defined.copy()}

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self.sums, self.defined = state["sums"], state["defined"]

    def figures(self) -> list[float]:
        """Return the means, NaN if no value was defined."""
        nothing = np.full(len(self.sums), np.nan)
        figures: list[float] = np.divide(self.sums, self.defined, out=nothing, where=self.defined > 0).tolist()
        return figures

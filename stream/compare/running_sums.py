"""Running sums of differences, and of their squared distances from the mean so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Offsets, Reals, State


class Trace(NamedTuple):
    """The count of differences, their sum and their spread after each document: a row per pair, a column each."""

    counts: Offsets
    sums: Reals
    spreads: Reals


class RunningSums:
    """The count of differences of each pair, their sum, and their spread, the sum of (D_i - g_i)^2.

    g_i is the mean of the differences before D_i, 0 before the first; so it is known before D_i. NaN is left out of its
    pair. Sums add one document at a time in float64: however documents are cut into calls, they are the same to the
    bit.

    >>> running = RunningSums(1)
    >>> running.add(np.array([[1.0, np.nan, 0.0]]))
    Trace(counts=array([[1, 1, 2]]), sums=array([[1., 1., 1.]]), spreads=array([[1., 1., 2.]]))
    """

    def __init__(self, pairs: int) -> None:
        self.counts: Offsets = np.zeros(pairs, np.int64)
        self.sums: Reals = np.zeros(pairs)
        self.spreads: Reals = np.zeros(pairs)

    def add(self, differences: Reals) -> Trace:
        """Add a column for each document; return the sums after each."""
        undefined = np.isnan(differences)
        if gaps := undefined.any():
            differences = np.where(undefined, 0.0, differences)
            counts = _on(self.counts, ~undefined)
        else:
            counts = self.counts[:, None] + np.arange(differences.shape[1] + 1)
        # counts and sums have a column more than there are documents: column i is the state before document i.
        sums = _on(self.sums, differences)
        squares = sums[:, :-1] / np.maximum(counts[:, :-1], 1)  # g_i
        np.subtract(differences, squares, out=squares)
        np.multiply(squares, squares, out=squares)
        if gaps:
            squares[undefined] = 0.0
        spreads = _on(self.spreads, squares)
        self.counts, self.sums, self.spreads = counts[:, -1].copy(), sums[:, -1].copy(), spreads[:, -1].copy()
        return Trace(counts[:, 1:], sums[:, 1:], spreads[:, 1:])

    def save(self) -> State:
        """Return the sums as plain data."""
        return {"counts": self.counts.copy(), "sums": self.sums.copy(), "spreads": self.spreads.copy()}

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self.counts, self.sums, self.spreads = state["counts"], state["sums"], state["spreads"]


def _on(before: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return the running sums of each row, from ``before`` on; accumulate adds strictly in order."""
    whole = np.empty((len(before), new.shape[1] + 1), before.dtype)
    whole[:, 0], whole[:, 1:] = before, new
    return np.add.accumulate(whole, axis=1, out=whole)

"""The rounds of a boosted committee, and what they come to when they are summed up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.learners.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.arrays import Ids, Offsets, Reals, Values

_BROKEN = "the rounds of a kept committee do not fit together; take another checkpoint"
_BLOCK = 16
_DENSE = 16
"""A row of which more than one in so many weights is not 0 is added whole."""


class Stump(NamedTuple):
    """What one round says of one label: ``present`` where the document has the feature ``pivot``, else ``absent``."""

    pivot: int
    absent: float
    present: float


class Sums(NamedTuple):
    """A bias a label; and the weights other than 0, by row (of ``terms``, ascending feature ids) and by column."""

    bias: Reals
    terms: Ids
    rows: Offsets
    columns: Offsets
    weights: Reals

    def strongest(self, n: int) -> list[list[tuple[int, float]]]:
        """Return for each label the up to ``n`` features of the largest weights, of either sign; equal ones by id.

        >>> sums = Sums(np.zeros(2), np.array([4, 7]), np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([1.0, -2, 3]))
        >>> sums.strongest(5)
        [[(7, -2.0), (4, 1.0)], [(7, 3.0)]]
        """
        order = np.lexsort((self.rows, -np.abs(self.weights), self.columns))
        ends = np.searchsorted(self.columns[order], np.arange(len(self.bias) + 1)).tolist()
        chosen = [order[start:end][:n] for start, end in pairwise(ends)]
        found = [(self.terms[self.rows[part]].tolist(), self.weights[part].tolist()) for part in chosen]
        return [list(zip(*one, strict=True)) for one in found]


@dataclass(frozen=True, slots=True, eq=False)
class Committee:
    """A row a round: pivots (feature ids, -1 none) in one column for all labels or one for each, and both values."""

    pivots: Ids
    absent: Reals
    present: Reals

    def __len__(self) -> int:
        return len(self.pivots)

    def stumps(self, column: int) -> list[Stump]:
        """Return the rounds of a label."""
        pivots = self.pivots[:, column if self.pivots.shape[1] > 1 else 0]
        rows = (pivots.tolist(), self.absent[:, column].tolist(), self.present[:, column].tolist())
        return [Stump(*row) for row in zip(*rows, strict=True)]

    def collapsed(self, rounds: int) -> Collapsed:
        """Sum up the first ``rounds``: a committee of stumps on presence is linear in presence.

        Sums are taken in float64 in the order of the rounds, and rounded to float32.
        """
        return Collapsed.of(*self.sums(rounds))

    def sums(self, rounds: int) -> Sums:
        """Return the sums of the first ``rounds`` in float64."""
        absent, present = self.absent[:rounds], self.present[:rounds]
        labels = absent.shape[1]
        bias = np.zeros(labels)
        for row in absent:
            bias += row
        pivots = np.broadcast_to(self.pivots[:rounds], absent.shape).ravel()
        known = pivots >= 0
        columns = np.broadcast_to(np.arange(labels), absent.shape).ravel()[known]
        terms, rows = np.unique(pivots[known], return_inverse=True)
        cells, place = np.unique(rows * labels + columns, return_inverse=True)
        differences = (present - absent).ravel()[known]
        sums = np.bincount(place, weights=differences, minlength=len(cells)).astype(np.float64)
        return Sums(bias, terms.astype(np.int32), cells // max(1, labels), cells % max(1, labels), sums)

    @classmethod
    def none(cls, rounds: int, labels: int, *, multiple: bool) -> Committee:
        """Return rounds that say nothing."""
        pivots = np.full((rounds, labels if multiple else 1), -1, np.int32)
        return cls(pivots, np.zeros((rounds, labels)), np.zeros((rounds, labels)))

    def save(self) -> dict[str, Any]:
        """Return the rounds as plain data."""
        return {"pivots": self.pivots, "absent": self.absent, "present": self.present}

    @classmethod
    def of(cls, state: Mapping[str, Any], labels: int, *, multiple: bool) -> Committee:
        """Return the committee that :meth:`save` told of."""
        found = cls(state["pivots"], state["absent"], state["present"])
        shapes = [(len(found.pivots), width) for width in (labels if multiple else 1, labels, labels)]
        arrays = (found.pivots, found.absent, found.present)
        right = all(isinstance(one, np.ndarray) for one in arrays) and [one.shape for one in arrays] == shapes
        if not right or [one.dtype for one in arrays] != [np.int32, np.float64, np.float64]:
            raise InputError(_BROKEN)
        if found.pivots.min(initial=0) < -1 or not np.isfinite([found.absent, found.present]).all():
            raise InputError(_BROKEN)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Collapsed:
    """A bias a label, and a row of weights for each of the ``terms`` (feature ids, ascending): all, or some columns.

    Labels are filled up to blocks of 16, and rows of some columns to fours, with zeros: processors like them so.
    """

    labels: int
    bias: Values
    terms: Ids
    rows: Offsets
    columns: Ids
    weights: Values

    @classmethod
    def of(cls, bias: Reals, terms: Ids, rows: Offsets, columns: Offsets, sums: Reals) -> Collapsed:
        """Lay out the sums, which come by row and then by column; rows that are nearly full are filled up."""
        width = (len(bias) + _BLOCK - 1) // _BLOCK * _BLOCK
        counts = np.bincount(rows, minlength=len(terms))
        dense = counts * _DENSE >= width
        sizes = np.where(dense, width, (counts + 3) // 4 * 4)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        at = starts[rows] + np.where(dense[rows], columns, np.arange(len(rows)) - first[rows])
        weights = np.zeros(int(starts[-1]), np.float32)
        # What fills up is spread over the labels: additions to one would wait for each other.
        places = (np.arange(int(starts[-1])) % max(1, width)).astype(np.int32)
        for row in np.flatnonzero(sizes == width).tolist():
            places[starts[row] : starts[row + 1]] = np.arange(width)
        weights[at], places[at] = sums, columns
        filled = np.zeros(width, np.float32)
        filled[: len(bias)] = bias
        return cls(len(bias), filled, terms, starts, places, weights)

    def row(self, feature: int) -> Values:
        """Return what the presence of a feature adds to each label."""
        found = np.zeros(len(self.bias), np.float32)
        place = int(np.searchsorted(self.terms, feature))
        if place < len(self.terms) and self.terms[place] == feature:
            span = slice(int(self.rows[place]), int(self.rows[place + 1]))
            np.add.at(found, self.columns[span], self.weights[span])
        return found[: self.labels]

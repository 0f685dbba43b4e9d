"""The rounds of a boosted committee, and their sums."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.learners.base import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Ids, Offsets, Reals, Values

_BROKEN = "the rounds of a saved committee do not fit together; take another checkpoint"
_BLOCK = 16
_DENSE = 16
"""A row is stored whole if at least one in this many of its weights is not 0."""


class Stump(NamedTuple):
    """One round's value for one label: ``present`` if the document has the feature ``pivot``, else ``absent``."""

    pivot: int
    absent: float
    present: float


class Sums(NamedTuple):
    """A bias per label, and the weights: ``weights[i]`` of the term ``terms[rows[i]]`` for the label ``columns[i]``.

    ``terms`` are feature ids, ascending; pairs of a term and a label that are not listed have the weight 0.
    """

    bias: Reals
    terms: Ids
    rows: Offsets
    columns: Offsets
    weights: Reals

    def strongest(self, n: int) -> list[list[tuple[int, float]]]:
        """Return for each label up to ``n`` features with the largest weights, of either sign; equal ones by id.

        >>> sums = Sums(np.zeros(2), np.array([4, 7]), np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([1.0, -2, 3]))
        >>> sums.strongest(5)
        [[(7, -2.0), (4, 1.0)], [(7, 3.0)]]
        """
        order = np.lexsort((self.rows, -np.abs(self.weights), self.columns))
        ends = np.searchsorted(self.columns[order], np.arange(len(self.bias) + 1)).tolist()
        chosen = [order[start:end][:n] for start, end in pairwise(ends)]
        columns = [(self.terms[self.rows[part]].tolist(), self.weights[part].tolist()) for part in chosen]
        return [list(zip(*one, strict=True)) for one in columns]


@dataclass(frozen=True, slots=True, eq=False)
class Committee:
    """The rounds as rows of arrays: pivots (feature ids, -1 for none), and the values for absence and presence.

    ``pivots`` has one column for all labels, or one for each; ``absent`` and ``present`` have a column per label.
    """

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
        """Return the first ``rounds`` summed up: a committee of stumps on presence is linear in presence.

        A stump adds ``absent`` to the bias and ``present - absent`` to the weight of its pivot. Sums are made in
        float64 in the order of the rounds, and rounded to float32.
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
        """Return rounds without pivots whose values are all 0."""
        pivots = np.full((rounds, labels if multiple else 1), -1, np.int32)
        return cls(pivots, np.zeros((rounds, labels)), np.zeros((rounds, labels)))

    def save(self) -> dict[str, Any]:
        """Return the rounds as plain data."""
        return {"pivots": self.pivots, "absent": self.absent, "present": self.present}

    @classmethod
    def of(cls, state: Mapping[str, Any], labels: int, *, multiple: bool) -> Committee:
        """Restore what :meth:`save` returned."""
        committee = cls(state["pivots"], state["absent"], state["present"])
        shapes = [(len(committee.pivots), width) for width in (labels if multiple else 1, labels, labels)]
        arrays = (committee.pivots, committee.absent, committee.present)
        right = all(isinstance(one, np.ndarray) for one in arrays) and [one.shape for one in arrays] == shapes
        if not right or [one.dtype for one in arrays] != [np.int32, np.float64, np.float64]:
            raise InputError(_BROKEN)
        if committee.pivots.min(initial=0) < -1 or not np.isfinite([committee.absent, committee.present]).all():
            raise InputError(_BROKEN)
        return committee


@dataclass(frozen=True, slots=True, eq=False)
class Collapsed:
    """The sums laid out for fast scoring: a bias per label, and a row of weights for each of ``terms``.

    Row i is ``weights[rows[i] : rows[i + 1]]``, for the labels in ``columns`` there. A dense row has all labels, filled
    up with zeros to a multiple of 16; a sparse row has some of them, filled up to a multiple of 4. ``terms`` are
    feature ids, ascending. The processor adds such blocks at once.
    """

    labels: int
    bias: Values
    terms: Ids
    rows: Offsets
    columns: Ids
    weights: Values

    @classmethod
    def of(cls, bias: Reals, terms: Ids, rows: Offsets, columns: Offsets, sums: Reals) -> Collapsed:
        """Lay out the sums, which come sorted by row and then by column."""
        width = (len(bias) + _BLOCK - 1) // _BLOCK * _BLOCK
        counts = np.bincount(rows, minlength=len(terms))
        dense = counts * _DENSE >= width
        sizes = np.where(dense, width, (counts + 3) // 4 * 4)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        first = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        at = starts[rows] + np.where(dense[rows], columns, np.arange(len(rows)) - first[rows])
        weights = np.zeros(int(starts[-1]), np.float32)
        # The zeros that fill up rows are spread over the labels: additions to one label would wait for each other.
        places = (np.arange(int(starts[-1])) % max(1, width)).astype(np.int32)
        for row in np.flatnonzero(sizes == width).tolist():
            places[starts[row] : starts[row + 1]] = np.arange(width)
        weights[at], places[at] = sums, columns
        filled = np.zeros(width, np.float32)
        filled[: len(bias)] = bias
        return cls(len(bias), filled, terms, starts, places, weights)

    def row(self, feature: int) -> Values:
        """Return what the presence of a feature adds to each label."""
        row = np.zeros(len(self.bias), np.float32)
        place = int(np.searchsorted(self.terms, feature))
        if place < len(self.terms) and self.terms[place] == feature:
            span = slice(int(self.rows[place]), int(self.rows[place + 1]))
            np.add.at(row, self.columns[span], self.weights[span])
        return row[: self.labels]

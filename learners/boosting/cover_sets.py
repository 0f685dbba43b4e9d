"""The covering of many documents in flat arrays: its loss, its error, and the weights that it gives to labels."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telex.learners.arrays import Flags, Offsets, Reals
    from telex.learners.boosting.coverings import Covering


class CoverSets:
    """A covering of documents whose labels are known, ready to be asked again and again.

    ``relevant`` has a row a document and a column a label; the covering is asked once for each distinct row. Of ``f``,
    of the same shape, a label is predicted where it is above 0. What is said of a document is the same, to the bit,
    beside whatever others: sums over its sets take labels that stand alone first.

    >>> from telex.learners.boosting.coverings import COVERINGS
    >>> truth, f = np.array([[True, True, False]]), np.array([[1.0, -1.0, 2.0]])
    >>> {name: float(CoverSets(one, truth, "abc").errors(f)[0]) for name, one in COVERINGS.items()}
    {'zo': 1.0, 'hm': 2.0, 'ts': 2.0, 'wp': 7.0, 'wn': 5.0}
    """

    def __init__(self, covering: Covering, relevant: Flags, labels: Sequence[Hashable]) -> None:
        n, k = self.shape = relevant.shape
        known, columns = tuple(labels), {label: column for column, label in enumerate(labels)}
        kinds, which = _distinct(relevant)
        told = [_sets(covering, row, known, columns) for row in kinds]
        self._groups = []
        for alone in (True, False):
            mine = [[part for part in one if (len(part[0]) == 1) is alone] for one in told]
            sets = np.array([len(one) for one in mine], np.int64)[which]
            lengths = [np.array([len(part) for part, _ in one], np.int64) for one in mine]
            weights = [np.array([times for _, times in one], np.int64) for one in mine]
            cells = [np.array([column for part, _ in one for column in part], np.int64) for one in mine]
            sizes = np.array([len(one) for one in cells], np.int64)[which]
            group = _Alone if alone else _Tied
            at = _joined([cells[kind] for kind in which]) + np.repeat(np.arange(n) * k, sizes)
            signs = np.where(relevant.ravel()[at], -1.0, 1.0)
            times = _joined([weights[kind] for kind in which]).astype(np.float64)
            documents = np.repeat(np.arange(n), sets)
            self._groups.append(group(at, signs, times, documents, _joined([lengths[kind] for kind in which])))

    def errors(self, f: Reals) -> Reals:
        """Return each document's covering error: its sets in which some label is wrong."""
        return self._by_document([group.wrong(f) for group in self._groups])

    def losses(self, f: Reals) -> Reals:
        """Return each document's covering loss: the sum over its sets of log(1 + sum exp(-y f))."""
        return self._by_document([group.weigh(f)[0] for group in self._groups])

    def weigh(self, f: Reals) -> tuple[Reals, float]:
        """Return the weights q of all documents and labels, summed over sets, and the sum of all losses."""
        size, q, loss = self.shape[0] * self.shape[1], np.zeros(0), 0.0
        for group in self._groups:
            losses, shares = group.weigh(f)
            if len(shares):
                mine = np.bincount(group.cells, shares, minlength=size).astype(np.float64, copy=False)
                q = q + mine if len(q) else mine
                loss += float((losses * group.weights).sum())
        return (q if len(q) else np.zeros(size)).reshape(self.shape), loss

    def _by_document(self, values: list[Reals]) -> Reals:
        summed = np.zeros(self.shape[0])
        for group, value in zip(self._groups, values, strict=True):
            summed += np.bincount(group.documents, value * group.weights, minlength=self.shape[0])
        return summed


@dataclass(frozen=True, slots=True, eq=False)
class _Sets:
    """Sets behind each other: the cells of their labels, -y of each; how often each set is there, and in which row."""

    cells: Offsets
    signs: Reals
    weights: Reals
    documents: Offsets
    lengths: Offsets


class _Alone(_Sets):
    """Sets of one label each, the most there are: numpy takes long over stretches of one."""

    __slots__ = ()

    def wrong(self, f: Reals) -> Reals:
        return _wrong(self, f)

    def weigh(self, f: Reals) -> tuple[Reals, Reals]:
        z = self.signs * f.ravel()[self.cells]
        small = np.exp(-np.abs(z))
        return np.maximum(z, 0.0) + np.log1p(small), np.where(z > 0, 1.0, small) / (1 + small) * self.weights


class _Tied(_Sets):
    """Sets of several labels."""

    __slots__ = ()

    def wrong(self, f: Reals) -> Reals:
        return self._over(np.maximum, _wrong(self, f))

    def weigh(self, f: Reals) -> tuple[Reals, Reals]:
        # With t = max(0, -y f) a label that many rounds have pushed to the wrong side does not overflow; rest is the
        # set's 1 + sum, over e^t, less 1.
        z = self.signs * f.ravel()[self.cells]
        top = np.maximum(self._over(np.maximum, z), 0.0)
        parts = np.exp(z - np.repeat(top, self.lengths))
        rest = self._over(np.add, parts) + np.expm1(-top)
        return top + np.log1p(rest), parts * np.repeat(self.weights / (1 + rest), self.lengths)

    def _over(self, what: np.ufunc, values: Reals) -> Reals:
        starts = np.cumsum(self.lengths) - self.lengths
        found: Reals = what.reduceat(values, starts) if len(starts) else values
        return found


def _wrong(sets: _Sets, f: Reals) -> Reals:
    """Return 1 for each label that is predicted and should not be, or the other way round, else 0."""
    wrong: Flags = (f.ravel()[sets.cells] > 0) != (sets.signs < 0)
    return wrong.astype(np.float64)


def _distinct(relevant: Flags) -> tuple[Flags, Offsets]:
    """Return the distinct rows, and which of them each row is."""
    rows: dict[bytes, int] = {}
    first, which = list[int](), np.zeros(len(relevant), np.int64)
    for i, row in enumerate(np.packbits(relevant, axis=1)):
        which[i] = kind = rows.setdefault(row.tobytes(), len(rows))
        if kind == len(first):
            first.append(i)
    return relevant[first], which


def _sets(
    covering: Covering, row: Flags, labels: tuple[Hashable, ...], columns: dict[Hashable, int]
) -> list[tuple[tuple[int, ...], int]]:
    """Return the columns of one labelling's distinct sets, and how often each set is there."""
    told = covering(frozenset(labels[i] for i in np.flatnonzero(row)), labels)
    sets = Counter(tuple(sorted({columns[label] for label in one if label in columns})) for one in told)
    sets.pop((), None)
    return list(sets.items())


def _joined(parts: list[Offsets]) -> Offsets:
    return np.concatenate([np.zeros(0, np.int64), *parts])

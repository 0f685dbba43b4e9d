"""The covering of many documents in flat arrays: its loss, its error, and the weights that it gives to labels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telex.learners.arrays import Flags, Offsets, Reals
    from telex.learners.boosting.coverings import Covering


class CoverSets:
    """A covering of documents whose labels are known, ready to be asked again and again.

    ``relevant`` has a row a document and a column a label; the covering is asked once for each distinct row. Of ``f``,
    of the same shape, a label is predicted where it is above 0. All sums are of one document, in the order of its sets.

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
        sets = np.array([len(lengths) for _, lengths, _ in told], np.int64)[which]
        cells = np.array([len(found) for found, _, _ in told], np.int64)[which]
        self._lengths = _joined([told[kind][1] for kind in which])
        self._weights = _joined([told[kind][2] for kind in which]).astype(np.float64)
        self._cells = _joined([told[kind][0] for kind in which]) + np.repeat(np.arange(n) * k, cells)
        self._documents = np.repeat(np.arange(n), sets)
        self._starts = np.cumsum(self._lengths) - self._lengths
        self._signs = np.where(relevant.ravel()[self._cells], -1.0, 1.0)

    def errors(self, f: Reals) -> Reals:
        """Return each document's covering error: its sets in which some label is wrong."""
        wrong = (f.ravel()[self._cells] > 0) != (self._signs < 0)
        return self._by_document(_over(np.maximum, wrong.astype(np.float64), self._starts) * self._weights)

    def losses(self, f: Reals) -> Reals:
        """Return each document's covering loss: the sum over its sets of log(1 + sum exp(-y f))."""
        top, _, rest = self._sums(f)
        return self._by_document((top + np.log1p(rest)) * self._weights)

    def weigh(self, f: Reals) -> tuple[Reals, float]:
        """Return the weights q of all documents and labels, summed over sets, and the sum of all losses."""
        top, parts, rest = self._sums(f)
        shares = parts * np.repeat(self._weights / (1 + rest), self._lengths)
        q: Reals = np.bincount(self._cells, shares, minlength=self.shape[0] * self.shape[1])
        return q.reshape(self.shape), float(((top + np.log1p(rest)) * self._weights).sum())

    def _sums(self, f: Reals) -> tuple[Reals, Reals, Reals]:
        """Return t = max(0, -y f) of each set, e^(-y f - t) of each label in it, and of each set e^-t (1 + sum) - 1.

        Without the t a label that many rounds have pushed to the wrong side would overflow.
        """
        z = self._signs * f.ravel()[self._cells]
        top = np.maximum(_over(np.maximum, z, self._starts), 0.0)
        parts = np.exp(z - np.repeat(top, self._lengths))
        return top, parts, _over(np.add, parts, self._starts) + np.expm1(-top)

    def _by_document(self, values: Reals) -> Reals:
        summed: Reals = np.bincount(self._documents, values, minlength=self.shape[0])
        return summed


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
) -> tuple[Offsets, Offsets, Offsets]:
    """Return the columns of one labelling's sets behind each other, the sets' lengths, and how often each is there."""
    told = covering(frozenset(labels[i] for i in np.flatnonzero(row)), labels)
    sets = Counter(tuple(sorted({columns[label] for label in one if label in columns})) for one in told)
    sets.pop((), None)
    found = [column for one in sets for column in one]
    return (
        np.array(found, np.int64),
        np.array([len(one) for one in sets], np.int64),
        np.array(list(sets.values()), np.int64),
    )


def _over(what: np.ufunc, values: Reals, starts: Offsets) -> Reals:
    """Return the sum or maximum of each stretch; where there is none numpy refuses to look."""
    found: Reals = what.reduceat(values, starts) if len(starts) else values
    return found


def _joined(parts: list[Offsets]) -> Offsets:
    return np.concatenate([np.zeros(0, np.int64), *parts])

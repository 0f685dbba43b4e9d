"""The covering of many documents in flat arrays: its loss, its error, and the weights that it gives to labels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.boosting.coverings.set_groups import Alone, Tied

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telex.learners.base import Flags, Offsets, Reals
    from telex.learners.boosting.coverings.coverings import Covering

_Counted = list[tuple[tuple[int, ...], int]]
"""The columns of each distinct set of one labelling, and how often the set occurs."""


class CoverSets:
    """A covering applied to documents whose labels are known, prepared for many calls.

    ``relevant`` has a row per document and a column per label; the covering is called once for each distinct row. ``f``
    has the same shape: a label is predicted if its f is above 0. The figures of a document are the same to the bit
    whatever the other documents are: sums over its sets add the sets of one label first.

    >>> from telex.learners.boosting.coverings import COVERINGS
    >>> truth, f = np.array([[True, True, False]]), np.array([[1.0, -1.0, 2.0]])
    >>> {name: float(CoverSets(one, truth, "abc").errors(f)[0]) for name, one in COVERINGS.items()}
    {'zo': 1.0, 'hm': 2.0, 'ts': 2.0, 'wp': 7.0, 'wn': 5.0}
    """

    def __init__(self, covering: Covering, relevant: Flags, labels: Sequence[Hashable]) -> None:
        self.shape = relevant.shape
        known, columns = tuple(labels), {label: column for column, label in enumerate(labels)}
        kinds, which = _distinct(relevant)
        counted = [_sets(covering, row, known, columns) for row in kinds]
        alone, tied = ([[one for one in sets if (len(one[0]) == 1) is on] for sets in counted] for on in (True, False))
        self._groups = (Alone(*_laid_out(alone, which, relevant)), Tied(*_laid_out(tied, which, relevant)))

    def errors(self, f: Reals) -> Reals:
        """Return each document's covering error: the number of its sets with a wrong label."""
        return self._by_document([group.wrong(f) for group in self._groups])

    def losses(self, f: Reals) -> Reals:
        """Return each document's covering loss: the sum over its sets of log(1 + sum exp(-y f))."""
        return self._by_document([group.weigh(f)[0] for group in self._groups])

    def weigh(self, f: Reals) -> tuple[Reals, float]:
        """Return the weight q of each document and label, summed over sets, and the sum of all losses."""
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


def _distinct(relevant: Flags) -> tuple[Flags, Offsets]:
    """Return the distinct rows, and for each row which of them it is."""
    rows: dict[bytes, int] = {}
    first, which = list[int](), np.zeros(len(relevant), np.int64)
    for i, row in enumerate(np.packbits(relevant, axis=1)):
        which[i] = kind = rows.setdefault(row.tobytes(), len(rows))
        if kind == len(first):
            first.append(i)
    return relevant[first], which


def _sets(covering: Covering, row: Flags, labels: tuple[Hashable, ...], columns: dict[Hashable, int]) -> _Counted:
    """Return the columns of one labelling's distinct sets, and how often each set occurs."""
    given = covering(frozenset(labels[i] for i in np.flatnonzero(row)), labels)
    sets = Counter(tuple(sorted({columns[label] for label in one if label in columns})) for one in given)
    sets.pop((), None)
    return list(sets.items())


def _laid_out(
    counted: list[_Counted], which: Offsets, relevant: Flags
) -> tuple[Offsets, Reals, Reals, Offsets, Offsets]:
    """Return the sets of all documents one after the other, as in :class:`Group`."""
    n, k = relevant.shape
    columns = [np.array([column for one, _ in sets for column in one], np.int64) for sets in counted]
    lengths = [np.array([len(one) for one, _ in sets], np.int64) for sets in counted]
    weights = [np.array([times for _, times in sets], np.int64) for sets in counted]
    labels, sets = (np.array([len(one) for one in part], np.int64)[which] for part in (columns, lengths))
    cells = _joined([columns[kind] for kind in which]) + np.repeat(np.arange(n) * k, labels)
    return (
        cells,
        np.where(relevant.ravel()[cells], -1.0, 1.0),
        _joined([weights[kind] for kind in which]).astype(np.float64),
        np.repeat(np.arange(n), sets),
        _joined([lengths[kind] for kind in which]),
    )


def _joined(parts: list[Offsets]) -> Offsets:
    return np.concatenate([np.zeros(0, np.int64), *parts])

"""The true labels of stories, as ids."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import Names
from telex.stream.sources.label_column import LabelColumn

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telex.learners.base import Flags, Ids, Offsets

_MOST = 100_000


class LabelEncoder:
    """Gives labels their ids, in sorted order within a document; sets that come again are looked up once.

    >>> ids = LabelEncoder()
    >>> indptr, labels, labelled = ids.rows([["war", "sport"], None, ["war", "sport"]])
    >>> indptr.tolist(), labels.tolist(), labelled.tolist(), list(ids.names)
    ([0, 2, 2, 4], [0, 1, 0, 1], [True, False, True], ['sport', 'war'])
    """

    def __init__(self, names: Names | None = None) -> None:
        self.names = Names() if names is None else names
        self._known: dict[tuple[str, ...], list[int]] = {}
        self._numbers: dict[str, int] = {str(name): i for i, name in enumerate(self.names)}
        self._table: Sequence[str] | Names = ()
        self._columns: Ids = np.zeros(0, np.int32)

    def rows(self, labels: Iterable[Sequence[str] | None]) -> tuple[Offsets, Ids, Flags]:
        """Return row starts, ids, and which documents have an answer."""
        if isinstance(labels, LabelColumn):
            return self._rows_of_sets(labels)
        found = [None if one is None else self._ids(tuple(one)) for one in labels]
        indptr = np.zeros(len(found) + 1, np.int64)
        np.cumsum([len(ids) if ids else 0 for ids in found], out=indptr[1:])
        ids = np.fromiter(chain.from_iterable(ids for ids in found if ids), np.int32, int(indptr[-1]))
        return indptr, ids, np.array([ids is not None for ids in found], np.bool_)

    def renumbered(self, labels: Ids, table: Names) -> Ids:
        """Return the ids of labels that ``table`` numbers, sorted within a document; new ones get ids in their order.

        >>> LabelEncoder().renumbered(np.array([2, 0, 2], np.int32), Names(["war", "sport", "trade"])).tolist()
        [0, 1, 0]
        """
        least = int(labels.max(initial=-1)) + 1
        columns = self._columns_of(table, least)
        if (new := columns[labels] < 0).any():
            for label in labels[new].tolist():
                self._looked_up([str(table[label])])
            columns = self._columns_of(table, least)
        found: Ids = columns[labels]
        return found

    def _rows_of_sets(self, sets: LabelColumn) -> tuple[Offsets, Ids, Flags]:
        """Return the same without a look at each document."""
        indptr = sets.offsets - sets.offsets[0]
        own = sets.numbers[sets.offsets[0] : sets.offsets[-1]]
        if not len(own):
            return indptr, np.zeros(0, np.int32), sets.labelled
        rows = np.repeat(np.arange(len(sets)), np.diff(indptr))
        columns = self._columns_of(sets.names, int(own.max()) + 1)
        if (new := columns[own] < 0).any():
            for row in dict.fromkeys(rows[new].tolist()):  # np.unique would import numpy.ma
                self._looked_up(sorted(sets[row] or ()))
            columns = self._columns_of(sets.names, len(columns))
        met = np.zeros(len(columns), np.bool_)
        met[own] = True
        used = sorted(np.flatnonzero(met).tolist(), key=sets.names.__getitem__)
        rank = np.empty(len(columns), np.int64)
        rank[used] = np.arange(len(used))
        keys = rows * len(used) + rank[own]  # labels of a document ascend by name
        return indptr, columns[used][np.sort(keys) % len(used)], sets.labelled

    def _columns_of(self, names: Sequence[str] | Names, least: int) -> Ids:
        """Return the id of each of the first ``least`` names of a table, or of more; -1 where it has none yet."""
        if names is not self._table:
            self._table, self._columns = names, np.zeros(0, np.int32)
        more = np.full(max(0, least - len(self._columns)), -1, np.int32)
        self._columns = np.concatenate([self._columns, more]) if len(more) else self._columns
        for i in np.flatnonzero(self._columns < 0).tolist():
            self._columns[i] = self._numbers.get(str(names[i]), -1)
        return self._columns

    def _ids(self, labels: tuple[str, ...]) -> list[int]:
        known = self._known.get(labels)
        if known is None:
            if len(self._known) >= _MOST:
                self._known.clear()
            known = self._known[labels] = self._looked_up(sorted(set(labels)))
        return known

    def _looked_up(self, labels: list[str]) -> list[int]:
        try:
            return [self._numbers[label] for label in labels]
        except KeyError:
            self._numbers.update(zip(labels, self.names.ids(labels), strict=True))
            return [self._numbers[label] for label in labels]

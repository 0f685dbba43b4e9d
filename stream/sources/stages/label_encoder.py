"""The true labels of stories, as ids."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import Names

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
        self._table: Names | None = None
        self._columns: Ids = np.zeros(0, np.int32)

    def rows(self, labels: Iterable[Sequence[str] | None]) -> tuple[Offsets, Ids, Flags]:
        """Return row starts, ids, and which documents have an answer."""
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
        if self._table is not table:
            self._table, self._columns = table, np.zeros(0, np.int32)
        new = np.full(len(table) - len(self._columns), -1, np.int32)
        self._columns = columns = np.concatenate([self._columns, new])
        found: Ids = columns[labels]
        if found.min(initial=0) >= 0:
            return found
        for label in labels[found < 0].tolist():
            columns[label] = self._looked_up([str(table[label])])[0]
        again: Ids = columns[labels]
        return again

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

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

    def rows(self, labels: Iterable[Sequence[str] | None]) -> tuple[Offsets, Ids, Flags]:
        """Return row starts, ids, and which documents have an answer."""
        found = [None if one is None else self._ids(tuple(one)) for one in labels]
        indptr = np.zeros(len(found) + 1, np.int64)
        np.cumsum([len(ids) if ids else 0 for ids in found], out=indptr[1:])
        ids = np.fromiter(chain.from_iterable(ids for ids in found if ids), np.int32, int(indptr[-1]))
        return indptr, ids, np.array([ids is not None for ids in found], np.bool_)

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

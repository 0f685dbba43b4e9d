"""Label sets with all ancestors, as a learner of streams takes them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from telex.learners.base import Names

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from telex.learners.base import Batch, Bytes, Ids, Offsets
    from telex.learners.trees.tree import Tree


class ClosedLabels:
    """A table of labels and their ancestors that grows as labels come; each is behind its parent.

    ``table`` numbers them. Batches come with tables of their own, which do not change.
    """

    def __init__(self, tree: Tree) -> None:
        self.table = Names()
        self._tree = tree
        self._parents: list[int] = []
        self._inner: list[bool] = []
        self._paths: list[list[int]] = []
        self._arrays = np.zeros(0, np.int32), np.zeros(0, np.uint8)
        self._flat = np.zeros(0, np.int32), np.zeros(1, np.int64)
        self._places: WeakKeyDictionary[Names, Ids] = WeakKeyDictionary()

    def closed(self, labels: Iterable[Hashable]) -> list[int]:
        """Return the ids of labels and of their ancestors, each behind its parent."""
        return list(dict.fromkeys(one for label in labels for one in self._paths[self._id(label)]))

    def edges(self) -> tuple[Ids, Bytes]:
        """Return the parent of each label, by id, -1 for a root, and whether it may have children."""
        if len(self._arrays[0]) < len(self._parents):
            self._arrays = np.array(self._parents, np.int32), np.array(self._inner, np.uint8)
        return self._arrays

    def places(self, table: Names) -> Ids:
        """Return the id of each label of another table."""
        if table is self.table:
            return np.arange(len(table), dtype=np.int32)
        known = self._places.get(table, np.zeros(0, np.int32))
        if len(known) < len(table):
            more = np.array([self._id(table[i]) for i in range(len(known), len(table))], np.int32)
            known = self._places[table] = np.concatenate([known, more])
        return known

    def batch(self, batch: Batch) -> Batch:
        """Return a batch over this table, whose label sets are closed; new labels come in the order of their rows.

        >>> from telex.learners import BatchBuilder
        >>> from telex.learners.trees import Tree
        >>> builder = BatchBuilder()
        >>> builder.add({"oil": 1.0}, ["crude", "trade"])
        >>> closed = ClosedLabels(Tree.of([("crude", "energy")])).batch(builder.take())
        >>> closed.labels_of(0)
        ['energy', 'crude', 'trade']
        """
        places, indptr = self.places(batch.label_names), batch.label_indptr
        given = places[batch.labels[indptr[0] : indptr[-1]]]
        flat, starts = self._flat_paths()
        sizes = np.diff(starts)[given]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        nodes = flat[np.repeat(starts[given], sizes) + within]
        rows = np.repeat(np.repeat(np.arange(len(batch)), np.diff(indptr)), sizes)
        keys = rows * len(self.table) + nodes
        order = np.argsort(keys, kind="stable")
        first = np.sort(order[np.append(True, np.diff(keys[order]) > 0)[: len(order)]])
        counts = np.bincount(rows[first], minlength=len(batch))
        closed = np.append(0, np.cumsum(counts)).astype(np.int64)
        return replace(batch, label_indptr=closed, labels=nodes[first].astype(np.int32), label_names=self.table)

    def _flat_paths(self) -> tuple[Ids, Offsets]:
        flat, starts = self._flat
        if len(starts) <= len(self._paths):
            new = self._paths[len(starts) - 1 :]
            ends = starts[-1] + np.cumsum([len(path) for path in new])
            self._flat = np.concatenate([flat, *(np.array(path, np.int32) for path in new)]), np.append(starts, ends)
        return self._flat

    def _id(self, label: Hashable) -> int:
        missing, one = [], label
        while one is not None and self.table.get(one) < 0:
            missing.append(one)
            one = self._tree.parent(one)
        for node in reversed(missing):
            above = self._tree.parent(node)
            parent = -1 if above is None else self.table.get(above)
            own = self.table.id(node)
            self._parents.append(parent)
            self._inner.append(self._tree.may_have_children(node))
            self._paths.append([*(self._paths[parent] if parent >= 0 else ()), own])
        return self.table.get(label)

"""The labels of judged documents as nodes of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Names, Offsets
    from telex.learners.losses import Judged
    from telex.learners.trees.tree import Tree


class MarkedNodes:
    """Finds the nodes of label ids; labels that the tree lacks join it behind its own (:meth:`Tree.with_labels`).

    A table of labels only grows, so each label is looked up once.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._table: Names | None = None
        self._places = np.zeros(0, np.int64)

    def of(self, judged: Judged, *kinds: int) -> tuple[Offsets, Offsets]:
        """Return the documents, by position, and the nodes of all marks of these kinds (0 hit, 1 added, 2 missed)."""
        chosen = np.isin(judged.marks & 3, kinds)
        documents = np.repeat(np.arange(len(judged)), np.diff(judged.mark_indptr))[chosen]
        return documents, self._nodes(judged.label_names)[judged.marks[chosen] >> 2]

    def parents(self, nodes: Offsets) -> Offsets:
        """Return the parent of each node, -1 for that of a root."""
        return np.where(nodes < 0, -1, np.append(self._tree.parents, -1)[nodes]).astype(np.int64)

    def _nodes(self, table: Names) -> Offsets:
        if table is not self._table:
            self._table, self._places = table, np.zeros(0, np.int64)
        start = len(self._places)
        if start < len(table):
            names = [table[i] for i in range(start, len(table))]
            self._tree = self._tree.with_labels(names)
            new = np.array([self._tree.place[name] for name in names], np.int64)
            self._places = np.concatenate([self._places, new])
        return self._places


def keys(documents: Offsets, nodes: Offsets) -> Offsets:
    """Return one number for each pair of a document and a node; those of a parent above all roots are below 0."""
    return np.where(nodes < 0, -1, documents << 32 | nodes)

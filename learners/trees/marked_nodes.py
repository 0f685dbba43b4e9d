"""The labels of judged documents as nodes of a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Names, Offsets
    from telex.learners.losses import Judged
    from telex.learners.trees.tree import Tree


class MarkedNodes:
    """Finds the nodes of label ids; a label that the tree lacks is a root of its own, behind the nodes of the tree.

    A table of labels only grows, so each label is looked up once.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._table: Names | None = None
        self._places = np.zeros(0, np.int64)

    def of(self, judged: Judged, *kinds: int) -> tuple[Offsets, Offsets]:
        """Return the documents, by position, and the nodes of all marks of these kinds (0 hit, 1 added, 2 missed)."""
        chosen = np.isin(judged.marks & 3, kinds)
        documents = np.repeat(np.arange(len(judged)), np.diff(judged.mark_indptr))[chosen]
        return documents, self._nodes(judged.label_names)[judged.marks[chosen] >> 2]

    def parents(self, nodes: Offsets) -> Offsets:
        """Return the parent of each node, -1 for that of a root."""
        found = np.full(len(nodes), -1, np.int64)
        inside = (nodes >= 0) & (nodes < len(self.tree))
        found[inside] = self.tree.parents[nodes[inside]]
        return found

    def _nodes(self, table: Names) -> Offsets:
        if table is not self._table:
            self._table, self._places = table, np.zeros(0, np.int64)
        start = len(self._places)
        if start < len(table):
            place, count = self.tree.place, len(self.tree)
            new = [place.get(table[i], count + i) for i in range(start, len(table))]
            self._places = np.concatenate([self._places, np.array(new, np.int64)])
        return self._places


def keys(documents: Offsets, nodes: Offsets) -> Offsets:
    """Return one number for each pair of a document and a node; those of a parent above all roots are below 0."""
    return np.where(nodes < 0, -1, documents << 32 | nodes)

"""The labels of judged documents as nodes of a tree."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Flags, Ids, Names, Offsets
    from telex.learners.losses import Judged
    from telex.learners.trees.tree import Tree

_IN_A_TABLE = 1 << 20
"""Up to so many pairs of a document and a node are looked up in a table with a flag for each."""


class MarkedNodes:
    """Finds the nodes of label ids; labels that the tree lacks join it behind its own (:meth:`Tree.with_labels`).

    A table of labels only grows, so each label is looked up once. Losses along one tree may share it: then they look at
    each judged document once.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._table: Names | None = None
        self._places = np.zeros(0, np.int64)
        self._parents = np.append(tree.parents, -1).astype(np.int64)
        self._last: tuple[weakref.ref[Judged], Offsets, Offsets, Ids] | None = None

    def of(self, judged: Judged, *kinds: int) -> tuple[Offsets, Offsets]:
        """Return the documents, by position, and the nodes of all marks of these kinds (0 hit, 1 added, 2 missed)."""
        if self._last is None or self._last[0]() is not judged:
            documents = np.repeat(np.arange(len(judged)), np.diff(judged.mark_indptr))
            nodes = self._nodes(judged.label_names)[judged.marks >> 2]
            self._last = (weakref.ref(judged), documents, nodes, judged.marks & 3)
        _, documents, nodes, marks = self._last
        chosen = np.flatnonzero((marks == kinds[0]) | (marks == kinds[-1]))
        return documents[chosen], nodes[chosen]

    def parents(self, nodes: Offsets) -> Offsets:
        """Return the parent of each node, -1 for that of a root, and for -1."""
        return self._parents[nodes]

    def keys(self, documents: Offsets, nodes: Offsets) -> Offsets:
        """Return one number for each pair of a document and a node, -1 for those without a node."""
        return np.where(nodes < 0, -1, documents * len(self._parents) + nodes)

    def documents(self, keys: Offsets) -> Offsets:
        """Return the document of each key."""
        return keys // len(self._parents)

    def among(self, keys: Offsets, others: Offsets, documents: int) -> Flags:
        """Return which keys are among the others, which all have a node; both are of so many ``documents``."""
        return among(keys, others, documents * len(self._parents))

    def _nodes(self, table: Names) -> Offsets:
        if table is not self._table:
            self._table, self._places = table, np.zeros(0, np.int64)
        start = len(self._places)
        if start < len(table):
            names = [table[i] for i in range(start, len(table))]
            self._tree = self._tree.with_labels(names)
            self._parents = np.append(self._tree.parents, -1).astype(np.int64)
            new = np.array([self._tree.place[name] for name in names], np.int64)
            self._places = np.concatenate([self._places, new])
        return self._places


def among(keys: Offsets, others: Offsets, size: int) -> Flags:
    """Return which keys are among the others; all are below ``size``, and a key of -1 is not among them.

    >>> among(np.array([0, -1, 2]), np.array([2, 1]), 3).tolist()
    [False, False, True]
    """
    if size > _IN_A_TABLE:
        return np.isin(keys, others)
    there = np.zeros(size + 1, np.bool_)  # the last one is at -1
    there[others] = True
    return there[keys]

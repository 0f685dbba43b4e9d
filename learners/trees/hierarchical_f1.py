"""F1 of sets with all their ancestors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses import Loss
from telex.learners.trees.marked_nodes import MarkedNodes

if TYPE_CHECKING:
    from telex.learners.base import Offsets, Reals
    from telex.learners.losses import Judged
    from telex.learners.trees.tree import Tree


class HierarchicalF1(Loss):
    """F1 of the predicted set of each document, both sets with the ancestors of their labels (Kiritchenko et al. 2006).

    It is 1 where both sets are empty.
    """

    name = stored_name = "hierarchical_f1"
    best = 1.0
    bounded = True
    unit = "ratio"
    order = 96
    priority = 136

    def __init__(self, tree: Tree, *, marked: MarkedNodes | None = None) -> None:
        self.tree = tree
        self._marked = marked or MarkedNodes(tree)

    def of(self, judged: Judged) -> Reals:
        """Return F1: twice the nodes that both have over the nodes of each."""
        # A node of the predicted set has twice its key, one of the true set one more: neighbours are in both sets.
        found = np.sort(np.concatenate([2 * self._closed(judged, 0, 1), 2 * self._closed(judged, 0, 2) + 1]))
        found = found[np.append(True, found[1:] > found[:-1])[: len(found)]]
        both = found[:-1][(found[:-1] % 2 == 0) & (found[1:] == found[:-1] + 1)]
        nodes, shared = (np.bincount(self._marked.documents(one // 2), minlength=len(judged)) for one in (found, both))
        return np.where(nodes > 0, 2 * shared / np.maximum(nodes, 1), 1.0)

    def _closed(self, judged: Judged, *kinds: int) -> Offsets:
        """Return the keys of these marks and of all nodes above them, some of them several times."""
        documents, nodes = self._marked.of(judged, *kinds)
        found = [self._marked.keys(documents, nodes)]
        while len(nodes):
            nodes = self._marked.parents(nodes)
            documents, nodes = documents[nodes >= 0], nodes[nodes >= 0]
            found.append(self._marked.keys(documents, nodes))
        return np.concatenate(found)

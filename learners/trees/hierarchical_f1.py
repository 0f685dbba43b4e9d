"""F1 of sets with all their ancestors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses import Loss
from telex.learners.trees.marked_nodes import MarkedNodes, keys

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

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._marked = MarkedNodes(tree)

    def of(self, judged: Judged) -> Reals:
        """Return F1: twice the nodes that both have over the nodes of each."""
        predicted, true = self._closed(judged, 0, 1), self._closed(judged, 0, 2)
        both = np.intersect1d(predicted, true, assume_unique=True)
        sizes = [np.bincount(some >> 32, minlength=len(judged)) for some in (predicted, true, both)]
        nodes = sizes[0] + sizes[1]
        return np.where(nodes > 0, 2 * sizes[2] / np.maximum(nodes, 1), 1.0)

    def _closed(self, judged: Judged, *kinds: int) -> Offsets:
        documents, nodes = self._marked.of(judged, *kinds)
        found = [keys(documents, nodes)]
        while len(nodes):
            nodes = self._marked.parents(nodes)
            documents, nodes = documents[nodes >= 0], nodes[nodes >= 0]
            found.append(keys(documents, nodes))
        return np.unique(np.concatenate(found))

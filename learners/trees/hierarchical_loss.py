"""Losses of predicted sets along a tree: only the mistakes that no mistake above them explains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses import Loss
from telex.learners.trees.marked_nodes import MarkedNodes
from telex.learners.trees.node_weights import node_weights

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses import Judged
    from telex.learners.trees.tree import Tree


class HierarchicalLoss(Loss):
    """The summed weights of the first mistakes along each path of the tree (Cesa-Bianchi, Gentile, Zaniboni 2006).

    A label that is missing or too many counts if all its ancestors are right. A label that the tree lacks is a root,
    and weighs as much as the lightest root of the tree.

    >>> from telex.learners.trees import Tree
    >>> HierarchicalLoss(Tree.of([("crude", "energy")]), "subtree").name
    'l_h_subtree'
    """

    stored_name = "l_h"
    unit = "value"
    _stem = "l_h"
    _order = 90
    _priority = 134
    _levels: int | None = None

    def __init__(self, tree: Tree, scaling: str = "sibling", *, marked: MarkedNodes | None = None) -> None:
        self.tree, self.scaling = tree, scaling
        self.name = self._stem if scaling == "sibling" else f"{self._stem}_{scaling}"
        self.order = self._order + ("sibling", "uniform", "subtree").index(scaling)
        self.priority = self._priority if scaling == "sibling" else None
        self.optional = scaling != "sibling"
        self._marked = marked or MarkedNodes(tree)
        weights = node_weights(tree, scaling)
        self._weights = np.append(weights, weights[tree.parents < 0].min(initial=1.0))

    def of(self, judged: Judged) -> Reals:
        """Return the loss of each document."""
        documents, nodes = self._marked.of(judged, 1, 2)
        wrong = self._marked.keys(documents, nodes)
        counted, above = np.ones(len(nodes), np.bool_), nodes
        level = 0
        while (above >= 0).any() and level != self._levels:
            above = self._marked.parents(above)
            counted &= ~self._marked.among(self._marked.keys(documents, above), wrong, len(judged))
            level += 1
        weights = self._weights[np.minimum(nodes, len(self.tree))]
        return np.bincount(documents, weights * counted, len(judged)).astype(float)


class SimplifiedHierarchicalLoss(HierarchicalLoss):
    """The summed weights of the mistakes whose parent is right (Rousu et al. 2005)."""

    stored_name = _stem = "l_htilde"
    _order = 93
    _priority = 135
    _levels = 1

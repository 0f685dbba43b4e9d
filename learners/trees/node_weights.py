"""What a mistake at each node of a tree counts (Rousu et al. 2005)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.trees.tree import Tree

SCALINGS = ("uniform", "sibling", "subtree")


def node_weights(tree: Tree, scaling: str = "uniform") -> Reals:
    """Return a weight for each node.

    ``uniform``: 1 for all. ``sibling``: a root has 1, and the children of a node share its weight equally.
    ``subtree``: the share of the tree's nodes that lie at the node and below it. Several roots are the children of a
    node that every document has: with ``sibling`` they share 1.

    >>> from telex.learners.trees import Tree
    >>> tree = Tree.of([("energy", "ALL"), ("sport", "ALL"), ("crude", "energy"), ("gas", "energy")])
    >>> node_weights(tree, "sibling").tolist(), node_weights(tree, "subtree").tolist()
    ([1.0, 0.5, 0.5, 0.25, 0.25], [1.0, 0.6, 0.2, 0.2, 0.2])
    """
    if scaling not in SCALINGS:
        raise UsageError(f"there is no scaling {scaling!r}; choose {', '.join(SCALINGS[:-1])} or {SCALINGS[-1]}")
    weights = np.ones(len(tree))
    if scaling == "sibling":
        parents = tree.parents + 1  # the node above the roots has place 0
        siblings = np.bincount(parents, minlength=len(tree) + 1)
        shares = np.ones(len(tree) + 1)
        for level in tree.levels:
            shares[level + 1] = shares[parents[level]] / siblings[parents[level]]
        weights = shares[1:]
    elif scaling == "subtree":
        for level in reversed(tree.levels[1:]):
            np.add.at(weights, tree.parents[level], weights[level])
        weights /= len(tree)
    return weights

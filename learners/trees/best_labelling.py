"""The best set of labels that a tree allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Flags, Reals
    from telex.learners.trees.tree import Tree


def best_labelling(tree: Tree, values: Reals, preferred: Flags | None = None) -> Flags:
    """Return, for each row of ``values``, the set of nodes of the largest sum in which each node has its parent.

    ``values`` has a row a document and a column a node: what the set gains by the node, negative to lose. The empty set
    has the sum 0. Where a node and all that hangs on it gain exactly nothing, it is taken if ``preferred`` says so.

    The sums go up the tree and the choice comes down: each node is looked at twice, whatever the number of sets.

    >>> from telex.learners.trees import Tree
    >>> tree = Tree.of([("crude", "energy"), ("gas", "energy"), ("sport", None)])
    >>> tree.labels
    ('energy', 'sport', 'crude', 'gas')
    >>> best_labelling(tree, np.array([[-1.0, 0.5, 3.0, -2.0], [-4.0, -1.0, 3.0, 0.5]])).tolist()
    [[True, True, True, False], [False, False, False, False]]
    """
    gains = np.array(values, np.float64)
    for level in reversed(tree.levels[1:]):
        for node in level.tolist():  # one by one, so that a parent's sum has one order
            gains[:, tree.parents[node]] += np.maximum(gains[:, node], 0.0)
    chosen = gains > 0.0
    if preferred is not None:
        chosen |= (gains == 0.0) & preferred
    for level in tree.levels[1:]:
        chosen[:, level] &= chosen[:, tree.parents[level]]
    return chosen

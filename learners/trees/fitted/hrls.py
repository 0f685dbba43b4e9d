"""Regularised least squares along a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from telex.learners import _trees
from telex.learners.base import UsageError
from telex.learners.trees.fitted.node_classifiers import NodeClassifiers

if TYPE_CHECKING:
    from telex.learners.base import Values
    from telex.learners.trees.fitted.tree_window import TreeWindow

_STEPS, _TOLERANCE = 10_000, 1e-6


class HRLS(NodeClassifiers):
    """Regularised least squares for each node of a tree, on the documents of its parent; predicted top down [^1].

    The weights of a node solve (strength I + X'X) w = X'y, where X are the documents that have the parent, and y is 1
    for those that have the node, else -1. Conjugate gradients solve it.

    Parameters
    ----------
    strength
        How much large weights count: the lambda of ridge regression.
    bias
        Adds a feature that each document has.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import BatchBuilder
    >>> from telex.learners.trees import Tree
    >>> stream, model = BatchBuilder(), HRLS()
    >>> model.use_tree(Tree.of([("crude", "energy"), ("gas", "energy"), ("sport", None)]))
    >>> for text, label in [("oil rises", "crude"), ("cup final", "sport"), ("pipeline opens", "gas")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> model.fit(batch)
    >>> [model.scores(batch).set_of(k) for k in range(3)]
    [['energy', 'crude'], ['sport'], ['energy', 'gas']]

    References
    ----------
    [^1]: N. Cesa-Bianchi, C. Gentile, L. Zaniboni: Incremental Algorithms for Hierarchical Classification, JMLR 2006.
    """

    stored_name: ClassVar[str] = "hrls"
    top_down: ClassVar[bool] = True

    def __init__(self, strength: float = 1.0, bias: bool = False, seed: int = 0) -> None:
        super().__init__()
        if not 0 < strength < np.inf:
            raise UsageError(f"strength is {strength}; give a number above 0")
        self.strength, self.bias, self.seed = strength, bias, seed

    def weights_of(self, window: TreeWindow) -> Values:
        """Return the weights of each node."""
        weights = np.zeros((len(window.features) + self.bias, len(window.tree)), np.float32)
        _trees.rls(
            window.indptr,
            window.places,
            window.values,
            window.relevant,
            window.tree.parents,
            self.strength,
            _STEPS,
            _TOLERANCE,
            weights,
        )
        return weights

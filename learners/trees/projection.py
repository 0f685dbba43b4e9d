"""Predicted sets made closed: of all sets that a tree allows the nearest to the scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners import _trees

if TYPE_CHECKING:
    from telex.learners.base import Flags, Ids, Names, Predictions, Values
    from telex.learners.trees.tree import Tree

_OWN_CUTS = np.zeros((0, 0), np.float32)


class Projection:
    """Replaces predicted sets by sets in which each label has its parent.

    The new set has the largest sum of the distances of its labels from the score that decides them, which are below 0
    for labels outside the predicted set. A closed set stays as it is. A label whose parent the learner does not know
    yet hangs under its nearest known ancestor. docs/definitions.md ("Trees") has the formulas,
    tests/oracles/projection.py follows them slowly.

    Several threads may call it at the same time.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._placed: tuple[Names | None, Tree, Ids] = (None, tree, np.zeros(0, np.int32))

    def of(self, predictions: Predictions, scores: Values, cuts: Values | None = None) -> Flags:
        """Return the projected set of each ask, by ``scores``, and by the score from which each label is predicted.

        Without ``cuts`` each document has the learner's own cut.

        >>> from telex.learners import BatchBuilder, Names
        >>> from telex.learners.base import Predictions
        >>> from telex.learners.trees import Tree
        >>> tree, stream = Tree.of([("crude", "energy"), ("gas", "energy")]), BatchBuilder()
        >>> stream.add({}, None), stream.add({}, None)
        (None, None)
        >>> scores = np.array([[-1, 2, -3], [-2, 1, -3]], np.float32)
        >>> labels = Names(["energy", "crude", "gas"])
        >>> predictions = Predictions.of_all(scores, scores > 0, stream.take(), labels, 0)
        >>> Projection(tree).of(predictions, scores).tolist()
        [[True, True, False], [False, False, False]]
        """
        tree, nodes = self._nodes(predictions.labels)
        found = np.zeros(predictions.relevant.shape, np.uint8)
        _trees.project(
            np.ascontiguousarray(scores, np.float32),
            np.ascontiguousarray(predictions.relevant).view(np.uint8),
            np.ascontiguousarray(predictions.known, np.int32),
            _OWN_CUTS if cuts is None else cuts,
            nodes,
            tree.parents,
            found,
        )
        return found.view(np.bool_)

    def _nodes(self, labels: Names) -> tuple[Tree, Ids]:
        """Return the tree with all labels, and their places in it; a table of labels only grows."""
        table, tree, nodes = self._placed
        if table is not labels:
            tree, nodes = self.tree, nodes[:0]
        if len(nodes) < len(labels):
            names = [labels[column] for column in range(len(nodes), len(labels))]
            tree = tree.with_labels(names)
            nodes = np.concatenate([nodes, np.array([tree.place[name] for name in names], np.int32)])
        self._placed = labels, tree, nodes
        return tree, nodes

"""Predicted sets that contradict the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses import Loss
from telex.learners.trees.marked_nodes import MarkedNodes

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses import Judged
    from telex.learners.trees.tree import Tree


class Invalid(Loss):
    """1 where a label is predicted without its parent, else 0."""

    name = stored_name = "invalid"
    bounded = True
    binary = True
    unit = "ratio"
    order = 97
    priority = 137

    def __init__(self, tree: Tree, *, marked: MarkedNodes | None = None) -> None:
        self.tree = tree
        self._marked = marked or MarkedNodes(tree)

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1."""
        documents, nodes = self._marked.of(judged, 0, 1)
        predicted, above = self._marked.keys(documents, nodes), self._marked.parents(nodes)
        lost = (above >= 0) & ~self._marked.among(self._marked.keys(documents, above), predicted, len(judged))
        return (np.bincount(documents[lost], minlength=len(judged)) > 0).astype(float)

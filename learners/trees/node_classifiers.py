"""The base class of learners with a linear classifier for each node of a tree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from telex.learners.base import InputError, Names, Predictions, Reasons, TelexError, single_document
from telex.learners.trees.tree import Tree
from telex.learners.trees.tree_window import TreeWindow, known_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Batch, Reals, Values


class NodeClassifiers(ABC):
    """Linear classifiers, one for each label of a window and each ancestor; fitted on documents that have an answer.

    With ``top_down`` a node is predicted only if its parent is, and its score is the least on the path to it. A node
    that all documents have on which it would be fitted is always predicted (below its parent): its weights are 0, and
    its ``constant`` is 1.
    """

    stored_name: ClassVar[str]
    top_down: ClassVar[bool]
    bias: bool
    seed: int

    def __init__(self) -> None:
        self.labels = Names()
        self.tree: Tree | None = None
        self._fitted = Tree((), np.zeros(0, np.int32))
        self._features = np.zeros(0, np.int32)
        self._weights = np.zeros((0, 0), np.float32)
        self._constant = np.zeros(0, np.float32)

    def use_tree(self, tree: Tree) -> None:
        """Fit on this tree from now on; without one, all labels are roots."""
        self.tree = tree

    @abstractmethod
    def weights_of(self, window: TreeWindow) -> Values:
        """Return a row of weights for each feature, and for the bias if there is one; a column for each node."""

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``."""
        window = TreeWindow.of(batch, self.tree or Tree((), np.zeros(0, np.int32)), bias=self.bias)
        weights, parents = self.weights_of(window), window.tree.parents
        of_parent = (parents < 0) | (window.relevant[:, parents] > 0)
        missing = of_parent & (window.relevant == 0) if self.top_down else window.relevant == 0
        constant = np.where(missing.any(0), 0, 1).astype(np.float32)
        weights[:, constant > 0] = 0
        self._set(window.tree, window.features, weights, constant)

    def _set(self, tree: Tree, features: Any, weights: Values, constant: Values) -> None:
        self.labels, self._fitted, self._features = Names(tree.labels), tree, features
        self._weights, self._constant = weights, constant

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all labels of the batch last fitted, and their ancestors."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - imported with the first document

        indptr, places, values = known_rows(batch, self._features, bias=self.bias)
        rows = csr_array((values, places, indptr), shape=(len(batch), len(self._weights)))
        scores = np.asarray(rows @ self._weights, np.float32) + self._constant
        if self.top_down:
            for level in self._fitted.levels[1:]:
                above = scores[:, self._fitted.parents[level]]
                scores[:, level] = np.minimum(scores[:, level], above)
        scores = np.ascontiguousarray(scores)
        return Predictions.of_all(scores, scores > 0, batch, self.labels, self.seed)

    def reasons(self, batch: Batch, row: int) -> Reasons:
        """Return what each feature adds to the score of each label: of the node on the path to it that decides."""
        document = single_document(batch, row)
        _, places, values = known_rows(document, self._features)
        known = np.isin(document.features, self._features)
        own = np.zeros((len(document.features), len(self.labels)))
        own[known] = values[:, None].astype(float) * self._weights[places].astype(float)
        base = self._constant.astype(float) + (self._weights[len(self._features)] if self.bias else 0.0)
        if self.top_down:
            _least_on_path(self._fitted, own, base)
        return Reasons(document.features, self.labels, own, base)

    def save(self) -> dict[str, Any]:
        """Return the tree and the weights as plain data, features by id."""
        return {
            "tree": self._fitted.save(),
            "features": self._features,
            "weights": self._weights,
            "constant": self._constant,
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; batches must number features as before."""
        try:
            tree, features = Tree.load(state["tree"]), state["features"]
            weights, constant = state["weights"], state["constant"]
            right = (
                [one.dtype for one in (features, weights, constant)] == [np.int32, np.float32, np.float32]
                and constant.shape == (len(tree),)
                and weights.shape == (len(features) + self.bias if len(tree) else len(weights), len(tree))
                and bool((np.diff(features) > 0).all() and np.isfinite(weights).all())
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, TelexError):
                raise
            raise InputError(
                f"the saved state has no classifiers of nodes ({error!r}); take another checkpoint"
            ) from error
        if not right:
            raise InputError("the weights of saved classifiers do not fit their tree; take another checkpoint")
        self._set(tree, features, weights, constant)


def _least_on_path(tree: Tree, contributions: Reals, base: Reals) -> None:
    """Replace the column of each node by that of the node on its path whose score is the least."""
    sums = contributions.sum(0) + base
    for level in tree.levels[1:]:
        for node in level.tolist():
            parent = tree.parents[node]
            if sums[parent] < sums[node]:
                contributions[:, node], base[node], sums[node] = contributions[:, parent], base[parent], sums[parent]

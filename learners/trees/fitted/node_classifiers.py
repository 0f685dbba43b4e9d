"""The base class of learners with a linear classifier for each node of a tree."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from telex.learners.base import Predictions, Reasons, single_document
from telex.learners.trees.fitted.tree_model import TreeModel, is_weights
from telex.learners.trees.fitted.tree_window import TreeWindow, known_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Batch, Ids, Reals, Values
    from telex.learners.trees import Tree


class NodeClassifiers(TreeModel):
    """Linear classifiers, one for each label of a window and each ancestor; fitted on documents that have an answer.

    With ``top_down`` a node is predicted only if its parent is, and its score is the least on the path to it. A node
    that all documents have on which it would be fitted is always predicted (below its parent): its weights are 0, and
    its ``constant`` is 1.
    """

    top_down: ClassVar[bool]

    def __init__(self) -> None:
        super().__init__()
        self._weights = np.zeros((0, 0), np.float32)
        self._constant = np.zeros(0, np.float32)

    @abstractmethod
    def weights_of(self, window: TreeWindow) -> Values:
        """Return a row of weights for each feature, and for the bias if there is one; a column for each node."""

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``."""
        _, window = self._window(batch, row_bytes=1, feature_bytes=4)
        weights, parents = self.weights_of(window), window.tree.parents
        of_parent = (parents < 0) | (window.relevant[:, parents] > 0)
        missing = of_parent & (window.relevant == 0) if self.top_down else window.relevant == 0
        constant = np.where(missing.any(0), 0, 1).astype(np.float32)
        weights[:, constant > 0] = 0
        self._set(window.tree, window.features, {"_weights": weights, "_constant": constant})

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

    def _arrays(self) -> dict[str, Any]:
        return {"weights": self._weights, "constant": self._constant}

    def _checked(self, state: Mapping[str, Any], tree: Tree, features: Ids) -> dict[str, Any] | None:
        weights, constant = state["weights"], state["constant"]
        right = constant.dtype == np.float32 and constant.shape == (len(tree),)
        right = right and is_weights(weights, len(features) + self.bias, len(tree))
        return {"_weights": weights, "_constant": constant} if right else None


def _least_on_path(tree: Tree, contributions: Reals, base: Reals) -> None:
    """Replace the column of each node by that of the node on its path whose score is the least."""
    sums = contributions.sum(0) + base
    for level in tree.levels[1:]:
        for node in level.tolist():
            parent = tree.parents[node]
            if sums[parent] < sums[node]:
                contributions[:, node], base[node], sums[node] = contributions[:, parent], base[parent], sums[parent]

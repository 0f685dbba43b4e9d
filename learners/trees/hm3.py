"""H-M3: a maximum margin Markov network over a tree of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from telex.learners import _trees
from telex.learners.base import InputError, Names, Predictions, TelexError, UsageError
from telex.learners.trees.node_weights import SCALINGS, node_weights
from telex.learners.trees.tree import Tree
from telex.learners.trees.tree_window import TreeWindow, known_rows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Batch, Ids, Reals, Values

LOSSES = ("delta", "htilde")


class HM3:
    """A maximum margin Markov network over a tree; fitted on a window: refit:model=hm3,every=5000 [^1].

    The labels of a document are a labelling of the tree, in which no node is on below one that is off. Each edge has
    weights for each of its labellings, and the true labelling must score higher than any other by a margin: by the
    loss of the other. A prediction is the labelling of the highest score; the score of a label is by how much the best
    labelling with it is better than the best without.

    Parameters
    ----------
    loss
        What the margin is: ``delta`` counts wrong labels, ``htilde`` only those whose parent is right.
    scaling
        What a mistake at a node counts: ``uniform``, ``sibling`` or ``subtree``.
    C
        How much violated margins count against large weights, at a mean weight of 1 a mistake.
    passes
        At most so many passes over the documents.
    steps
        At most so many steps for a document in a pass.
    gap
        The fit ends when primal and dual objective differ by at most this share.
    bias
        Adds a feature that each document has.
    seed
        Orders equal scores, and the documents of a pass.

    Examples
    --------
    >>> from telex.learners import BatchBuilder
    >>> from telex.learners.trees import Tree
    >>> stream, model = BatchBuilder(), HM3()
    >>> model.use_tree(Tree.of([("crude", "energy"), ("gas", "energy"), ("sport", None)]))
    >>> for text, label in [("oil rises", "crude"), ("cup final", "sport"), ("pipeline opens", "gas")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> model.fit(batch)
    >>> [model.scores(batch).set_of(k) for k in range(3)]
    [['energy', 'crude'], ['sport'], ['energy', 'gas']]

    References
    ----------
    [^1]: J. Rousu, C. Saunders, S. Szedmak, J. Shawe-Taylor: Kernel-Based Learning of Hierarchical Multilabel
        Classification Models, JMLR 2006.
    """

    stored_name: ClassVar[str] = "hm3"

    def __init__(
        self,
        loss: Literal["delta", "htilde"] = "delta",
        scaling: Literal["uniform", "sibling", "subtree"] = "uniform",
        C: float = 1.0,  # noqa: N803 - as all maximum margin learners call it
        *,
        passes: int = 500,
        steps: int = 10,
        gap: float = 1e-3,
        bias: bool = False,
        seed: int = 0,
    ) -> None:
        for name, value, allowed in (("loss", loss, LOSSES), ("scaling", scaling, SCALINGS)):
            if value not in allowed:
                raise UsageError(f"{name} is {value!r}; choose one of {', '.join(allowed)}")
        for name, number in (("C", C), ("passes", passes), ("steps", steps), ("gap", gap)):
            if not 0 < number < np.inf:
                raise UsageError(f"{name} is {number}; give a number above 0")
        self.loss, self.scaling, self.C, self.passes, self.steps, self.gap = loss, scaling, C, passes, steps, gap
        self.bias, self.seed = bias, seed
        self.labels = Names()
        self.curve = np.zeros((0, 3))
        """By pass: the dual objective, the gap seen on the way, and the primal objective (NaN where not computed)."""
        self.tree: Tree | None = None
        self._fitted: Tree | None = None
        self._features = np.zeros(0, np.int32)
        self._weights = np.zeros((0, 0), np.float32)

    def use_tree(self, tree: Tree) -> None:
        """Fit on this tree from now on; without one, all labels are roots."""
        self.tree = tree

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``."""
        given = self.tree or Tree((), np.zeros(0, np.int32))
        window = TreeWindow.of(batch, given, bias=self.bias)
        nodes, tree = len(window.tree), window.tree
        weights = np.zeros((len(window.features) + self.bias, 3 * nodes), np.float32)
        curve = np.full((3, self.passes), np.nan)
        passes = 0
        if nodes and len(batch):
            costs = self._costs(given.with_labels(tree.labels), tree)
            strength = float(self.C * costs.mean())
            passes = _trees.hm3(
                window.indptr,
                window.places,
                window.values,
                window.relevant,
                tree.parents,
                costs,
                self.loss == "htilde",
                strength,
                self.steps,
                self.gap,
                self.seed & 0xFFFFFFFFFFFFFFFF,
                weights,
                _true_marginals(window, strength),
                *curve,
            )
        self.labels, self._fitted, self._features, self._weights = Names(tree.labels), tree, window.features, weights
        self.curve = curve[:, :passes].T.copy()

    def _costs(self, whole: Tree, part: Tree) -> Reals:
        weights = node_weights(whole, self.scaling)
        return weights[[whole.place[label] for label in part.labels]]

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all labels of the batch last fitted, and their ancestors."""
        n, nodes = len(batch), len(self.labels)
        scores, relevant = np.empty((n, nodes), np.float32), np.empty((n, nodes), np.uint8)
        if self._fitted is not None and nodes:
            rows = known_rows(batch, self._features, bias=self.bias)
            _trees.label(*rows, self._fitted.parents, self._weights, scores, relevant)
        return Predictions.of_all(scores, relevant.view(np.bool_), batch, self.labels, self.seed)

    def save(self) -> dict[str, Any]:
        """Return the tree and the weights as plain data, features by id."""
        tree = self._fitted or Tree((), np.zeros(0, np.int32))
        return {"tree": tree.save(), "features": self._features, "weights": self._weights, "curve": self.curve}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; batches must number features as before."""
        try:
            tree = Tree.load(state["tree"])
            features, weights, curve = state["features"], state["weights"], state["curve"]
            right = (
                _fits(features, weights, len(tree), bias=self.bias) and curve.ndim == 2 and curve.dtype == np.float64
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, TelexError):
                raise
            raise InputError(f"the saved state is no H-M3 ({error!r}); take another checkpoint") from error
        if not right:
            raise InputError("the weights of a saved H-M3 do not fit its tree; take another checkpoint")
        self.labels, self._fitted, self._features, self._weights = Names(tree.labels), tree, features, weights
        self.curve = curve


def _true_marginals(window: TreeWindow, strength: float) -> Values:
    """Return the marginals with all mass on the true labelling of each document: the weights are 0."""
    n, nodes = window.relevant.shape
    parents = window.tree.parents
    below = (parents < 0) | (window.relevant[:, parents] > 0)
    labelling = np.where(~below, 2, window.relevant).astype(np.int64)
    marginals = np.zeros((n, 3 * nodes), np.float32)
    marginals[np.arange(n)[:, None], labelling * nodes + np.arange(nodes)] = strength
    return marginals


def _fits(features: Ids, weights: Values, nodes: int, *, bias: bool) -> bool:
    types = features.dtype == np.int32 and weights.dtype == np.float32
    ascend = types and features.ndim == 1 and bool((np.diff(features) > 0).all())
    shape = (len(features) + bias, 3 * nodes) if nodes else weights.shape
    return ascend and weights.shape == shape and bool(np.isfinite(weights).all())

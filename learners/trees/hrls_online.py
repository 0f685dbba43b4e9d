"""Regularised least squares along a tree, one document at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np

from telex.learners.base import InputError, Names, UsageError, undelayed_steps
from telex.learners.native_learner import NativeLearner
from telex.learners.trees.closed_labels import ClosedLabels
from telex.learners.trees.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from telex.learners.base import Batch, Bytes, Ids, Offsets, Predictions, Reals

_ANSWER = np.array([~0], np.int32)


class HRLSOnline(NativeLearner):
    """Regularised least squares for each node of a tree, on the documents of its parent, one document at a time [^1].

    With P = (strength I + sum of x x')^-1 over the documents x of its parent, a node has the weights w = P sum y x, y
    being 1 or -1. Its score is w.x, as if x had been added to P already. A node is predicted only if its parent is, and
    its score is the least on the path to it. Label sets are closed upwards before they are learnt; labels that the
    tree lacks are roots. A label that appears late has the same weights, to the bit, as if it had been known from the
    start.

    The children of a node share one P. The form ``full`` has all of it: 8 bytes for each pair of features and each
    node with children, so it takes at most 4,096 features, and time that grows with their square. The form
    ``diagonal`` has only its diagonal: 4 bytes for each feature.

    Give the tree before the first document. Later only a tree that has the same parents for all labels learnt is taken.

    Parameters
    ----------
    strength
        How much large weights count: the lambda of ridge regression.
    form
        How much of P there is: its ``diagonal``, or all of it (``full``).
    bias
        The value of one more feature that each document has; 0: none.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners.trees import Tree
    >>> model = HRLSOnline()
    >>> model.use_tree(Tree.of([("crude", "energy"), ("gas", "energy"), ("sport", None)]))
    >>> for text, label in [("oil rises", "crude"), ("cup final", "sport"), ("pipeline opens", "gas")]:
    ...     model.learn_one(dict.fromkeys(text.split(), 1.0), [label])
    >>> model.predict_one({"pipeline": 1.0})
    {'energy': True, 'crude': False, 'sport': False, 'gas': True}

    References
    ----------
    [^1]: N. Cesa-Bianchi, C. Gentile, L. Zaniboni: Incremental Algorithms for Hierarchical Classification, JMLR 2006.
    """

    stored_name: ClassVar[str] = "hrls-online"
    kernel: ClassVar[str] = "hrls_online"
    most_features: ClassVar[int] = 4096
    tree: Tree | None = None
    _nodes: ClosedLabels | None = None

    def __init__(
        self, strength: float = 1.0, form: Literal["diagonal", "full"] = "diagonal", bias: float = 0.1, seed: int = 0
    ) -> None:
        self.strength = strength
        self.form = form
        self.bias = bias
        self.seed = seed

    def work(self, features: Offsets, known: Offsets) -> Reals:
        """Return about how many multiplications documents take; in the full form P of some nodes moves as a whole."""
        work: Reals = (features + 16.0) * known.astype(float)
        if self.form == "full":
            work += 4.0 * len(self._features or ()) ** 2
        return work

    def use_tree(self, tree: Tree) -> None:
        """Predict and learn along this tree from now on; without one, all labels are roots."""
        with self._writing:
            self._check_tree(tree, self.tree, self.labels)
            self.tree, self._nodes = tree, None

    def clone(self, new_params: dict[str, Any] | None = None, include_attributes: bool = False) -> Self:
        """Return a learner with the same parameters and the same tree that has learnt nothing."""
        made = super().clone(new_params, include_attributes)
        made.tree = self.tree
        return made

    def save(self) -> dict[str, Any]:
        """Return the state as plain data, the tree with it."""
        return {**super().save(), "tree": None if self.tree is None else self.tree.save()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; a tree that was given already must agree with the saved one."""
        try:
            tree = None if state["tree"] is None else Tree.load(state["tree"])
            labels, packed = list(Names.of(state["labels"])), state["packed"]
            place = {label: i for i, label in enumerate(labels)} | {None: -1}
            nodes = [_node(tree, label) for label in labels]
            right = np.array_equal(packed["parents"], [place.get(above, -2) for above, _ in nodes]) and np.array_equal(
                packed["inner"], [inner for _, inner in nodes]
            )
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise InputError(f"the saved state is not a learner ({error!r}); take another checkpoint") from error
        if not right:
            raise InputError("the labels of a saved learner have other parents in its tree; take another checkpoint")
        with self._writing:
            if self.tree is not None:
                self._check_tree(self.tree, tree, labels)
            super().load(state)
            self.tree, self._nodes = tree if self.tree is None else self.tree, None

    def _check_tree(self, tree: Tree, former: Tree | None, labels: Iterable[Hashable]) -> None:
        for label in labels:
            if _node(tree, label) != _node(former, label):
                raise UsageError(
                    f"the label {label!r} has another parent or other children in the tree than when it was learnt; "
                    "use that tree, or begin with a new learner"
                )

    # -- the way to the core

    @property
    def _closing(self) -> ClosedLabels | None:
        if self._nodes is None and self.tree is not None:
            self._nodes = ClosedLabels(self.tree)
        return self._nodes

    def _learn_single(self, features: tuple[list[int], list[float]], labels: list[Any]) -> None:
        if (nodes := self._closing) is None:
            super()._learn_single(features, labels)
            return
        ids = np.array(nodes.closed(labels), np.int32)
        ends = np.array([0, len(ids)], np.int64)
        self._follow(
            replace(self._single(features, []), label_indptr=ends, labels=ids, label_names=nodes.table), _ANSWER
        )

    def _follow(self, batch: Batch, steps: Ids | None) -> Predictions:
        predictions = super()._follow(self._closed(batch), steps)
        if (nodes := self._closing) is None:
            return predictions
        return replace(predictions, columns=predictions.columns[nodes.places(batch.label_names)])

    @property
    def lets_others_run(self) -> bool:
        """Not so: it adds the ancestors of labels to the table of the stream."""
        return False

    def _closed(self, batch: Batch) -> Batch:
        if (nodes := self._closing) is None or batch.label_names is nodes.table:
            return batch
        self._check_batch(batch)
        return nodes.batch(batch)

    def _edges(self, table: Names) -> tuple[Ids, Bytes] | tuple[None, None]:
        return (None, None) if self._closing is None else self._closing.edges()

    def _prepare(self, batch: Batch, asks: int, *, learning: bool, steps: Ids | None = None) -> Any:
        prepared = super()._prepare(batch, asks, learning=learning, steps=steps)
        if learning and self.form == "full":
            self._check_features(batch, undelayed_steps(batch) if steps is None else steps)
        return prepared

    def _check_features(self, batch: Batch, steps: Ids) -> None:
        """Refuse answers that would make P too large."""
        ends = batch.indptr[1:]
        last = np.where(ends > batch.indptr[:-1], batch.features[ends - 1], -1) if len(batch.features) else ends * 0
        refused = np.flatnonzero((steps < 0) & (last[np.where(steps < 0, ~steps, 0)] >= self.most_features))
        if len(refused):
            self._failed_at = int(refused[0])
            raise InputError(
                f"HRLSOnline with form=full takes at most {self.most_features:,} features, as it has 8 bytes for each "
                "pair of them and each label with children; try form=diagonal, or a bounded vocabulary"
            )


def _node(tree: Tree | None, label: Hashable) -> tuple[Hashable | None, bool]:
    """Return the parent of a label, and whether it may have children."""
    return (None, False) if tree is None else (tree.parent(label), tree.may_have_children(label))

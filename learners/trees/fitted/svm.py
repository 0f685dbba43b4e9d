"""Support vector machines for the labels of a window, flat and along a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from telex.learners import _trees
from telex.learners.base import UsageError
from telex.learners.trees.fitted.node_classifiers import NodeClassifiers

if TYPE_CHECKING:
    from telex.learners.base import Values
    from telex.learners.trees.fitted.tree_window import TreeWindow


class SVM(NodeClassifiers):
    """A linear support vector machine for each label; fitted on a window: refit:model=svm,every=5000.

    Parameters
    ----------
    C
        How much violated margins count against large weights.
    passes
        At most so many passes over the documents.
    tolerance
        The fit ends when the optimality conditions are violated by at most this much.
    bias
        Adds a feature that each document has.
    seed
        Orders equal scores, and the documents of a pass.

    Examples
    --------
    >>> from telex.learners import BatchBuilder
    >>> stream, model = BatchBuilder(), SVM()
    >>> for text, label in [("gold rises", "metal"), ("wheat rises", "grain"), ("gold falls", "metal")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> model.fit(batch)
    >>> [model.scores(batch).set_of(k) for k in range(3)]
    [['metal'], ['grain'], ['metal']]
    """

    stored_name: ClassVar[str] = "svm"
    top_down: ClassVar[bool] = False

    def __init__(
        self,
        C: float = 1.0,  # noqa: N803 - as all maximum margin learners call it
        passes: int = 1000,
        tolerance: float = 0.01,
        bias: bool = False,
        seed: int = 0,
    ) -> None:
        super().__init__()
        for name, number in (("C", C), ("passes", passes), ("tolerance", tolerance)):
            if not 0 < number < np.inf:
                raise UsageError(f"{name} is {number}; give a number above 0")
        self.C, self.passes, self.tolerance, self.bias, self.seed = C, passes, tolerance, bias, seed

    def weights_of(self, window: TreeWindow) -> Values:
        """Return the weights of each node's machine."""
        weights = np.zeros((len(window.features) + self.bias, len(window.tree)), np.float32)
        _trees.svm(
            window.indptr,
            window.places,
            window.values,
            window.relevant,
            window.tree.parents,
            self.top_down,
            self.C,
            self.passes,
            self.tolerance,
            self.seed & 0xFFFFFFFFFFFFFFFF,
            weights,
        )
        return weights


class HSVM(SVM):
    """A linear support vector machine for each node of a tree, on the documents of its parent; predicted top down.

    A label is predicted only if its parent is. The parameters are those of :class:`SVM`.

    >>> from telex.learners import BatchBuilder
    >>> from telex.learners.trees import Tree
    >>> stream, model = BatchBuilder(), HSVM()
    >>> model.use_tree(Tree.of([("crude", "energy"), ("gas", "energy"), ("sport", None)]))
    >>> for text, label in [("oil rises", "crude"), ("cup final", "sport"), ("pipeline opens", "gas")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> model.fit(batch)
    >>> [model.scores(batch).set_of(k) for k in range(3)]
    [['energy', 'crude'], ['sport'], ['energy', 'gas']]
    """

    stored_name: ClassVar[str] = "hsvm"
    top_down: ClassVar[bool] = True

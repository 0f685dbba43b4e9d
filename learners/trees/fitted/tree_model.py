"""The base class of batch learners on a tree: the labels and features of the last fit, and how they are stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from telex.learners import _trees
from telex.learners.base import InputError, Names, TelexError
from telex.learners.trees import Tree
from telex.learners.trees.fitted.tree_window import TreeWindow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Batch, Ids


class TreeModel(ABC):
    """A model over the nodes of the tree that a window had: its labels and their ancestors.

    ``tree`` is the one given; the next fit uses it. Features are known by their ids, which ascend.
    """

    stored_name: ClassVar[str]
    bias: bool
    seed: int

    def __init__(self) -> None:
        self.labels = Names()
        self.tree: Tree | None = None
        self._fitted = Tree.empty()
        self._features = np.zeros(0, np.int32)

    def use_tree(self, tree: Tree) -> None:
        """Fit on this tree from now on; without one, all labels are roots."""
        self.tree = tree

    def _window(self, batch: Batch, row_bytes: int, feature_bytes: int) -> tuple[Tree, TreeWindow]:
        """Return the tree given, and a batch as a window on it; for each node a fit takes so many bytes.

        They are those for each document and each feature. If that is more than there is, it is a MemoryError.
        """
        tree = Tree.empty() if self.tree is None else self.tree
        window = TreeWindow.of(batch, tree, bias=self.bias)
        nodes = len(window.tree)
        _trees.check_memory(nodes * (row_bytes * len(batch) + feature_bytes * len(window.features)))
        return tree, window

    def _set(self, tree: Tree, features: Ids, fitted: Mapping[str, Any]) -> None:
        self.labels, self._fitted, self._features = Names(tree.labels), tree, features
        self.__dict__.update(fitted)

    @abstractmethod
    def _arrays(self) -> dict[str, Any]:
        """Return what else was fitted, as plain data."""

    @abstractmethod
    def _checked(self, state: Mapping[str, Any], tree: Tree, features: Ids) -> dict[str, Any] | None:
        """Return the attributes that ``state`` has for the tree and the features, or None if they do not fit."""

    def save(self) -> dict[str, Any]:
        """Return the tree and what was fitted as plain data, features by id."""
        return {"tree": self._fitted.save(), "features": self._features, **self._arrays()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; batches must number features as before."""
        try:
            tree, features = Tree.load(state["tree"]), state["features"]
            ascending = features.dtype == np.int32 and features.ndim == 1 and bool((np.diff(features) > 0).all())
            fitted = self._checked(state, tree, features) if ascending else None
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, TelexError):
                raise
            raise InputError(
                f"the saved state is no {type(self).__name__} ({error!r}); take another checkpoint"
            ) from error
        if fitted is None:
            raise InputError(f"a saved {type(self).__name__} does not fit its tree; take another checkpoint")
        self._set(tree, features, fitted)


def is_weights(array: Any, rows: int, columns: int) -> bool:
    """Return whether an array has finite weights of this shape; without columns it may have any rows."""
    shape = (rows, columns) if columns else (len(array), 0)
    return array.dtype == np.float32 and array.shape == shape and bool(np.isfinite(array).all())

"""Learners that predict along a tree, and how they get it."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from telex.learners.batch_learner import BatchLearner
from telex.learners.learner import Learner

if TYPE_CHECKING:
    from telex.learners.trees.tree import Tree


@runtime_checkable
class UsesTree(Protocol):
    """A learner that uses a tree of labels if it has one."""

    def use_tree(self, tree: Tree) -> None:
        """Use this tree from the next fit on."""
        ...


def give_tree(learner: object, tree: Tree) -> None:
    """Give a tree to a learner, and to the learners among its parameters, such as the model of a refit.

    >>> from telex.learners.trees import HM3, Tree
    >>> from telex.learners.selection import Selected
    >>> model = HM3()
    >>> give_tree(Selected(model), Tree.of([("crude", "energy")]))
    >>> model.tree.labels
    ('energy', 'crude')
    """
    if isinstance(learner, UsesTree):
        learner.use_tree(tree)
    for name in signature(type(learner)).parameters:
        inner = getattr(learner, name, None)
        if isinstance(inner, (Learner, BatchLearner)):
            give_tree(inner, tree)

"""Learners that predict along a tree, and how they get it."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from telex.learners.batch_learner import BatchLearner
from telex.learners.learner import Learner

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.learners.trees.tree import Tree


@runtime_checkable
class UsesTree(Protocol):
    """A learner that uses a tree of labels if it has one."""

    def use_tree(self, tree: Tree) -> None:
        """Use this tree from the next fit on."""
        ...


@runtime_checkable
class NeedsTree(Protocol):
    """A learner that may not be able to predict without a tree."""

    def check_tree(self) -> None:
        """Raise a UsageError if it needs a tree and has none."""
        ...


def give_tree(learner: object, tree: Tree) -> None:
    """Give a tree to a learner, and to the learners among its parameters, such as the model of a refit.

    >>> from telex.learners.trees import Tree
    >>> from telex.learners.trees.fitted import HM3
    >>> from telex.learners.selection import Selected
    >>> model = HM3()
    >>> give_tree(Selected(model), Tree.of([("crude", "energy")]))
    >>> model.tree.labels
    ('energy', 'crude')
    """
    for one in _with_inner(learner):
        if isinstance(one, UsesTree):
            one.use_tree(tree)


def check_trees(learners: Iterable[object]) -> None:
    """Raise a UsageError if one of the learners, or of those among their parameters, needs a tree and has none."""
    for learner in learners:
        for one in _with_inner(learner):
            if isinstance(one, NeedsTree):
                one.check_tree()


def _with_inner(learner: object) -> Iterator[object]:
    """Yield a learner, and the learners among its parameters, at any depth."""
    yield learner
    for name in signature(type(learner)).parameters:
        inner = getattr(learner, name, None)
        if isinstance(inner, (Learner, BatchLearner)):
            yield from _with_inner(inner)

"""All losses along a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.trees.hierarchical_f1 import HierarchicalF1
from telex.learners.trees.hierarchical_loss import HierarchicalLoss, SimplifiedHierarchicalLoss
from telex.learners.trees.invalid import Invalid
from telex.learners.trees.marked_nodes import MarkedNodes
from telex.learners.trees.node_weights import SCALINGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from telex.learners.losses import Loss
    from telex.learners.trees.tree import Tree


def tree_losses(tree: Tree) -> dict[str, Loss]:
    """Return the losses along a tree, by name.

    >>> from telex.learners.trees import Tree
    >>> list(tree_losses(Tree.of([("crude", "energy")])))[:4]
    ['l_h', 'l_h_uniform', 'l_h_subtree', 'l_htilde']
    """
    kinds = (HierarchicalLoss, SimplifiedHierarchicalLoss)
    marked = MarkedNodes(tree)
    made = [kind(tree, scaling, marked=marked) for kind in kinds for scaling in SCALINGS]
    all_losses: list[Loss] = [*made, HierarchicalF1(tree, marked=marked), Invalid(tree, marked=marked)]
    return {loss.name: loss for loss in sorted(all_losses, key=lambda loss: loss.order)}


def leave_to_full_views(losses: Iterable[Loss]) -> None:
    """Let only views of all losses show those along a tree: nobody asked for the tree, which came with the documents.

    >>> from telex.learners.trees import Tree
    >>> losses = tree_losses(Tree.of([("crude", "energy")]))
    >>> leave_to_full_views(losses.values())
    >>> {loss.priority for loss in losses.values()}
    {None}
    """
    for loss in losses:
        if isinstance(loss, (HierarchicalLoss, HierarchicalF1, Invalid)):
            loss.priority = None

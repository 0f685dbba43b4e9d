from .closed_sets import Closed as Closed
from .closed_sets import ClosedSets as ClosedSets
from .hrls_online import HRLSOnline as HRLSOnline
from .node_weights import SCALINGS as SCALINGS
from .node_weights import node_weights as node_weights
from .projection import Projection as Projection
from .tree import Tree as Tree
from .tree_losses import leave_to_full_views as leave_to_full_views
from .tree_losses import tree_losses as tree_losses
from .uses_tree import check_trees as check_trees
from .uses_tree import give_tree as give_tree

__all__ = [
    "SCALINGS",
    "Closed",
    "ClosedSets",
    "HRLSOnline",
    "Projection",
    "Tree",
    "check_trees",
    "give_tree",
    "leave_to_full_views",
    "node_weights",
    "tree_losses",
]

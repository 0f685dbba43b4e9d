from .closed_sets import Closed as Closed
from .closed_sets import ClosedSets as ClosedSets
from .hm3 import HM3 as HM3
from .hrls import HRLS as HRLS
from .hrls_online import HRLSOnline as HRLSOnline
from .node_weights import SCALINGS as SCALINGS
from .node_weights import node_weights as node_weights
from .projection import Projection as Projection
from .svm import HSVM as HSVM
from .svm import SVM as SVM
from .tree import Tree as Tree
from .tree_losses import leave_to_full_views as leave_to_full_views
from .tree_losses import tree_losses as tree_losses
from .tree_window import TreeWindow as TreeWindow
from .tree_window import known_rows as known_rows
from .uses_tree import check_trees as check_trees
from .uses_tree import give_tree as give_tree

__all__ = [
    "HM3",
    "HRLS",
    "HSVM",
    "SCALINGS",
    "SVM",
    "Projection",
    "HRLSOnline",
    "Closed",
    "ClosedSets",
    "Tree",
    "TreeWindow",
    "check_trees",
    "give_tree",
    "known_rows",
    "leave_to_full_views",
    "node_weights",
    "tree_losses",
]

from .best_labelling import best_labelling as best_labelling
from .node_weights import SCALINGS as SCALINGS
from .node_weights import node_weights as node_weights
from .tree import Tree as Tree

__all__ = [
    "SCALINGS",
    "Tree",
    "best_labelling",
    "node_weights",
]

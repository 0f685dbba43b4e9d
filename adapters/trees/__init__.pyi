from .tree_file import read_tree as read_tree
from .tree_setting import tree_of as tree_of
from .tree_setting import tree_path as tree_path

__all__ = [
    "read_tree",
    "tree_of",
    "tree_path",
]

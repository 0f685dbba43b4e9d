from .tree_file import read_tree as read_tree

__all__ = [
    "read_tree",
]

"""What ``--tree`` says."""

from __future__ import annotations

from telex.adapters.formats.tree_file import read_tree
from telex.learners.trees import Tree

USUAL_TREE = "auto"
"""The setting of a run that names no tree: it has that of its archive, if there is one."""
_NONE = "none"
_PATHS = "path:"


def tree_of(setting: str, offered: Tree | None = None) -> Tree | None:
    """Return the tree of a setting: ``path:SEPARATOR`` where labels are paths, else the name of a file.

    ``auto`` is the tree that is ``offered``, by the archive say, and ``none`` is no tree.

    >>> tree_of("path:/").separator, tree_of("none", Tree.of([("crude", "energy")]))
    ('/', None)
    """
    if setting == USUAL_TREE:
        return offered
    if setting == _NONE:
        return None
    if setting.startswith(_PATHS):
        return Tree.of_paths(setting.removeprefix(_PATHS))
    return read_tree(setting)


def tree_path(setting: str | None) -> str | None:
    """Return the file that a setting names, or None if it names none."""
    return None if setting in {None, USUAL_TREE, _NONE} or str(setting).startswith(_PATHS) else setting

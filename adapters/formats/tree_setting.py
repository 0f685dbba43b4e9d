"""What ``--tree`` says."""

from __future__ import annotations

from telex.adapters.formats.tree_file import read_tree
from telex.learners.trees import Tree

_PATHS = "path:"


def tree_of(setting: str) -> Tree:
    """Return the tree of a setting: ``path:SEPARATOR`` where labels are paths, else the name of a file.

    >>> tree_of("path:/").separator
    '/'
    """
    if setting.startswith(_PATHS):
        return Tree.of_paths(setting.removeprefix(_PATHS))
    return read_tree(setting)


def tree_path(setting: str | None) -> str | None:
    """Return the file that a setting names, or None if it names none."""
    return None if setting is None or setting.startswith(_PATHS) else setting

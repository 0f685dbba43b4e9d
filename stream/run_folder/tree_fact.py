"""The tree of labels as a fact in run.json."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from telex.learners.base import InputError
from telex.learners.trees import Tree


class _TreeFact(msgspec.Struct):
    labels: list[str]
    parents: list[Annotated[int, msgspec.Meta(ge=-1, lt=2**31)]]
    separator: Annotated[str, msgspec.Meta(min_length=1)] | None = None


def tree_fact(tree: Tree | None) -> dict[str, Any] | None:
    """Return a tree as plain JSON, its labels as the texts by which the files of a run name them.

    It is None without a tree, and also where two labels have the same text, as 1 and "1".

    >>> tree_fact(Tree.of([("crude", "energy"), (7, "energy")]))
    {'labels': ['energy', 'crude', '7'], 'parents': [-1, 0, 0], 'separator': None}
    """
    if tree is None or len({str(label) for label in tree.labels}) < len(tree):
        return None
    return {"labels": list(map(str, tree.labels)), "parents": tree.parents.tolist(), "separator": tree.separator}


def fact_tree(fact: Any) -> Tree | None:
    """Return the tree that :func:`tree_fact` described; a fact that is none raises a ValueError.

    >>> fact_tree(tree_fact(Tree.of([("crude", "energy")]))).labels
    ('energy', 'crude')
    """
    if fact is None:
        return None
    try:
        return Tree.load(msgspec.to_builtins(msgspec.convert(fact, _TreeFact)))
    except InputError:
        raise ValueError("in its tree a label is there twice, or comes before its parent") from None

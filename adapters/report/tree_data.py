"""The data of the tree of labels on a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.trees import Tree


def tree_data(tree: Tree, labels: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[str, Any]:
    """Return the nodes in the order of a depth-first walk, by columns: label, depth and number of children.

    ``labels`` are the tables of a run, by learner; their counts stay there, under the label. Nodes that came in no
    document and no prediction are only counted (``unused``), unless one below them did. Labels that the tree lacks
    become part of it as :meth:`~telex.learners.trees.Tree.with_labels` says. Roots have depth 1.

    >>> from telex.learners.trees import Tree
    >>> tree = Tree.of([("crude", "energy"), ("gas", "energy"), ("sport", None)])
    >>> tree_data(tree, {"mmp": {"label": ["gas", "art"], "tp": [1, 0], "fp": [0, 1], "fn": [0, 0]}})
    {'label': ['energy', 'gas', 'art'], 'depth': [1, 2, 1], 'children': [1, 0, 0], 'unused': 2, 'separator': None}
    """
    used = _used(labels)
    whole = tree.with_labels(used)
    parents = whole.parents.tolist()
    kept = [False] * len(whole)
    for label in used:
        kept[whole.place[label]] = True
    for node in range(len(whole) - 1, -1, -1):  # children come after their parents
        if kept[node] and parents[node] >= 0:
            kept[parents[node]] = True
    children: dict[int, list[int]] = {-1: []}
    for node, parent in enumerate(parents):
        if kept[node]:
            children[node] = []
            children[parent].append(node)
    found: dict[str, Any] = {"label": [], "depth": [], "children": [], "unused": kept.count(False)}
    found["separator"] = tree.separator
    waiting = [(node, 1) for node in reversed(children[-1])]
    while waiting:
        node, depth = waiting.pop()
        found["label"].append(whole.labels[node])
        found["depth"].append(depth)
        found["children"].append(len(children[node]))
        waiting += [(child, depth + 1) for child in reversed(children[node])]
    return found


def _used(labels: Mapping[str, Mapping[str, Sequence[Any]]]) -> dict[str, None]:
    """Return the labels that any learner found, added or missed, each once."""
    return {
        label: None
        for table in labels.values()
        for label, *counts in zip(table["label"], table["tp"], table["fp"], table["fn"], strict=True)
        if any(counts)
    }

"""What a run or a cross-validation says of labels beside a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.terminal.text_tables import many

if TYPE_CHECKING:
    from collections.abc import Mapping


def not_in_tree(figures: Mapping[str, Any]) -> str:
    """Return the warning about labels that the tree lacks, an empty text if there are none.

    >>> not_in_tree({"not_in_tree": {"labels": 2, "first": ["GFAS", "GWEA"]}})
    'the tree lacks 2 labels of the stream, which hang under its root: GFAS, GWEA; add them to the tree'
    """
    if "not_in_tree" not in figures:
        return ""
    lacking = figures["not_in_tree"]
    count, first = lacking["labels"], lacking["first"]
    named = ", ".join(map(str, first)) + (", ..." if count > len(first) else "")
    hang, them = ("hangs", "it") if count == 1 else ("hang", "them")
    return (
        f"the tree lacks {many(count, 'label')} of the stream, which {hang} under its root: {named}; add {them} to the "
        "tree"
    )


def sets_closed(figures: Mapping[str, Any]) -> str:
    """Return how many sets of labels were closed, an empty text if that was not asked for.

    >>> sets_closed({"ancestors": {"documents": 1_200, "labels": 1}})
    '1,200 label sets got 1 missing ancestor'
    """
    if "ancestors" not in figures:
        return ""
    closed = figures["ancestors"]
    return f"{many(closed['documents'], 'label set')} got {many(closed['labels'], 'missing ancestor')}"

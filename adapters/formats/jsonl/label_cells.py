"""Labels in one cell or text, and what separates them."""

from __future__ import annotations

import ast
import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.jsonl.fields import distinct_labels
from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from collections.abc import Sequence

LIST = "list"
"""The separator of cells that hold a list as Python or JSON writes it."""
_LONGEST_LIST = 1 << 16
_QUOTED = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")(?:(\s*)(?=['"]))?""", re.DOTALL)
"""A quoted text, and what lies between it and the next one if that follows at once."""
_YES = frozenset({"1", "1.0", "true", "yes"})
_NO = frozenset({"0", "0.0", "false", "no", ""})


def split_cell(cell: str, separator: str | None) -> list[str]:
    """Return the labels in a cell that is not blank; ``separator`` None means that it holds one.

    A separator alone means that no label fits. A list may also stand as a tuple or, sorted, as a set.

    >>> split_cell("trade; war;", ";"), split_cell("trade; war", None), split_cell(";", ";")
    (['trade', 'war'], ['trade; war'], [])
    >>> split_cell("['trade', 'war']", LIST), split_cell('["trade"]', LIST), split_cell("[]", LIST)
    (['trade', 'war'], ['trade'], [])
    >>> split_cell("['trade' 'war']", LIST)  # as numpy writes an array
    ['trade', 'war']
    >>> split_cell("('trade', 'war')", LIST), split_cell("{'war', 'trade'}", LIST)
    (['trade', 'war'], ['trade', 'war'])
    """
    if separator is None:
        return [cell]
    if separator == LIST:
        labels = _listed(cell)
    elif separator == " ":
        labels = cell.split()
    else:
        cell = cell.removesuffix(separator)
        labels = [label.strip() for label in cell.split(separator)] if cell else []
    return list(distinct_labels(labels))


def _listed(cell: str) -> list[str]:
    try:
        if len(cell) > _LONGEST_LIST:
            raise BrokenRecordError("the list of labels is too long")
        found = _read(cell)
        if isinstance(found, set):
            return sorted(map(label_text, found))  # sets have another order in each process
        return [label_text(one) for one in found] if isinstance(found, (list, tuple)) else [label_text(found)]
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError) as error:
        raise BrokenRecordError(f"the labels {cell[:40]!r} are no list") from error


def _read(cell: str) -> Any:
    if cell.startswith('["'):
        with suppress(ValueError):
            return json.loads(cell)
    return ast.literal_eval(_QUOTED.sub(_with_comma, cell))  # Python would make one text of two that have no comma


def _with_comma(found: re.Match[str]) -> str:
    if found[2] == "":
        raise ValueError("two texts touch")
    return found[1] if found[2] is None else f"{found[1]}, "


def label_text(value: Any) -> str:
    """Return a label as text: numbers and truth values count too.

    >>> label_text(7), label_text(7.0), label_text(True), label_text(" war ")
    ('7', '7', 'true', 'war')
    """
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    raise BrokenRecordError(f"a label is {str(value)[:40]!r}, neither a text nor a number")


def marked_labels(names: Sequence[str], cells: Sequence[Any]) -> list[str]:
    """Return the names whose cells say 1, of columns with 0 or 1.

    >>> marked_labels(["trade", "war"], ["1", False])
    ['trade']
    """
    marks = [("" if cell is None else str(cell)).strip().lower() for cell in cells]
    wrong = next((mark for mark in marks if mark not in _YES | _NO), None)
    if wrong is not None:
        raise BrokenRecordError(f"a label's column holds {wrong[:40]!r}, neither 0 nor 1")
    return [name for name, mark in zip(names, marks, strict=True) if mark in _YES]

"""A look at texts that hold labels: whether they hold several where one would be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

_OTHERS = {"|": "pipe", ",": "comma", "\t": "tab", ";": "semicolon"}
_SHARE = 4
"""From this share of the texts on, given as its inverse, a sign is taken for a separator."""


def check_label_cells(cells: Iterable[Any], separator: str | None, name: str) -> None:
    """Refuse cells of the column ``name`` that hold lists as text, or labels with another separator between them.

    A column that holds one label in each cell has ``separator`` None: a comma may be part of such a label.

    >>> check_label_cells(["a; b", "b"], ";", "labels")
    >>> check_label_cells(["a|b", "b|c"], ";", "labels")
    Traceback (most recent call last):
        ...
    telex.learners.base.errors.UsageError: the labels in 'labels' look like 'a|b', which would be one label; say \
columns='separator=pipe', or separator=semicolon if it is one
    """
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    if listed := [text for text in texts if text.startswith("[") and text.endswith("]")]:
        raise UsageError(
            f"the labels in {name!r} are lists written as text, such as {listed[0][:40]!r}; make them lists first, as "
            "with frame[..].map(ast.literal_eval)"
        )
    if separator is None or any(separator in text for text in texts):
        return
    for sign, word in _OTHERS.items():
        holding = [text for text in texts if sign in text]
        if sign != separator and holding and _SHARE * len(holding) >= len(texts):
            own = _OTHERS.get(separator, separator)
            raise UsageError(
                f"the labels in {name!r} look like {holding[0][:40]!r}, which would be one label; say "
                f"columns='separator={word}', or separator={own} if it is one"
            )

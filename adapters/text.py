"""Numbers and tables as plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def number(x: float | None) -> str:
    """Return a figure with three or four digits that count, a dash where it is undefined.

    >>> number(0.43912), number(26.48), number(1234.5), number(None)
    ('0.439', '26.48', '1234.5', '-')
    """
    if x is None:
        return "-"
    return f"{x:.3f}" if abs(x) < 10 else f"{x:.2f}" if abs(x) < 1000 else f"{x:.1f}"


def table(heading: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True) -> str:
    """Return aligned columns: the first to the left, ``numbers`` to the right, texts to the left.

    >>> print(table(["learner", "iserr"], [["mmp", "0.439"], ["mlpp:decode=votes", "0.435"]]))
    learner            iserr
    mmp                0.439
    mlpp:decode=votes  0.435
    """
    cells = [list(heading), *map(list, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = (
        "  ".join(
            f"{c:>{w}}" if numbers and i else f"{c:<{w}}" for i, (c, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in cells
    )
    return "\n".join(line.rstrip() for line in lines)


def many(count: int, what: str) -> str:
    """Return a count with its word.

    >>> many(1, "document"), many(17189, "document")
    ('1 document', '17,189 documents')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"

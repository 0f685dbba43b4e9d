"""Numbers and tables as plain text."""

from __future__ import annotations

from shutil import get_terminal_size
from textwrap import TextWrapper
from typing import TYPE_CHECKING

from telex.learners.base import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import TextIO


def figure_text(x: float | None) -> str:
    """Return a figure with three or four significant digits, or a dash if it is undefined.

    >>> figure_text(0.43912), figure_text(26.48), figure_text(1234.5), figure_text(None)
    ('0.439', '26.48', '1234.5', '-')
    """
    if x is None:
        return "-"
    return f"{x:.3f}" if abs(x) < 10 else f"{x:.2f}" if abs(x) < 1000 else f"{x:.1f}"


def text_table(
    heading: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: bool = True, width: int | None = None
) -> str:
    """Return aligned columns: the first to the left, ``numbers`` to the right, texts to the left.

    Columns that do not fit into ``width`` are in further tables below, each with the first column.

    >>> print(text_table(["learner", "iserr"], [["mmp", "0.439"], ["mlpp:decode=votes", "0.435"]]))
    learner            iserr
    mmp                0.439
    mlpp:decode=votes  0.435
    >>> print(text_table(["learner", "iserr", "avgp"], [["mmp", "0.439", "0.9"]], width=16))
    learner  iserr
    mmp      0.439
    <BLANKLINE>
    learner  avgp
    mmp       0.9
    """
    cells = [list(map(one_line, row)) for row in (heading, *rows)]
    columns = [[f"{c:{'>' if numbers and i else '<'}{max(map(len, column))}}" for c in column]
               for i, column in enumerate(zip(*cells, strict=True))]  # fmt: skip
    tables = _folded(columns, width)
    # As few tables as fit, all about equally wide.
    while width and len(tables) > 1 and len(narrower := _folded(columns, width - 1)) == len(tables):
        tables, width = narrower, width - 1
    return "\n\n".join("\n".join("  ".join(row).rstrip() for row in zip(*one, strict=True)) for one in tables)


def _folded(columns: Sequence[list[str]], width: int | None) -> list[list[list[str]]]:
    """Return the columns of each table; a table with more than two fits the width."""
    first, *others = columns
    tables, used = [[first]], len(first[0])
    for column in others:
        if width is not None and len(tables[-1]) > 1 and used + 2 + len(column[0]) > width:
            tables.append([first])
            used = len(first[0])
        tables[-1].append(column)
        used += 2 + len(column[0])
    return tables


def many(count: int, what: str) -> str:
    """Return a count with its noun.

    >>> many(1, "document"), many(17189, "document")
    ('1 document', '17,189 documents')
    """
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def wrapped(text: str, hang: int, width: int | None) -> str:
    """Return each line wrapped, indented by ``hang`` from its second line on; unchanged without a ``width``.

    >>> print(wrapped("iserr  whether a ranking is not perfect", 7, 24))
    iserr  whether a ranking
           is not perfect
    """
    if width is None:
        return text
    wrapper = TextWrapper(width, subsequent_indent=" " * hang, break_on_hyphens=False, break_long_words=False)
    return "\n".join(wrapper.fill(line) for line in text.splitlines())


def columns_of(stream: TextIO) -> int | None:
    """Return the number of columns of a terminal, None for other streams."""
    return get_terminal_size().columns if stream.isatty() else None


def duration(seconds: float) -> str:
    """Return a time in its two largest units.

    >>> duration(4.2), duration(125), duration(11_230)
    ('4 s', '2 min 05 s', '3 h 07 min')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours:,} h {minutes:02} min"
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"

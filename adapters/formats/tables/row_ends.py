"""Where rows end in a file of cells that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.adapters.formats.tables.quoted_rows import QuotedRows, likely_delimiter
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterator


def first_row_end(path: str, delimiter: str | None) -> int:
    """Return where the first row of a file ends, which names the columns; 0 if no row is whole yet.

    ``delimiter`` separates the cells; None is what the row itself suggests.
    """
    rows = None
    for raw, end in _lines(path, 0, None):
        rows = rows or QuotedRows(delimiter or likely_delimiter(raw.decode(errors="replace")))
        if any(not isinstance(row, DeadLetter) for row in rows.feed([(raw, (path, 1, 0))])):
            return end
    return 0


def last_row_end(path: str, start: int, end: int, delimiter: str) -> int:
    r"""Return the end of the last whole row in the bytes from ``start`` to ``end``; ``start`` if there is none.

    A line that ends within quotes ends no row.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "growing.csv")
    >>> with open(path, "wb") as file:
    ...     _ = file.write(b'7,gold\n8,"silver\nand t')
    >>> last_row_end(path, 0, 21, ",")
    7
    """
    rows, found = QuotedRows(delimiter), start
    for raw, line_end in _lines(path, start, end):
        for _ in rows.feed([(raw, (path, 1, start))]):
            pass
        if not rows.is_open:
            found = line_end
    return found


def _lines(path: str, start: int, end: int | None) -> Iterator[tuple[bytes, int]]:
    """Yield the lines that end in a newline, without it, each with its end."""
    with open(path, "rb") as file:
        file.seek(start)
        for line in file:
            start += len(line)
            if not line.endswith(b"\n") or (end is not None and start > end):
                return
            yield line[:-1], start

"""Readers of lines, for files that a run may still be writing."""

from __future__ import annotations

import csv
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.text_files import decoded, open_regular, parse_json, plain_cell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_RETURN = "\udc0d"
"""The stand-in for a carriage return while csv reads, which takes an unquoted one for the end of a row."""


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Name the file in the error if it cannot be read, and say what to do."""
    try:
        yield
    except (OSError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError,
            csv.Error) as error:  # fmt: skip
        raise UsageError(
            f"{path} cannot be read ({type(error).__name__}: {error}); put the file back as the run wrote it, or run "
            "it again"
        ) from error


def whole_lines(path: Path, *, follow: bool = False) -> Iterator[str]:
    """Yield the lines of a file, without the last one if it has no end yet; none if there is no file.

    It may be a symbolic link if ``follow`` says so, as a person has named it.
    """
    if path.is_symlink() or path.exists():
        with path.open("rb") if follow else open_regular(path) as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield decoded(line)


def json_lines(path: Path) -> Iterator[Any]:
    """Yield the values in a file of JSON lines; see :func:`whole_lines`."""
    return map(parse_json, whole_lines(path))


def csv_rows(path: Path) -> Iterator[list[str]]:
    """Yield the heading and the rows of a CSV file, without the last row if it is not whole yet.

    A row is whole when its line is, and when it has a cell for each column: a quoted cell may have line ends in it,
    unless it is the last of its row.
    """
    returns = False

    def lines() -> Iterator[str]:
        nonlocal returns
        for line in whole_lines(path):
            returns = returns or "\r" in line
            yield line.replace("\r", _RETURN)

    rows, columns = csv.reader(lines()), 0
    for row in rows:
        if len(row) < columns:
            if next(rows, None) is None:
                return
            raise ValueError(f"line {rows.line_num - 1} has {len(row)} columns, not {columns}")
        columns = columns or len(row)
        yield [plain_cell(cell.replace(_RETURN, "\r") if returns else cell) for cell in row]


def csv_table(path: Path) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file by the names of their columns; see :func:`csv_rows`."""
    rows = csv_rows(path)
    heading = next(rows, [])
    for row in rows:
        yield dict(zip(heading, row, strict=True))

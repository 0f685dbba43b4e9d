"""Cells of CSV files that a spreadsheet shows and does not compute."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a cell begins with that a spreadsheet takes for a formula; the last four are as wide as Chinese letters."""
_QUOTE = "'"
_FIRST = frozenset((*_FORMULA, _QUOTE))


def safe_cell(cell: str) -> str:
    """Return a text with an apostrophe before it if a spreadsheet would compute it.

    So that :func:`plain_cell` can undo it, a text that begins with apostrophes and then so gets one more.

    >>> safe_cell("=1+1"), safe_cell("'=1"), safe_cell("'tis")
    ("'=1+1", "''=1", "'tis")
    """
    return _QUOTE + cell if cell[:1] in _FIRST and _computes(cell) else cell


def plain_cell(cell: str) -> str:
    """Return the text that :func:`safe_cell` was given.

    >>> plain_cell("'=1+1"), plain_cell("'tis"), plain_cell("-1")
    ('=1+1', "'tis", '-1')
    """
    return cell[1:] if cell[:1] == _QUOTE and _computes(cell) else cell


def _computes(cell: str) -> bool:
    return cell.lstrip(_QUOTE).startswith(_FORMULA)

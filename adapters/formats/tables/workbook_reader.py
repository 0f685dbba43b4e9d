"""Workbooks of Excel through openpyxl, which is imported only when one is read."""

from __future__ import annotations

import datetime
import importlib
import zipfile
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.reading import temporary_copy
from telex.learners.base import BrokenRecordError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.adapters.formats.reading import Input

SHEETS = b"xl/"
_FOLD, _FREE = 1000, 256 << 20


def import_openpyxl() -> Any:
    """Return openpyxl."""
    try:
        return importlib.import_module("openpyxl")
    except ImportError as error:
        raise UsageError("workbooks need another library: pip install 'telex[xlsx]'") from error


def workbook_rows(source: Input, sheet: str | None = None) -> Iterator[tuple[int, list[Any]]]:
    """Yield the rows of a sheet that are not blank, with their numbers from 1; the first sheet, if none is named.

    Cells are texts, numbers, truth values or None; times are ISO 8601. A workbook that unpacks to more than 1000 times
    its size is refused: openpyxl holds all texts of it in memory.
    """
    openpyxl = import_openpyxl()
    with temporary_copy(source.chunks()) as file:
        try:
            _check_size(file)
            book = openpyxl.load_workbook(file, read_only=True, data_only=True)
        except (zipfile.BadZipFile, KeyError, ValueError, OSError, SyntaxError, TypeError) as error:
            raise BrokenRecordError(f"this is no workbook of Excel, or a damaged one: {error}") from error
        names = book.sheetnames
        if sheet is not None and sheet not in names:
            raise UsageError(f"sheet={sheet}: {source.name} has no such sheet; it has {', '.join(names)}")
        try:
            for number, row in enumerate(book[sheet or names[0]].iter_rows(values_only=True), 1):
                if any(cell not in (None, "") for cell in row):
                    yield number, [_plain(cell) for cell in row]
        except (zipfile.BadZipFile, KeyError, ValueError, OSError, SyntaxError, TypeError) as error:
            raise BrokenRecordError(f"the sheet is damaged: {error}") from error
        finally:
            book.close()


def _check_size(file: Any) -> None:
    size = file.seek(0, 2)
    file.seek(0)
    with zipfile.ZipFile(file) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
    file.seek(0)
    if unpacked > max(_FREE, _FOLD * size):
        raise BrokenRecordError(f"the workbook unpacks to more than {_FOLD} times its size")


def _plain(cell: Any) -> Any:
    if isinstance(cell, (datetime.datetime, datetime.date, datetime.time)):
        return cell.isoformat()
    return cell if cell is None or isinstance(cell, (str, int, float, bool)) else str(cell)

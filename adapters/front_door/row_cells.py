"""Cells of rows at hand, as Python, numpy, pandas and polars hold them, become the parts of a document."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.formats.jsonl import id_text, marked_labels
from telex.adapters.formats.reading import epoch_seconds, time_of_cell
from telex.learners.base import BrokenRecordError, in_order

if TYPE_CHECKING:
    from collections.abc import Sequence

_NULLS = frozenset({"NAType", "NaTType"})
_NO_CLASS = -1
"""What Hugging Face's data sets have for a label that is not known."""


def is_null(cell: Any) -> bool:
    """Tell whether a cell holds nothing.

    >>> is_null(None), is_null(float("nan")), is_null(""), is_null([])
    (True, True, False, False)
    """
    if cell is None or type(cell).__name__ in _NULLS:
        return True
    return isinstance(cell, (float, np.floating)) and math.isnan(cell)


def text_of(cell: Any, part: str) -> str:
    """Return a cell of texts; a title may be missing, a text may not."""
    if is_null(cell) and part == "title":
        return ""
    if is_null(cell):
        raise BrokenRecordError(f"the {part} is missing")
    if not isinstance(cell, str):
        raise BrokenRecordError(f"the {part} is of type {type(cell).__name__}; give texts, as with str(..)")
    try:
        cell.encode()
    except UnicodeEncodeError as error:
        raise BrokenRecordError(f"the {part} is not valid Unicode") from error
    return cell


def id_of(cell: Any) -> str:
    """Return an id: a text, or a whole number.

    >>> id_of(7), id_of("a7"), id_of(7.0)
    ('7', 'a7', '7')
    """
    if is_null(cell):
        raise BrokenRecordError("the id is missing")
    if isinstance(cell, str):
        return id_text(cell)
    return id_text(str(_whole(cell, "id")))


def time_of(cell: Any) -> float:
    """Return epoch seconds, NaN for none; moments without a zone are UTC.

    >>> time_of(datetime.date(1996, 8, 20)), time_of("1996-08-20"), time_of(840499200), time_of(None)
    (840499200.0, 840499200.0, 840499200.0, nan)
    """
    if isinstance(cell, np.datetime64):
        cell = cell.astype("datetime64[us]").item()
    if is_null(cell):
        return math.nan
    if isinstance(cell, str):
        return time_of_cell(cell)
    if isinstance(cell, datetime.datetime):
        return (cell if cell.tzinfo else cell.replace(tzinfo=datetime.UTC)).timestamp()
    if isinstance(cell, datetime.date):
        return datetime.datetime(cell.year, cell.month, cell.day, tzinfo=datetime.UTC).timestamp()
    if isinstance(cell, (int, float, np.number)) and not isinstance(cell, bool):
        return epoch_seconds(float(cell))
    raise BrokenRecordError(f"the time is of type {type(cell).__name__}; give datetimes, ISO 8601 or epoch seconds")


def labels_of(cell: Any, classes: Sequence[str] = ()) -> list[str] | None:
    """Return the labels in a cell that is no text; None if they are unknown.

    It may hold one label, several, or river's ``{label: bool}``, whose marks may be those of files (1, yes). Numbers
    stand for ``classes``, if there are any; otherwise they are labels themselves. A label that comes twice counts once.

    >>> labels_of(["war", "trade", "war"]), labels_of({"war": True, "trade": False}), labels_of(3), labels_of([])
    (['war', 'trade'], ['war'], ['3'], [])
    >>> labels_of([1, 0], classes=["war", "trade"]), labels_of(-1, classes=["war", "trade"]), labels_of(None)
    (['trade', 'war'], None, None)
    """
    if is_null(cell) or (classes and isinstance(cell, (int, np.integer)) and cell == _NO_CLASS):
        return None
    if isinstance(cell, Mapping):
        cell = marked(list(cell), list(cell.values()))
    elif isinstance(cell, (set, frozenset)):
        cell = in_order(cell)  # sets have another order in each process
    elif isinstance(cell, (str, bytes)) or not isinstance(cell, Iterable):
        cell = [cell]
    return list(dict.fromkeys(_label(one, classes) for one in cell))


def marked(names: Sequence[Any], cells: Sequence[Any]) -> list[Any]:
    """Return the names whose cells are marked; one that holds nothing is not.

    >>> marked(["war", "trade", "peace"], [True, float("nan"), "0"])
    ['war']
    """
    return marked_labels(names, [None if is_null(cell) else cell for cell in cells])


def _label(value: Any, classes: Sequence[str]) -> str:
    if isinstance(value, str):
        if not value.strip():
            raise BrokenRecordError("a label is empty")
        return value.strip()
    if is_null(value):
        raise BrokenRecordError("a label is null")
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    number = _whole(value, "label")
    if not classes:
        return str(number)
    if not 0 <= number < len(classes):
        raise BrokenRecordError(f"there is no class {number}; there are {len(classes)}, from 0")
    return classes[number]


def _whole(value: Any, part: str) -> int:
    """Return a whole number, which a column that has gaps holds as a float."""
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return int(value)
    raise BrokenRecordError(f"the {part} {str(value)[:40]!r} is neither a text nor a whole number")

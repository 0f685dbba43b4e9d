"""Data at hand as rows: frames, data sets of Hugging Face, lists and generators of documents."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

import narwhals.stable.v2 as nw

from telex.learners.base import Batch, UsageError
from telex.stream.sources import (
    Archive,
    Arrivals,
    CutStories,
    DeadLetter,
    Source,
    Stories,
    as_archive,
    as_source,
)

_LOOK = 1000
"""How many rows of a list or generator are looked at for the names of their fields."""
_WANTED = "give dicts such as {'text': .., 'labels': [..]}, pairs (text, labels), a frame, or paths of files"


@dataclass(frozen=True, slots=True)
class RowTable:
    """Rows with named columns: ``read`` begins again at the first row, unless they can be read only ``once``.

    ``classes`` has the names of the labels that stand as numbers in a column, ``first`` some rows to look at before.
    """

    title: str
    names: tuple[str, ...]
    read: Callable[[], Iterable[Sequence[Any]]]
    size: int | None = None
    once: bool = False
    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    first: Sequence[Sequence[Any]] = ()

    def sample(self, size: int) -> list[Sequence[Any]]:
        """Return the first rows, at most ``size``, as far as they are rows and have a cell for each name.

        They can still be read; of a generator only those are known that were looked at already.
        """
        found = islice(self.first if self.once else self.read(), size)
        return [row for row in found if len(row) == len(self.names)]


def row_table(data: Any) -> RowTable | Archive | Source | None:
    """Return data at hand as rows, and batches or stories as what they are; None for paths, which others open.

    >>> table = row_table([{"text": "gold falls", "tags": ["metals"]}, {"text": "cup final", "id": 7}])
    >>> table.names, list(table.read())
    (('text', 'tags', 'id'), [('gold falls', ['metals'], None), ('cup final', None, 7)])
    """
    if isinstance(data, (str, os.PathLike)):
        return None
    if isinstance(data, (Source, Archive)):
        return data
    if hasattr(data, "column_names") and hasattr(data, "features"):
        return _data_set(data)
    frame = nw.from_native(data, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, nw.DataFrame):
        return _frame(frame)
    if isinstance(data, Mapping):
        parts = ", ".join(map(repr, list(data)[:5]))
        raise UsageError(
            f"a dict of {parts} is no documents; give one of its values, as in data[..], or a list of dicts"
        )
    if not isinstance(data, Iterable):
        raise UsageError(f"{type(data).__name__} is nothing that documents can be read from; {_WANTED}")
    return _rows(data)


def _frame(frame: nw.DataFrame[Any]) -> RowTable:
    library = str(frame.implementation.value)
    names = tuple(map(str, frame.columns))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise UsageError(f"the frame has two columns {twice!r}; give each its own name")
    title = f"frame of {library}, {len(frame):,} rows"
    return RowTable(title, names, frame.iter_rows, len(frame))


def _data_set(data: Any) -> RowTable:
    """Return a data set of Hugging Face, which is known by its columns and features."""
    features = data.features or {}
    names = tuple(data.column_names or features or _first(iter(data)))
    classes = {}
    for name in names:
        kind = features.get(name)
        of_each = getattr(kind, "feature", kind[0] if isinstance(kind, list) and kind else kind)
        if found := getattr(of_each, "names", None):
            classes[name] = list(found)
    size = len(data) if isinstance(data, Sized) else None
    title = f"data set of Hugging Face{'' if size is None else f', {size:,} rows'}"
    return RowTable(title, names, lambda: (tuple(map(row.get, names)) for row in data), size, classes=classes)


def _rows(data: Iterable[Any]) -> RowTable | Archive | Source | None:
    """Return an iterable by what its first item is."""
    size = len(data) if isinstance(data, Sized) else None
    once = isinstance(data, Iterator)
    title = f"{type(data).__name__}{'' if size is None else f' of {size:,} rows'}"
    looked = list(islice(data, 1))
    if not looked:
        raise UsageError(f"there is no document in this {title}; {_WANTED}")
    first = looked[0]
    if isinstance(first, (Mapping, tuple)):  # not batches: these may be many and large
        looked = [*looked, *islice(data, _LOOK - 1)] if once else list(islice(data, _LOOK))
    again = chain(looked, data) if once else data
    if isinstance(first, (str, os.PathLike)) and not once:
        if odd := [one for one in data if not isinstance(one, (str, os.PathLike))]:
            raise UsageError(f"the first of these is a path and a later one of type {type(odd[0]).__name__}; {_WANTED}")
        return None
    if isinstance(first, (Batch, Arrivals)):
        return as_source(again)
    if isinstance(first, (Stories, CutStories, DeadLetter)):
        return as_archive(again)
    read = _Passes(again, once)
    if isinstance(first, Mapping):
        names = tuple(dict.fromkeys(str(name) for row in looked if isinstance(row, Mapping) for name in row))
        known = [_cells(row, names) for row in looked if isinstance(row, Mapping)]
        return RowTable(title, names, lambda: (_cells(row, names) for row in read()), size, once, first=known)
    if isinstance(first, tuple):
        names = getattr(first, "_fields", ("text", "labels"))
        pairs = [row for row in looked if isinstance(row, tuple)]
        return RowTable(title, names, lambda: map(_pair, read()), size, once, first=pairs)
    raise UsageError(f"a document cannot be of type {type(first).__name__}; {_WANTED}")


def _cells(row: Any, names: Sequence[str]) -> tuple[Any, ...]:
    if not isinstance(row, Mapping):
        raise UsageError(f"the first document is a dict and a later one of type {type(row).__name__}; {_WANTED}")
    return tuple(row.get(name) for name in names)


def _pair(row: Any) -> Sequence[Any]:
    if not isinstance(row, (tuple, list)):
        raise UsageError(f"the first document is a tuple and a later one of type {type(row).__name__}; {_WANTED}")
    return row


def _first(rows: Iterator[Any]) -> Any:
    return next(rows, {})


class _Passes:
    """Passes over rows; a second pass over what can be read only once is refused."""

    def __init__(self, rows: Iterable[Any], once: bool) -> None:
        self._rows, self._once, self._begun = rows, once, False

    def __call__(self) -> Iterator[Any]:
        if self._once and self._begun:
            raise UsageError("a generator can be read only once, and this run reads its documents again; give a list")
        self._begun = True
        return iter(self._rows)

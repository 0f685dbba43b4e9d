"""Rows at hand as an archive: what a frame, a data set or a list of dicts has in its columns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.formats.detection import Guess, label_separator
from telex.adapters.formats.jsonl import NONE
from telex.adapters.formats.reading import DenseRows, check_order, text_of_html, time_reader, whole_number
from telex.adapters.formats.tables import ColumnOptions
from telex.adapters.front_door.row_cells import id_of, is_null, labels_of, marked, text_of, time_of
from telex.learners import did_you_mean, key_values
from telex.learners.base import BatchBuilder, BrokenRecordError, InputError, Names, UsageError
from telex.stream.sources import Archive, DeadLetter, RecordCheck, Story, StoryBuilder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.adapters.formats.tables import TableColumns
    from telex.adapters.front_door.row_table import RowTable
    from telex.learners.base import Batch
    from telex.stream.sources import Stories

_PARTS = (
    "id", "time", "text", "title", "labels", "separator", "empty", "time_format", "html", "classes", "vector",
    "features",
)  # fmt: skip
_OTHERS = ("rows",)
_SAMPLE = 100
_KEPT = 10_000
"""How much of a broken row its dead letter keeps."""


class Rows(Archive):
    """The documents in the rows of a :class:`~telex.adapters.front_door.row_table.RowTable`.

    Columns are found by the names that files may have too (``text``, ``body``, ``content``, ``labels``, ``topics``,
    ..), or named by ``columns``, as in ``{"text": "story"}`` or ``"text=story"``. A column ``features`` of
    dicts, or ``vector`` of lists of numbers, stands for the text. Rows that have times come in their order, unless
    ``order`` is ``file``; a generator's rows come as they are. A row that cannot be read is a dead letter, whose line
    is the number of the row from 1. Where ``labelled``, a table without a column of labels is refused.

    >>> from telex.adapters.front_door.row_table import row_table
    >>> [stories] = Rows(row_table([{"story": "Gold falls", "topics": ["metals"]}]), "text=story")
    >>> list(stories.ids), list(stories.texts), list(stories.labels)
    (['0'], ['Gold falls'], [['metals']])
    """

    def __init__(
        self,
        table: RowTable,
        columns: str | Mapping[str, Any] = "",
        order: str | None = None,
        *,
        labelled: bool = False,
    ) -> None:
        self._table, self.title = table, table.title
        given = dict(key_values(columns, "columns") if isinstance(columns, str) else columns)
        for name in given:
            if name not in _PARTS + _OTHERS:
                known = ", ".join(_PARTS + _OTHERS)
                raise UsageError(
                    f"columns has no option {name!r}{did_you_mean(name, _PARTS + _OTHERS)}; it has {known}"
                )
        self._rows = whole_number("rows", given.pop("rows", 256))
        self._kind = self._kind_of(given)
        if self._kind != "text":
            given["vector"] = given.pop(self._kind, self._kind)
            given.pop("features", None)
            self.scaling = "standard" if self._kind == "vector" else "unit"
            self.dense = self._kind == "vector"
        self._wanted = ColumnOptions(**given)
        self._read_time = time_reader(self._wanted.time_format)
        self._at: TableColumns = self._wanted.find(table.names, self.title)
        self.ids_are_positions = self._at.id is None
        usual = "file" if self._at.time is None or table.once else "time"
        self.order = check_order(order or usual, ("time", "file"), "")
        self.feature_names, self.label_names = Names(), Names()
        self._classes: Sequence[str] = ()
        if self._at.labels is not None:
            named = self._wanted.classes.split("|") if self._wanted.classes else ()
            self._classes = named or table.classes.get(table.names[self._at.labels], ())
        elif labelled and not self._at.marks:
            listed = ", ".join(table.names[:20])
            raise UsageError(f"{self.title}: no column holds labels; there are {listed}: say columns='labels=COLUMN'")
        if self._at.labels is not None and "separator" not in given:
            sample = [row[self._at.labels] for row in table.sample(_SAMPLE)]
            self._check_separator(table.names[self._at.labels], sample)
        self._read = 0

    def _check_separator(self, name: str, cells: Iterable[Any]) -> None:
        """Refuse texts in which another sign seems to separate labels, or that are lists."""
        usual = self._at.separator
        found = label_separator(name, [cell for cell in cells if isinstance(cell, str)], usual, single=usual is None)
        if found is None:
            return
        cause, sign = (
            (found.why, found.value) if isinstance(found, Guess) else (found.cause, found.choices[0]["separator"])
        )
        other = "" if sign == NONE else ", or separator=none if it is one label"
        raise UsageError(f"{self.title}: {cause}; say columns='separator={sign}'{other}")

    def _kind_of(self, given: Mapping[str, Any]) -> str:
        if named := [name for name in ("text", "vector", "features") if name in given]:
            if len(named) > 1:
                raise UsageError(f"a document has one of {' and '.join(named)}; name one of the two in columns")
            return named[0]
        lower = {name.lower() for name in self._table.names}
        if "features" in lower:
            return "features"
        try:
            ColumnOptions().find(self._table.names, self.title)
        except UsageError:
            if "vector" in lower:
                return "vector"
        return "text"

    def __iter__(self) -> Iterator[Stories | Batch | DeadLetter]:
        builder, number = self._builder(), 0
        self._read = 0
        for place, row in self._ordered():
            self._read += 1
            try:
                self._add(builder, row, number)
                number += 1
            except (BrokenRecordError, InputError) as error:
                if len(builder):
                    yield builder.take()
                yield DeadLetter(_raw(self._table.names, row), self.title, place + 1, None, "decode", str(error))
            if len(builder) >= self._rows:
                yield builder.take()
        if len(builder):
            yield builder.take()

    @property
    def share_read(self) -> float | None:
        """How much of this pass is read, from 0 to 1; None if unknown."""
        return self._read / self._table.size if self._table.size else None

    def _ordered(self) -> Iterable[tuple[int, Sequence[Any]]]:
        rows = enumerate(self._table.read())
        if self.order == "file" or self._at.time is None:
            return rows
        kept, times, last = list(rows), [], -np.inf
        for _, row in kept:
            try:
                time = self._time_of(row) if len(row) == self._at.width else np.nan
            except BrokenRecordError:
                time = np.nan
            last = last if np.isnan(time) else time  # a row without a time stays behind the one before it
            times.append(last)
        return [kept[i] for i in np.argsort(np.array(times), kind="stable").tolist()]

    def _builder(self) -> Any:
        if self._kind == "text":
            return StoryBuilder()
        if self._kind == "vector":
            return DenseRows(self.feature_names, self.label_names, RecordCheck(self.budget))
        return BatchBuilder(self.feature_names, self.label_names)

    def _add(self, builder: Any, row: Sequence[Any], number: int) -> None:
        at = self._at
        if len(row) != at.width:
            raise BrokenRecordError(f"the row has {len(row)} cells, and there are {at.width} columns")
        name = str(number) if at.id is None else id_of(row[at.id])
        time = self._time_of(row)
        labels = self._labels_of(row)
        if at.vector is None:
            title = "" if at.title is None else self._plain(text_of(row[at.title], "title"))
            builder.add(Story(name, self._plain(text_of(row[at.text or 0], "text")), title, time, labels))
        elif self._kind == "features":
            features = row[at.vector]
            if not isinstance(features, Mapping):
                raise BrokenRecordError("the features are no dict {name: value}")
            builder.add({key: x for key, x in features.items() if not is_null(x)}, labels, id=name, time=time)
        else:
            vector = _vector(row[at.vector])
            builder.add(name, time, labels, vector, float(np.abs(vector).max(initial=0)))

    def _plain(self, text: str) -> str:
        return text_of_html(text) if self._wanted.html == "strip" else text

    def _time_of(self, row: Sequence[Any]) -> float:
        """Return the time of a row; ``time_format`` is how texts and numbers say it."""
        if self._at.time is None:
            return np.nan
        cell = row[self._at.time]
        written = self._wanted.time_format is not None and isinstance(cell, (str, int, float))
        return self._read_time(cell) if written and not is_null(cell) else time_of(cell)

    def _labels_of(self, row: Sequence[Any]) -> list[str] | None:
        """Return the labels of a row: of columns of 0 and 1, or of one cell."""
        if self._at.marks:
            return marked([self._at.names[i] for i in self._at.marks], [row[i] for i in self._at.marks])
        return None if self._at.labels is None else self._cell_labels(row[self._at.labels])

    def _cell_labels(self, cell: Any) -> list[str] | None:
        if isinstance(cell, str) or (is_null(cell) and self._wanted.empty != "unlabelled"):
            return self._wanted.labels_of(cell if isinstance(cell, str) else "", self._at.separator)
        return labels_of(cell, self._classes)


def _vector(cell: Any) -> Any:
    try:
        vector = np.asarray(cell, np.float32)
    except (TypeError, ValueError) as error:
        raise BrokenRecordError("the vector is no list of numbers") from error
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise BrokenRecordError("the vector is no list of finite numbers")
    return vector


def _raw(names: Sequence[str], row: Sequence[Any]) -> bytes:
    """Return a row as people can read it in a dead letter."""
    found = dict(zip(names, row, strict=False))
    return json.dumps(found, default=str).encode("utf-8", "surrogatepass")[:_KEPT]

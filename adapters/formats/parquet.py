"""Parquet files with named columns, read batch by batch (extra ``parquet``: pyarrow)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np

from telex.adapters.formats.jsonl import BROKEN, broken_reason, distinct_labels, id_text, marked_labels
from telex.adapters.formats.reading import (
    KEPT,
    DenseRows,
    Input,
    StoryFormat,
    epoch_seconds,
    option_checks,
    text_of_html,
    time_of_cell,
    time_reader,
    whole_number,
)
from telex.adapters.formats.reading import check_order as checked_order
from telex.adapters.formats.tables import (
    MAGIC,
    ColumnOptions,
    class_names,
    import_pyarrow,
    is_label,
    is_text,
    is_time,
    is_vectors,
    json_rows,
    open_parquet,
    read_columns,
)
from telex.adapters.formats.tables import named_columns as columns
from telex.learners.base import BrokenRecordError, Names, UsageError
from telex.stream.sources import DeadLetter, Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.adapters.formats.reading import Paths
    from telex.adapters.formats.tables import TableColumns
    from telex.stream.raw_records import GatheredLines, Place, RawLines
    from telex.stream.sources import RecordCheck

FORMATS = {"parquet": ("Parquet", 100)}


class _Row(msgspec.Struct, gc=False):
    """A row as JSON: it can be sorted, and people can read it as a dead letter."""

    text: str | None = None
    id: str | int | None = None
    time: str | int | float | None = None
    title: str | None = None
    labels: list[str | int | None] | str | int | None = None
    vector: bytes | None = None
    marks: dict[str, Any] | None = None
    """The columns of 0 and 1 that each stand for a label."""


class Parquet(StoryFormat):
    """The rows of parquet files as stories.

    Columns are found by their usual names in any case, or named by options. Without a column of ids, a document's id is
    its position in the stream. Labels are a column of lists (null is unlabelled, an empty list means that no label
    fits), or of texts as in csv. Whole numbers are labels too; if the file is a data set of Hugging Face that names its
    classes, the names are, and -1 is unlabelled. ``labels=onehot:A..Z`` are columns of 0 and 1, each a
    label. Times are timestamps or dates (UTC if they have no zone), ISO 8601 or epoch seconds. A row without a text is
    a dead letter: its raw bytes are the row as JSON, its line is the row's number from 1.

    With ``vector=COLUMN``, a column of lists of numbers, the documents are vectors, all of one length; the JSON of a
    dead letter has them in Base64, as float32.
    """

    summary: ClassVar = "parquet with columns id, time, title, text, labels (pip install 'telex[parquet]')"
    options: ClassVar = {
        **columns.OPTIONS,
        "vector": "the column that holds lists of numbers, instead of texts",
        "order": "time, id or file; by default time if there is a column of times, else file",
        "rows": "documents a batch (256)",
        "passes": "how often standard input will be read (1)",
    }

    def __init__(
        self,
        paths: Paths,
        *,
        id: str | None = None,  # noqa: A002
        time: str | None = None,
        text: str | None = None,
        title: str | None = None,
        labels: str | None = None,
        separator: str | None = None,
        empty: str = "unlabelled",
        vector: str | None = None,
        time_format: str | None = None,
        html: str | None = None,
        classes: str = "",
        order: str | None = None,
        rows: int | str = 256,
        passes: int | str = 1,
    ) -> None:
        import_pyarrow()
        if vector is not None:
            self.dense, self.scaling = True, "standard"
            self.feature_names, self.label_names = Names(), Names()
        self._wanted = ColumnOptions(id, time, text, title, labels, separator, empty, vector)
        self._read_time = None if time_format is None else time_reader(time_format)
        self._strips = option_checks.one_of("html", html or "keep", ("keep", "strip")) == "strip"
        self._classes = classes.split("|") if classes else []
        self._class_names = dict[str, list[str]]()
        self._columns = dict[str, "TableColumns"]()
        self._batch = whole_number("rows", rows)
        inputs = Input.all(paths)
        for source in inputs:
            source.copy_pipe()  # a parquet file has its directory at the end
        at = self._look_ahead(inputs)
        usual = "time" if at is not None and at.time is not None else "file"
        possible = ("time", "file") if self.ids_are_positions else ("time", "id", "file")
        self._open(inputs, checked_order(order or usual, possible, "these documents have no id"), rows, passes)

    def _look_ahead(self, inputs: list[Input]) -> TableColumns | None:
        for source in inputs:
            try:
                with open_parquet(source) as table:
                    return self._find(table, source.name)
            except BrokenRecordError:
                continue
        return None

    def _find(self, table: Any, path: str) -> TableColumns:
        """Return the positions of the columns of an open file, after checking their types."""
        schema = table.schema_arrow
        at = self._wanted.find(schema.names, path)
        types = import_pyarrow().types
        kinds = {
            "text": (at.text, "texts", is_text),
            "vector": (at.vector, "lists of numbers", is_vectors),
            "title": (at.title, "texts", is_text),
            "id": (at.id, "texts or whole numbers", lambda kind: is_text(kind) or types.is_integer(kind)),
            "time": (at.time, "times, texts or numbers", is_time),
            "labels": (at.labels, "lists of texts or whole numbers, or texts or whole numbers", is_label),
        }
        for option, (i, wanted, fits) in kinds.items():
            if i is not None and not fits(schema.field(i).type):
                name, kind = schema.names[i], schema.field(i).type
                raise UsageError(f"{path}: the column {name!r} holds {kind}, not {wanted}; say {option}=COLUMN")
        if at.id is None and not self.ids_are_positions and self._columns:
            raise UsageError(f"{path} has no column of ids, as the file before it has; say id=COLUMN")
        self.ids_are_positions = self.ids_are_positions or at.id is None
        self._columns[path] = at
        if at.labels is not None:
            self._class_names[path] = self._classes or class_names(schema, schema.names[at.labels])
        return at

    def _records(self, inputs: list[Input]) -> Iterator[RawLines | GatheredLines | DeadLetter]:
        for source in inputs:
            source.bytes_read = 0
        for source in inputs:
            row = 0
            try:
                with source.unchanged(), open_parquet(source) as table:
                    at = self._find(table, source.name)
                    for batch in read_columns(table, at, self._batch):
                        yield from json_rows(batch, source.name, row)
                        row += batch.num_rows
                        source.bytes_read = int((source.size or 0) * row / table.metadata.num_rows)
            except (BrokenRecordError, UsageError) as error:
                yield DeadLetter(source.head()[:KEPT], source.name, row + 1, None, "read", str(error))

    def _story(self, raw: bytes, place: Place) -> Story:
        at = self._columns[place[0]]
        try:
            row = _decode(raw)
            return Story(
                "" if at.id is None or self.ids_are_positions else id_text(_required(row.id, "id")),
                "" if at.text is None else self._plain(_required(row.text, "text")),
                self._plain(row.title or ""),
                _time(row.time) if self._read_time is None else self._read_time(row.time),
                marked_labels([*row.marks], [*row.marks.values()])
                if row.marks is not None
                else self._labels(row.labels, at.separator, self._class_names.get(place[0], [])),
            )
        except BROKEN as error:
            raise BrokenRecordError(broken_reason(error)) from error

    def _builder(self, check: RecordCheck) -> Any:
        return DenseRows(self.feature_names, self.label_names, check) if self.dense else super()._builder(check)

    def _add(self, builder: Any, check: RecordCheck, raw: bytes, place: Place, number: int) -> bool:
        if not self.dense:
            return super()._add(builder, check, raw, place, number)
        story, vector = self._story(raw, place), np.frombuffer(_required(_decode(raw).vector, "vector"), "<f4")
        if not np.isfinite(vector).all():
            raise BrokenRecordError("the vector holds NaN, an infinity or a null")
        largest = float(np.abs(vector).max(initial=0))
        builder.add(str(number) if self.ids_are_positions else story.id, story.time, story.labels, vector, largest)
        return True

    def _plain(self, text: str) -> str:
        return text_of_html(text) if self._strips else text

    def _labels(
        self, given: list[str | int | None] | str | int | None, separator: str | None, names: list[str]
    ) -> list[str] | None:
        if isinstance(given, int):
            return None if given < 0 and names else [_class_name(given, names)]
        if isinstance(given, list):
            labels = [_class_name(label, names) for label in given if label is not None]
            if len(labels) < len(given):
                raise BrokenRecordError("a label is null")
            return list(distinct_labels(labels))
        return self._wanted.labels_of(given or "", separator)

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first bytes, or at the name of an empty file."""
        return head.startswith(MAGIC) if head else path.endswith(".parquet")


def _class_name(given: str | int, names: list[str]) -> str:
    if isinstance(given, str):
        return given
    if names and not 0 <= given < len(names):
        raise BrokenRecordError(f"the label {given} is none of the {len(names)} classes")
    return names[given] if names else str(given)


_decode = msgspec.json.Decoder(_Row).decode


def _required(value: Any, what: str) -> Any:
    if value is None:
        raise BrokenRecordError(f"the {what} is missing")
    return value


def _time(given: str | float | None) -> float:
    if given is None:
        return math.nan
    return time_of_cell(given) if isinstance(given, str) else epoch_seconds(given)

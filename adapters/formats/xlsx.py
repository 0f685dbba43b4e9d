"""Workbooks of Excel with named columns (extra ``xlsx``: openpyxl)."""

from __future__ import annotations

import math
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from telex.adapters.formats.jsonl import BROKEN, broken_reason, decode_object
from telex.adapters.formats.reading import KEPT, Input, StoryFormat
from telex.adapters.formats.reading import check_order as checked_order
from telex.adapters.formats.tables import SHEETS, ColumnOptions, import_openpyxl, workbook_rows
from telex.adapters.formats.tables import named_columns as columns
from telex.learners.base import BrokenRecordError, UsageError
from telex.stream.raw_records import GatheredLines
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.adapters.formats.jsonl import StoryMap
    from telex.adapters.formats.reading import Paths
    from telex.stream.raw_records import Place, RawLines
    from telex.stream.sources import Story

FORMATS = {"xlsx": ("Workbook", 105)}
_TOGETHER = 256


class Workbook(StoryFormat):
    """The rows of a sheet of Excel as stories; the first row that is not blank names its columns.

    Columns are found as in csv. A dead letter has the row as JSON, and the number of the row as its line.
    """

    summary: ClassVar = "xlsx with a header, as csv (pip install 'telex[xlsx]')"
    options: ClassVar = {
        **columns.OPTIONS,
        "sheet": "the name of the sheet (the first)",
        "order": "time, id or file; by default time if the first readable row has one, else file",
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
        time_format: str | None = None,
        html: str | None = None,
        classes: str = "",
        sheet: str | None = None,
        order: str | None = None,
        rows: int | str = 256,
        passes: int | str = 1,
    ) -> None:
        import_openpyxl()
        names = (id, time, text, title, labels)
        self._wanted = ColumnOptions(*names, separator, empty, None, time_format, html, classes)
        self._sheet = sheet
        self._maps = dict[str, "StoryMap"]()
        inputs = Input.all(paths)
        for source in inputs:
            source.copy_pipe()  # a zip archive has its directory at the end
        usual = self._look_ahead(inputs)
        possible = ("time", "file") if self.ids_are_positions else ("time", "id", "file")
        self._open(inputs, checked_order(order or usual, possible, "these documents have no id"), rows, passes)

    def _look_ahead(self, inputs: list[Input]) -> str:
        """Read the first rows; return the usual order."""
        for source in inputs:
            try:
                for raw, place in islice(self._json_rows(source), _TOGETHER):
                    story = self._story_or_none(raw, place)
                    if story is not None:
                        return "file" if math.isnan(story.time) else "time"
            except BrokenRecordError:
                continue
        return "file"

    def _json_rows(self, source: Input) -> Iterator[tuple[bytes, Place]]:
        """Yield the rows below the header as JSON objects."""
        header: list[str] | None = None
        for number, cells in workbook_rows(source, self._sheet):
            if header is None:
                header = ["" if cell is None else str(cell).strip() for cell in cells]
                fields = self._wanted.story_map(header, source.name)
                if self._maps and not fields.has_ids and not self.ids_are_positions:
                    raise UsageError(f"{source.name} has no column of ids, as the file before it has; say id=COLUMN")
                self.ids_are_positions = self.ids_are_positions or not fields.has_ids
                self._maps[source.name] = fields
                continue
            row: dict[str, Any] = dict(zip(header, cells, strict=False))
            yield msgspec.json.encode(row), (source.name, number, None)

    def _records(self, inputs: list[Input]) -> Iterator[RawLines | GatheredLines | DeadLetter]:
        for source in inputs:
            rows = self._json_rows(source)
            try:
                with source.unchanged():
                    while some := list(islice(rows, _TOGETHER)):
                        yield GatheredLines([raw for raw, _ in some], [place for _, place in some])
            except (BrokenRecordError, UsageError) as error:
                yield DeadLetter(source.head()[:KEPT], source.name, 1, None, "read", str(error))

    def _story(self, raw: bytes, place: Place) -> Story:
        try:
            fields = self._maps[place[0]]
            story = fields.story(decode_object(raw))
            return story._replace(id="") if self.ids_are_positions else story
        except BROKEN as error:
            raise BrokenRecordError(broken_reason(error)) from error

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look for the folder of sheets in a zip archive, or at the name of an empty file."""
        return (head.startswith(b"PK") and SHEETS in head) if head else path.endswith(".xlsx")

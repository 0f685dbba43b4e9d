"""Tables as text: cells separated by commas, semicolons or tabs, with a header that names the columns."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from telex.adapters._plain import Layout, Rows
from telex.adapters.formats.jsonl import id_text
from telex.adapters.formats.reading import (
    KEPT,
    Input,
    NativeStories,
    WholeRecords,
    first_lines,
    read_blocks,
    time_of_cell,
)
from telex.adapters.formats.reading import check_order as checked_order
from telex.adapters.formats.tables import (
    ColumnOptions,
    QuotedRows,
    ends_in_returns,
    has_text,
    likely_delimiter,
    separator_sign,
)
from telex.adapters.formats.tables import named_columns as columns
from telex.learners.base import BrokenRecordError, UsageError
from telex.stream.raw_records import GatheredLines, RawLines, time_key
from telex.stream.sources import DeadLetter, Story

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.adapters._plain import Collected
    from telex.adapters.formats.reading import Paths, StoryColumns
    from telex.adapters.formats.tables import TableColumns
    from telex.stream.raw_records import Ends, Place

FORMATS = {"csv": ("Delimited", 110), "tsv": ("TabDelimited", 120)}
_BOM = b"\xef\xbb\xbf"
_PARTS = ("id", "time", "title", "text", "labels")
_SUFFIXES = {".csv", ".tsv", ".tab"}


@dataclass(frozen=True, slots=True)
class _Table:
    """What the header of a file says."""

    rows: QuotedRows
    columns: TableColumns
    layout: Layout | None
    """The same for the native reader; None if a sign is not ASCII, or if more is to do than to take cells."""

    def cut(self, data: bytes, place: Place) -> Iterator[tuple[bytes, Place]]:
        """Yield the rows in some bytes that begin at ``place``; the last is whole."""
        path, line, offset = place
        for row in self.rows.closed().feed(RawLines(data, path, line or 0, offset or 0).records()):
            if not isinstance(row, DeadLetter):
                yield row


class Delimited(NativeStories):
    r"""The rows of csv and tsv files as stories; the first row of each names its columns.

    Columns are found by their usual names in any case, or named by options. Without a column of ids, a document's id is
    its position in the stream. Quotes work as in Python's ``csv``: a cell that begins with ``"`` ends with one, may
    hold delimiters and newlines, and ``""`` in it is one quote; elsewhere a quote is an ordinary character. A row whose
    number of cells differs from the header's is a dead letter. A quote that is never closed would swallow the rest of
    the file: after 16 MiB, or at the end of the file, its first line becomes a dead letter and reading continues at the
    next line.

    An empty cell of labels means unlabelled (unless ``empty=none``); a separator alone means that no label fits.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "news.csv")
    >>> with open(path, "w") as file:
    ...     _ = file.write('id,date,text,labels\n7,1996-08-20,"Gold, silver\nand tin",metals;trade\n')
    >>> [stories] = Delimited([path])
    >>> list(stories.texts), list(stories.labels), stories.times.tolist()
    (['Gold, silver\nand tin'], [['metals', 'trade']], [840499200.0])
    """

    summary: ClassVar = "csv with a header: columns id, time, title, text, labels"
    options: ClassVar = {
        **columns.OPTIONS,
        "delimiter": "what separates cells: a character, comma, semicolon, pipe or tab (by the header)",
        "order": "time, id or file; by default time if the first readable row has one, else file",
        "rows": "documents a batch (1024)",
        "passes": "how often standard input will be read (1)",
    }
    usual_delimiter: ClassVar[str | None] = None
    """What separates cells if no option says so; None: guess from the header."""

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
        delimiter: str | None = None,
        order: str | None = None,
        rows: int | str = 1024,
        passes: int | str = 1,
    ) -> None:
        inputs = Input.all(paths)
        names = (id, time, text, title, labels)
        self._wanted = ColumnOptions(*names, separator, empty, None, time_format, html, classes)
        self._delimiter = self.usual_delimiter if delimiter is None else separator_sign("delimiter", delimiter)
        self._tables = dict[str, _Table]()
        usual = self._look_ahead(inputs)
        possible = ("time", "file") if self.ids_are_positions else ("time", "id", "file")
        self._open(inputs, checked_order(order or usual, possible, "these documents have no id"), rows, passes)

    def _look_ahead(self, inputs: list[Input]) -> str:
        """Read the first header; return the usual order."""
        for source in inputs:
            head = source.head().removeprefix(_BOM)
            whole = len(head) < KEPT or ends_in_returns(head.partition(b"\n")[0])
            begun = head if whole else head[: head.rfind(b"\n") + 1]
            if not begun.strip():
                continue
            lines = RawLines(begun, source.name, 1, 0).records()
            table = self._header(lines, source.name)
            self.ids_are_positions = table.columns.id is None
            self._tables[source.name] = table
            for row in table.rows.feed(lines):
                story = None if isinstance(row, DeadLetter) else self._story_or_none(*row)
                if story is not None:
                    return "file" if math.isnan(story.time) else "time"
            break
        return "file"

    def _header(self, lines: Iterator[tuple[bytes, Place]], path: str) -> _Table:
        """Read the lines of the header; a broken header raises a UsageError."""
        rows = None
        for line in lines:
            try:
                text = line[0].decode()
            except UnicodeDecodeError as error:
                raise UsageError(f"{path} is not in UTF-8; convert it, as with iconv -t utf-8") from error
            if rows is None and ends_in_returns(line[0]):
                raise UsageError(
                    f"the lines of {path} end in carriage returns alone, as on old Macs; convert it, as with "
                    f"tr '\\r' '\\n' < {shlex.quote(path)}"
                )
            rows = rows or QuotedRows(self._delimiter or likely_delimiter(text))
            for row in rows.feed([line]):
                if not isinstance(row, DeadLetter):
                    found = self._wanted.find(rows.cells(row[0].decode()), path)
                    return _Table(rows, found, self._layout(rows.delimiter, found))
        raise UsageError(f"{path} has no header: its first row must name the columns")

    def _records(self, inputs: list[Input]) -> Iterator[RawLines | GatheredLines | DeadLetter]:
        for source in inputs:
            source.bytes_read = 0
        for source in inputs:
            yield from self._file(source)

    def _layout(self, delimiter: str, at: TableColumns) -> Layout | None:
        if at.fields is not None or not (delimiter + (at.separator or "")).isascii():
            return None
        at = replace(at, id=None) if self.ids_are_positions else at
        return Layout(
            delimiter=delimiter,
            width=at.width,
            **{part: -1 if (place := getattr(at, part)) is None else place for part in _PARTS},
            separator=-1 if at.separator is None else ord(at.separator),
            none=self._wanted.empty == "none",
        )

    def _file(self, source: Input) -> Iterator[RawLines | GatheredLines | DeadLetter]:
        table = None
        for item in read_blocks([source]):
            if isinstance(item, DeadLetter):
                if table:
                    yield from _gathered(table.rows.end())
                yield item
                continue
            start = 0
            if table is None and not item.data.isspace():
                lines = item.records()
                try:
                    table = self._header(lines, source.name)
                    self._agree(table, source.name)
                except UsageError as error:
                    yield DeadLetter(item.data[:KEPT], source.name, item.line, item.offset, "read", str(error))
                    return
                self._tables[source.name] = table
                _, (_, _, behind) = next(lines, (b"", item.place(0, len(item.data))))
                start = (behind or 0) - item.offset
            if not item.data or table is None:
                yield item
            else:
                yield from _rows_of(table, item, start)
        if table:
            yield from _gathered(table.rows.end())

    def _agree(self, table: _Table, path: str) -> None:
        if not self._tables:
            self.ids_are_positions = table.columns.id is None
        elif (table.columns.id is None) and not self.ids_are_positions:
            raise UsageError(f"{path} has no column of ids, as the file before it has; say id=COLUMN")

    def _story(self, raw: bytes, place: Place) -> Story | None:
        if not raw.strip():
            return None
        table = self._tables[place[0]]
        at = table.columns
        try:
            cells = table.rows.cells(raw.decode())
        except UnicodeDecodeError as error:
            raise BrokenRecordError("this is not UTF-8") from error
        if len(cells) != at.width:
            raise BrokenRecordError(f"the number of cells is {len(cells)}, in the header {at.width}")
        if b"\0" in raw:
            raise BrokenRecordError("this holds a NUL byte")
        if at.fields is not None:
            return at.fields.story(dict(zip(at.names, cells, strict=True)))
        return Story(
            "" if at.id is None or self.ids_are_positions else id_text(cells[at.id].strip()),
            "" if at.text is None else cells[at.text],
            "" if at.title is None else cells[at.title],
            math.nan if at.time is None else time_of_cell(cells[at.time]),
            None if at.labels is None else self._wanted.labels_of(cells[at.labels], at.separator),
        )

    def _collected(self) -> Rows:
        return Rows()

    def _read(self, native: Collected, block: WholeRecords, start: int, columns: StoryColumns) -> int:
        layout = self._tables[block.path].layout
        assert isinstance(native, Rows)
        assert layout is not None
        return native.add(block.data, start, layout, *columns.limits, columns.number)

    def _ends(self, block: RawLines | GatheredLines) -> Ends | None:
        if isinstance(block, WholeRecords) and self.order == "time":
            layout = self._tables[block.path].layout
            if layout is not None and (found := layout.times(block.data, 0, len(block.data))) is not None:
                first, last, ascend = found
                if math.isnan(first):
                    return b"", b""
                return (time_key(first), time_key(last)) if ascend else None
        return super()._ends(block)

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the name, or for a header with a column of text."""
        if not head.strip():
            return bool(_SUFFIXES.intersection(Path(path).suffixes))
        lines = first_lines(head, 1)
        if not lines or b"\0" in lines[0] or lines[0][:1] in b"{[<%@":
            return False
        header = lines[0].decode(errors="replace")
        cells = QuotedRows(likely_delimiter(header)).cells(header)
        return len(cells) > 1 and (has_text(cells) or bool(_SUFFIXES.intersection(Path(path).suffixes)))


class TabDelimited(Delimited):
    """Like :class:`Delimited`, with tabs between cells, even if the column names contain commas."""

    summary: ClassVar = "like csv, with tabs between cells"
    options: ClassVar = {**Delimited.options, "delimiter": "what separates cells, as for csv (tab)"}
    usual_delimiter: ClassVar[str | None] = "\t"


def _rows_of(table: _Table, block: RawLines, start: int) -> Iterator[WholeRecords | GatheredLines | DeadLetter]:
    """Yield the rows of a block from ``start`` on; line by line where a quote is open, or not as usual."""
    data, layout, line, counted = block.data, table.layout, block.line, 0
    while start < len(data):
        line, counted = line + data.count(b"\n", counted, start), start
        if layout is not None and not table.rows.is_open and (stop := layout.whole(data, start)) > start:
            yield WholeRecords(data[start:stop], block.path, line, block.offset + start, table.cut)
        elif layout is None:
            stop = len(data)
            yield from _gathered(
                table.rows.feed(RawLines(data[start:], block.path, line, block.offset + start).records())
            )
        else:
            stop = data.find(b"\n", start) + 1 or len(data)
            raw = data[start:stop].removesuffix(b"\n")
            yield from _gathered(table.rows.feed([(raw, (block.path, line, block.offset + start))]))
        start = stop


def _gathered(rows: Iterable[tuple[bytes, Place] | DeadLetter]) -> Iterator[GatheredLines | DeadLetter]:
    raws, places = list[bytes](), list["Place"]()
    for row in rows:
        if not isinstance(row, DeadLetter):
            raws.append(row[0])
            places.append(row[1])
            continue
        if raws:
            yield GatheredLines(raws, places)
            raws, places = [], []
        yield row
    if raws:
        yield GatheredLines(raws, places)

"""The first records of an input, decoded without knowing what their fields are."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.jsonl import BROKEN, broken_reason, cut_values, decode_object, place_of_objects
from telex.adapters.formats.reading import KEPT
from telex.adapters.formats.tables import QuotedRows, likely_delimiter, open_parquet, separator_sign, workbook_rows
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import RawLines
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from telex.adapters.formats.reading import Input

MOST = 1000
"""The most records of a sample."""
BYTES = 1 << 20
_MIDDLE = 1 << 16
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Sample:
    """Records by their fields, and those that could not be decoded, each with the reason.

    ``names`` are all fields of a table, also those without a value; ``whole`` says that the input holds no more.
    """

    records: list[dict[str, Any]]
    broken: list[tuple[str, bytes]]
    whole: bool
    names: tuple[str, ...] = ()


def take_sample(format_name: str, source: Input, given: Mapping[str, Any]) -> Sample | None:
    """Return a sample of an input, None if there is nothing in it or the format is none of records with fields.

    Of a large file that is not compressed some records come from its middle: labels may be sorted.
    """
    if format_name in {"parquet", "xlsx"}:
        return _of_parquet(source) if format_name == "parquet" else _of_workbook(source, given.get("sheet"))
    head = source.head(BYTES).removeprefix(_BOM)
    whole = source.is_on_disk and len(head) < BYTES
    cut = head if whole or len(head) < KEPT else head[: head.rfind(b"\n") + 1]
    if not cut.strip():
        return None
    if format_name == "json":
        place = place_of_objects(source.head().removeprefix(_BOM), given.get("text"))
        values = list(islice(cut_values([head], source.name, *place), MOST + 1))
        return _of_json(values[:MOST], whole=whole and len(values) <= MOST)
    middle = b"" if whole or not _is_plain(source, head) else _middle(source)
    if format_name == "jsonl":
        whole = whole and cut.count(b"\n") <= MOST
        return _of_json(((line, ("", None, None)) for line in _lines(cut, middle)), whole=whole)
    if format_name in {"csv", "tsv"}:
        return _of_table(cut, middle, given, tab=format_name == "tsv", whole=whole)
    return None


def _lines(head: bytes, middle: bytes) -> Iterator[bytes]:
    yield from islice((line for line in head.split(b"\n") if line.strip()), MOST)
    yield from (line for line in middle.split(b"\n") if line.strip())


def _of_json(items: Iterable[Any], *, whole: bool) -> Sample:
    records, broken = list[dict[str, Any]](), list[tuple[str, bytes]]()
    for item in items:
        if not isinstance(item, tuple):
            continue
        raw = item[0]
        try:
            records.append(decode_object(raw))
        except BROKEN as error:
            broken.append((broken_reason(error), raw))
    return Sample(records, broken, whole)


def _of_table(head: bytes, middle: bytes, given: Mapping[str, Any], *, tab: bool, whole: bool) -> Sample | None:
    lines = RawLines(head, "", 1, 0).records()
    rows: QuotedRows | None = None
    header: list[str] | None = None
    records, broken = list[dict[str, Any]](), list[tuple[str, bytes]]()
    for line in lines:
        if rows is None:
            sign = given.get("delimiter") or ("tab" if tab else likely_delimiter(line[0].decode(errors="replace")))
            rows = QuotedRows(separator_sign("delimiter", str(sign)))
        for row in rows.feed([line]):
            if isinstance(row, DeadLetter):
                broken.append((row.reason, row.raw))
                continue
            cells = rows.cells(row[0].decode(errors="replace"))
            if header is None:
                header = [name.strip() for name in cells]
            elif len(cells) == len(header):
                records.append(dict(zip(header, cells, strict=True)))
            else:
                broken.append((f"the number of cells is {len(cells)}, in the header {len(header)}", row[0]))
        if len(records) + len(broken) >= MOST:
            whole = False
            break
    if header is None or rows is None:
        return None
    for text in middle.decode(errors="replace").split("\n"):
        cells = rows.cells(text) if text.count('"') % 2 == 0 else []
        if len(cells) == len(header) and text.strip():
            records.append(dict(zip(header, cells, strict=True)))
    return Sample(records, broken, whole, tuple(header))


def _of_parquet(source: Input) -> Sample | None:
    try:
        with open_parquet(source) as table:
            names = [
                field.name
                for field in table.schema_arrow
                if "list" not in str(field.type) or "string" in str(field.type)
            ]
            batch = next(iter(table.iter_batches(MOST, columns=names)), None)
            whole = table.metadata.num_rows <= MOST
            return Sample([] if batch is None else batch.to_pylist(), [], whole, tuple(table.schema_arrow.names))
    except (BrokenRecordError, OSError, ValueError):
        return None


def _of_workbook(source: Input, sheet: str | None) -> Sample | None:
    try:
        rows = list(islice((cells for _, cells in workbook_rows(source, sheet)), MOST + 1))
    except BrokenRecordError:
        return None
    if not rows:
        return None
    header = tuple("" if cell is None else str(cell).strip() for cell in rows[0])
    records = [dict(zip(header, cells, strict=False)) for cells in rows[1:]]
    return Sample(records, [], len(rows) <= MOST, header)


def _is_plain(source: Input, head: bytes) -> bool:
    """Tell whether the bytes of a file on the disk are what is read of it."""
    if not source.is_on_disk or source.encoding is not None:
        return False
    with open(source.path, "rb") as file:
        return file.read(len(_BOM) + 16).removeprefix(_BOM)[:16] == head[:16]


def _middle(source: Input) -> bytes:
    """Return some whole lines from the middle of a file."""
    with open(source.path, "rb") as file:
        file.seek((source.size or 0) // 2)
        piece = file.read(_MIDDLE)
    return piece[piece.find(b"\n") + 1 : piece.rfind(b"\n") + 1]

"""Parquet files through pyarrow, which is imported only when one is read."""

from __future__ import annotations

import importlib
import os
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, Any

import msgspec
import numpy as np

from telex.adapters.formats.reading import KEPT, temporary_copy
from telex.learners.base import BrokenRecordError, UsageError
from telex.stream.raw_records import GatheredLines
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.adapters.formats.reading import Input
    from telex.adapters.formats.tables.named_columns import TableColumns

MAGIC = b"PAR1"
MARK = "\0"
"""Before the name of a column of 0 and 1 that stands for a label, so that none is called like a part of a story."""
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def import_pyarrow() -> Any:
    """Return pyarrow, with its parquet module."""
    try:
        pa = importlib.import_module("pyarrow")
        importlib.import_module("pyarrow.parquet")
        importlib.import_module("pyarrow.compute")
    except ImportError as error:
        raise UsageError("parquet needs another library: pip install 'telex[parquet]'") from error
    return pa


@contextmanager
def open_parquet(source: Input) -> Iterator[Any]:
    """Open a file; pipes and compressed files are first unpacked to a temporary file."""
    pa = import_pyarrow()
    with ExitStack() as stack:
        try:
            plain = source.is_on_disk and _begins(source.path)
            table = pa.parquet.ParquetFile(
                source.path if plain else stack.enter_context(_unpacked(source)), pre_buffer=False, buffer_size=1 << 20
            )
            stack.callback(table.close)
        except OSError as error:
            raise BrokenRecordError(f"reading fails: {error.strerror or error}") from error
        except pa.ArrowException as error:
            raise BrokenRecordError(f"this is no parquet file, or an incomplete one: {_first_line(error)}") from error
        yield table


def _begins(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


@contextmanager
def _unpacked(source: Input) -> Iterator[IO[bytes]]:
    with temporary_copy(source.chunks()) as file:
        if not file.seek(0, os.SEEK_END):
            raise BrokenRecordError("the file is empty")
        file.seek(0)
        yield file


def read_columns(table: Any, at: TableColumns, rows: int) -> Iterator[Any]:
    """Yield the rows of an open file, with the columns in ``at`` alone, named as their options.

    Columns that stand for labels keep their names, behind a ``MARK``.
    """
    pa = import_pyarrow()
    names = table.schema_arrow.names
    texts = {"text": at.text, "title": at.title, "vector": at.vector}
    parts = {**texts, "id": at.id, "time": at.time, "labels": at.labels}
    wanted = {part: names[i] for part, i in parts.items() if i is not None}
    wanted |= {MARK + names[i]: names[i] for i in at.marks}
    try:
        for batch in table.iter_batches(rows, columns=list(wanted.values())):
            yield pa.record_batch([batch.column(name) for name in wanted.values()], names=list(wanted))
    except (pa.ArrowException, OSError) as error:
        raise BrokenRecordError(f"the parquet data are damaged: {_first_line(error)}") from error


def json_rows(batch: Any, path: str, before: int) -> Iterator[GatheredLines | DeadLetter]:
    """Yield the rows of a batch as JSON, vectors in Base64; rows that are not UTF-8 are dead letters."""
    encode = msgspec.json.Encoder().encode
    try:
        values = {name: _values(name, batch.column(name)) for name in batch.schema.names}
        if marks := [name for name in values if name.startswith(MARK)]:
            names = [mark.removeprefix(MARK) for mark in marks]
            values["marks"] = [dict(zip(names, row, strict=True)) for row in zip(*map(values.pop, marks), strict=True)]
        raws = [encode(dict(zip(values, row, strict=True))) for row in zip(*values.values(), strict=True)]
        yield GatheredLines(raws, [(path, before + i, None) for i in range(1, batch.num_rows + 1)])
    except UnicodeDecodeError:
        if batch.num_rows > 1:
            for i in range(batch.num_rows):
                yield from json_rows(batch.slice(i, 1), path, before + i)
        else:
            raw = b"|".join(_binary(batch.column(name)) for name in batch.schema.names)
            yield DeadLetter(raw[:KEPT], path, before + 1, None, "decode", "this is not UTF-8")


def _values(name: str, column: Any) -> list[Any]:
    types = import_pyarrow().types
    if name == "vector":
        return _vectors(column)
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if types.is_timestamp(column.type) or types.is_date(column.type):
        integers = column.view("int32" if types.is_date32(column.type) else "int64").to_pylist()
        if types.is_date32(column.type):
            scale: float = 1 / 86400
        else:
            scale = _UNITS[column.type.unit if types.is_timestamp(column.type) else "ms"]
        return [None if value is None else value / scale for value in integers]
    values: list[Any] = column.to_pylist()
    return values


def _vectors(column: Any) -> list[bytes | None]:
    """Return the bytes of each vector, as float32; a null within one is NaN."""
    lengths = import_pyarrow().compute.list_value_length(column).to_pylist()
    with np.errstate(over="ignore"):
        values = column.flatten().to_numpy(zero_copy_only=False).astype("<f4")
    found, start = list["bytes | None"](), 0
    for length in lengths:
        found.append(None if length is None else values[start : start + length].tobytes())
        start += length or 0
    return found


def _binary(column: Any) -> bytes:
    pa = import_pyarrow()
    return bytes(column.cast(pa.binary())[0].as_py() or b"") if is_text(column.type) else str(column[0]).encode()


def is_text(kind: Any) -> bool:
    """Tell whether a column of this type holds texts; a column of nulls counts."""
    types = import_pyarrow().types
    if types.is_dictionary(kind):
        kind = kind.value_type
    plain = types.is_null(kind) or types.is_string(kind) or types.is_large_string(kind)
    return bool(plain or str(kind) == "string_view")  # a type that not all versions know


def is_texts(kind: Any) -> bool:
    """Tell whether a column of this type holds lists of texts."""
    types = import_pyarrow().types
    return bool((types.is_list(kind) or types.is_large_list(kind)) and is_text(kind.value_type))


def is_label(kind: Any) -> bool:
    """Tell whether a column of this type may hold labels: texts or whole numbers, or lists of either."""
    types = import_pyarrow().types
    listed = types.is_list(kind) or types.is_large_list(kind)
    return is_text(kind) or is_texts(kind) or bool(types.is_integer(kind.value_type if listed else kind))


def class_names(schema: Any, column: str) -> list[str]:
    """Return the names of the classes of a column, which data sets of Hugging Face have beside their numbers."""
    try:
        known = msgspec.json.decode((schema.metadata or {}).get(b"huggingface", b"{}"))
        kind = known["info"]["features"][column]
        kind = kind[0] if isinstance(kind, list) else kind.get("feature", kind)
        return [str(name) for name in kind["names"]]
    except (KeyError, IndexError, TypeError, AttributeError, msgspec.MsgspecError):
        return []


def is_vectors(kind: Any) -> bool:
    """Tell whether a column of this type holds lists of numbers."""
    types = import_pyarrow().types
    lists = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    return bool(lists and (types.is_floating(kind.value_type) or types.is_integer(kind.value_type)))


def is_time(kind: Any) -> bool:
    """Tell whether a column of this type may hold times."""
    types = import_pyarrow().types
    numbers = types.is_integer(kind) or types.is_floating(kind)
    return bool(types.is_timestamp(kind) or types.is_date(kind) or numbers or is_text(kind))


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0][:200]

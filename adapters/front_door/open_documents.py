"""Opens what Python gives as documents: paths, frames, data sets, lists, generators, or a source."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.formats import open_source
from telex.adapters.front_door.row_table import row_table
from telex.adapters.front_door.rows import Rows
from telex.stream.sources import Archive, Features, RecordBudget, Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Documents = Any
"""Paths, a frame, a data set of Hugging Face, an iterable of documents or of batches, an archive or a source."""


def open_documents(
    documents: Documents,
    format: str | None = None,  # noqa: A002
    columns: str | Mapping[str, Any] = "",
    order: str | None = None,
    *,
    words: str | Mapping[str, Any] = "",
    features: str = "auto",
    bias: bool = False,
    duplicates: str = "keep",
    budget: str | Mapping[str, Any] | RecordBudget = "",
    skip_records: Iterable[str] = (),
) -> tuple[Source, list[str] | None]:
    """Return the documents as a source, and their paths; None if they are not in files.

    What was guessed about files, and what is odd about them, is a warning.

    >>> source, paths = open_documents([("gold falls", ["metals"]), ("cup final", ["sport"])])
    >>> [list(batch.label_names) for batch in source], paths
    ([['metals', 'sport']], None)
    """
    found = row_table(documents)
    if isinstance(found, Source):
        return found, None
    if found is None:
        paths = list(map(os.fspath, [documents] if isinstance(documents, (str, os.PathLike)) else documents))
        name, settings = format_settings(format, columns, order)
        source = open_source(
            paths,
            name,
            words=words,
            features=features,
            bias=bias,
            duplicates=duplicates,
            budget=budget,
            skip_records=skip_records,
            labelled=True,
            readable=True,
            **settings,
        )
        for remark in source.archive.remarks:
            warnings.warn(remark, stacklevel=3)
        return source, paths
    archive = found if isinstance(found, Archive) else Rows(found, columns, order, labelled=True)
    archive.budget, archive.skip_records = RecordBudget.of(budget), frozenset(skip_records)
    return Features(archive, words, duplicates, features=features, bias=bias, ahead=True, unique_ids=True), None


def format_text(format: str | None, columns: str | Mapping[str, Any]) -> str | None:  # noqa: A002
    """Return a format and its options as ``--format`` takes them.

    >>> format_text("csv", {"text": "story", "separator": "pipe"}), format_text(None, "")
    ('csv:text=story,separator=pipe', None)
    """
    given = columns if isinstance(columns, str) else ",".join(f"{name}={value}" for name, value in columns.items())
    name = format or ""
    whole = name + (f"{',' if ':' in name else ':'}{given}" if given else "")
    return whole or None


def format_settings(
    format: str | None,  # noqa: A002
    columns: str | Mapping[str, Any],
    order: str | None,
) -> tuple[str | None, dict[str, Any]]:
    """Return the name of a format, None where the content decides, and its options."""
    values: dict[str, Any] = {"format": format_text(format, columns), "order": order}
    return ReplayOptions(**values).format_settings()

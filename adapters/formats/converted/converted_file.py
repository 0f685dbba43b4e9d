"""Writes documents as plain arrays, block by block."""

from __future__ import annotations

import json
import zlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec
import numpy as np

from telex.adapters.formats.converted.layout import (
    COLUMNS,
    END,
    HEADER,
    MAGIC,
    TRAILER,
    VERSION,
    Contents,
    Kind,
    StoredNames,
    StoredSpan,
    padding,
)
from telex.learners.base import Batch, Names, Strings, UsageError
from telex.stream.run_folder import OutputFile
from telex.stream.sources import CutStories, Cutting, cutting_of
from telex.stream.sources.stages import no_text
from telex.stream.words import make_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import TracebackType

    from telex.adapters.formats.converted.sound_documents import SoundDocuments
    from telex.learners.trees import Tree
    from telex.stream.sources import Stories

ENDING = ".telex"
ROWS = 1024
"""How many documents a block has at least, but for the last."""


class ConvertedFile:
    """A file for ``documents`` as they come; ``text``, ``scaling`` and ``tree`` are what its replay begins with.

    It gets its name when it is whole and on the disk (:class:`~telex.stream.run_folder.OutputFile`): killed at any
    instant, it is not there, or as it was before. An existing file is refused, unless ``overwrite`` is set. The same
    documents make the same bytes.

    >>> import os, tempfile
    >>> from telex.adapters.formats import open_archive
    >>> from telex.adapters.formats.converted import SoundDocuments
    >>> from telex.stream.sources import Story, StoryBuilder, as_archive
    >>> stories = StoryBuilder()
    >>> stories.add(Story("7", "Cup final tonight", labels=["sport"]))
    >>> path = os.path.join(tempfile.mkdtemp(), "wire.telex")
    >>> documents = SoundDocuments(as_archive([stories.take()]))
    >>> with ConvertedFile(path, documents) as file:
    ...     for some in documents:
    ...         file.write(some)
    ...     file.finish()
    >>> [cut] = open_archive(path)
    >>> list(cut.ids), cut.labels, list(cut.terms.names)
    (['7'], [['sport']], ['cup', 'final', 'tonight'])
    """

    def __init__(
        self,
        path: str,
        documents: SoundDocuments,
        *,
        text: Mapping[str, Any] | None = None,
        scaling: str | None = None,
        tree: Tree | None = None,
        overwrite: bool = False,
    ) -> None:
        self.path, self._source, self._archive = path, documents, documents.archive
        self._given = dict(text or {})
        self._text = {**self._archive.text, **self._given}
        self._words = make_words(self._text)
        self._cutting = Cutting(self._words)
        self._scaling, self._tree = scaling, tree
        self._output = OutputFile(path, overwrite=overwrite)
        self._size = self._documents = self._unlabelled = 0
        self._waiting: list[Any] = []
        self._directory: list[list[int]] = []
        self._kind: Kind | None = None
        self._tables: tuple[Names, Names] = self._cutting.names, Names()  # words or features, and labels

    def __enter__(self) -> ConvertedFile:
        self._file: BinaryIO = self._output.__enter__()
        self._put(HEADER.pack(MAGIC, VERSION))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._output.__exit__(kind, error, trace)

    def write(self, documents: Stories | CutStories | Batch) -> None:
        """Write some documents: all must be texts, or all features over one pair of tables."""
        kind: Kind = "features" if isinstance(documents, Batch) else "words"
        if self._kind not in {None, kind}:
            raise UsageError("some documents come as texts and some as features; convert one kind at a time")
        if isinstance(documents, Batch):
            if self._given.keys() - {"products"}:
                raise no_text()
            if documents.forget is not None or documents.counts is not None:
                raise UsageError("the features of these documents were made of words; convert the texts")
            if self._kind and documents.feature_names is not self._tables[0]:
                raise UsageError("each archive numbers its features by itself; convert all documents as one archive")
            self._tables = documents.feature_names, documents.label_names
            self._waiting.append(documents)
        else:
            cut = self._cutting(documents)
            self._tables = self._cutting.names, cut.label_names
            self._waiting.append(cut)
        self._kind = kind
        if sum(map(len, self._waiting)) >= ROWS:
            self._block()

    def wait(self, until: float) -> None:
        """Do nothing: nobody reads before the end."""

    def counts(self) -> dict[str, int]:
        """Return the size of the file."""
        return {"bytes": self._size}

    def finish(self) -> None:
        """Write the tables and the contents; without any document there is nothing to write."""
        if self._waiting:
            self._block()
        if self._kind is None:
            raise UsageError(f"{self._archive.title} has no document that can be read; name its format with --format")
        contents = Contents(
            kind=self._kind,
            documents=self._documents,
            unlabelled=self._unlabelled,
            dead_letters=self._source.dead_letters,
            title=self._archive.title,
            text=self._text,
            cutting=cutting_of(self._words) if self._kind == "words" else {},
            scaling=self._scaling or self._archive.scaling or "none",
            dense=self._archive.dense,
            budget=str(self._archive.budget),
            skipped=sorted(self._archive.skip_records),
            tree=_plain(self._tree),
            names=self._table(self._tables[0]),
            labels=self._table(self._tables[1]),
            blocks=len(self._directory),
            directory=self._arrays([np.array(self._directory, "<i8")]),
            telex=version("telex"),
        )
        found = msgspec.json.encode(contents)
        at = self._size
        self._put(found)
        self._put(TRAILER.pack(at, len(found), zlib.crc32(found), END))

    def _block(self) -> None:
        """Write the documents that wait as a block."""
        kind, parts, self._waiting = self._kind, self._waiting, []
        assert kind is not None
        parts += [parts[0].rows(0, 0)] * (len(parts) == 1)  # so that it is copied: a slice may share longer arrays
        documents = type(parts[0]).concat(parts)
        arrays = _columns(documents)
        span = self._arrays([arrays[name].astype(dtype, copy=False) for name, dtype in COLUMNS[kind].items()])
        entries = [len(arrays[name]) for name in COLUMNS[kind]]
        self._directory.append([span.offset, span.bytes, span.crc32, len(documents), *map(len, self._tables), *entries])
        self._documents += len(documents)
        self._unlabelled += int(len(documents) - documents.labelled.sum())

    def _table(self, names: Names) -> StoredNames:
        known = list(names)
        if all(type(name) is str for name in known):
            column = Strings.of(map(str, known))
            return StoredNames("text", len(known), self._arrays([column.offsets.astype("<i8"), column.data]))
        if all(type(name) is int and abs(name) < 1 << 63 for name in known):
            return StoredNames("number", len(known), self._arrays([np.array(known, "<i8")]))
        raise UsageError("names of features and labels are texts or whole numbers here; give the format such names")

    def _arrays(self, arrays: Sequence[Any]) -> StoredSpan:
        """Write arrays one after the other, each aligned, and return their span."""
        at, crc = self._size, 0
        for array in arrays:
            data = np.ascontiguousarray(array).tobytes()
            data += bytes(padding(len(data)))
            crc = zlib.crc32(data, crc)
            self._put(data)
        return StoredSpan(at, self._size - at, crc)

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._size += len(data)


def _columns(documents: Any) -> dict[str, Any]:
    """Return the arrays of documents by their names in the file."""
    columns = {
        "ids": documents.ids.data,
        "id_offsets": documents.ids.offsets,
        "labelled": documents.labelled,
        "label_indptr": documents.label_indptr,
        "times": documents.times,
    }
    if isinstance(documents, Batch):
        return columns | {name: getattr(documents, name) for name in ("indptr", "features", "values", "labels")}
    columns |= {name: getattr(documents, name) for name in ("bounds", "words", "fingerprints")}
    titles = {"titles": documents.titles.data, "title_offsets": documents.titles.offsets}
    return columns | titles | {"labels": documents.label_ids}


def _plain(tree: Tree | None) -> dict[str, Any] | None:
    """Return a tree as JSON holds it."""
    if tree is None:
        return None
    found = {"labels": list(tree.labels), "parents": tree.parents.tolist(), "separator": tree.separator}
    try:
        plain: dict[str, Any] = json.loads(json.dumps(found))
    except TypeError as error:
        raise UsageError("labels of a tree are texts or numbers here; give --tree such labels") from error
    return plain

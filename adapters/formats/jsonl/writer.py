"""Documents written as JSON lines, in the form that :class:`~telex.adapters.formats.jsonl.jsonl.JsonLines` reads."""

from __future__ import annotations

import contextlib
import gzip
import lzma
import math
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec
import numpy as np

from telex.learners.base import UsageError
from telex.stream.curves import iso
from telex.stream.run_folder import OutputFile
from telex.stream.sources import CutStories, Stories

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import TracebackType

    from telex.learners.base import Batch, Values

_SEVEN = 7  # digits that a float32 has at least, nine at most


class JsonDocument(msgspec.Struct, gc=False):
    """A document as a line of JSON."""

    id: str
    labels: Sequence[str] | msgspec.UnsetType | None
    time: str | msgspec.UnsetType = msgspec.UNSET
    title: str | msgspec.UnsetType = msgspec.UNSET
    text: str | msgspec.UnsetType = msgspec.UNSET
    features: dict[str, float] | msgspec.UnsetType = msgspec.UNSET


class JsonLinesFile:
    """A file of JSON lines, compressed as its name says (.gz, .xz, .zst); ``-`` is standard output.

    The file gets its name when everything is written, and does not appear if something fails before
    (:class:`~telex.stream.run_folder.OutputFile`). An existing file is refused, unless ``overwrite`` is set. The same
    documents make the same bytes. Names of features and labels become texts.

    >>> import os, tempfile
    >>> from pathlib import Path
    >>> from telex.stream.sources import Story, StoryBuilder
    >>> stories = StoryBuilder()
    >>> stories.add(Story("7", "Cup final tonight", time=840499200.0, labels=["sport"]))
    >>> path = os.path.join(tempfile.mkdtemp(), "wire.jsonl")
    >>> with JsonLinesFile(path) as file:
    ...     file.write(stories.take())
    >>> print(Path(path).read_text(), end="")
    {"id":"7","labels":["sport"],"time":"1996-08-20T00:00:00Z","text":"Cup final tonight"}
    """

    def __init__(self, path: str, *, overwrite: bool = False) -> None:
        self.path, self._overwrite = path, overwrite
        self._encode = msgspec.json.Encoder().encode_lines
        self._ending = contextlib.ExitStack()

    def __enter__(self) -> JsonLinesFile:
        if self.path == "-":
            self._file: BinaryIO | Any = sys.stdout.buffer
            return self
        raw = self._ending.enter_context(OutputFile(self.path, overwrite=self._overwrite))
        try:
            self._file = self._ending.enter_context(_compressed(raw, self.path))
        except BaseException:
            self._ending.__exit__(*sys.exc_info())
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.path == "-":
            self._file.flush()
        else:
            self._ending.__exit__(kind, error, trace)

    def write(self, documents: Stories | CutStories | Batch) -> None:
        """Write some documents, whole or not at all; a text that is not valid Unicode raises a UnicodeEncodeError."""
        self._file.write(self._encode(list(json_documents(documents))))

    def wait(self, until: float) -> None:
        """Flush, so that others can read what is written."""
        if self.path == "-":
            self._file.flush()

    def finish(self) -> None:
        """Do nothing: everything is written."""

    def counts(self) -> dict[str, int]:
        """Return nothing: the caller counts what it writes."""
        return {}


def json_documents(documents: Stories | CutStories | Batch) -> Iterator[JsonDocument]:
    """Yield documents as lines of JSON."""
    if isinstance(documents, CutStories):
        raise UsageError("converted texts are words, in which nobody can read; publish the original documents")
    return _of_stories(documents) if isinstance(documents, Stories) else _of_batch(documents)


def _of_stories(stories: Stories) -> Iterator[JsonDocument]:
    columns = (stories.ids, stories.labels, stories.times.tolist(), stories.titles, stories.texts)
    for name, labels, time, title, text in zip(*columns, strict=True):
        yield JsonDocument(name, labels, time_text(time), title or msgspec.UNSET, text)


def _of_batch(batch: Batch) -> Iterator[JsonDocument]:
    names = [str(name) for name in batch.feature_names]
    features = [names[i] for i in batch.features.tolist()]
    values, cuts = _shortest(batch.values), batch.indptr.tolist()
    for row, (name, time) in enumerate(zip(batch.ids, batch.times.tolist(), strict=True)):
        row_features = slice(cuts[row], cuts[row + 1])
        found = dict(zip(features[row_features], values[row_features], strict=True))
        labels = [str(label) for label in batch.labels_of(row)] if batch.labelled[row] else None
        yield JsonDocument(name, labels, time_text(time), features=found)


def time_text(time: float) -> str | msgspec.UnsetType:
    """Return a time as JSON has it; NaN is left out."""
    return msgspec.UNSET if math.isnan(time) else iso(time)


def _shortest(values: Values) -> list[float]:
    """Return numbers that read back as the same float32, with seven digits if those are enough."""
    exact = values.astype(np.float64)
    with np.errstate(divide="ignore"):
        digits = _SEVEN - 1 - np.floor(np.log10(np.abs(exact)))
    scale = 10.0 ** np.clip(np.nan_to_num(digits, posinf=0), -30, 300)
    short = np.rint(exact * scale) / scale
    shortest: list[float] = np.where(short.astype(np.float32) == values, short, exact).tolist()
    return shortest


def _compressed(raw: BinaryIO, path: str) -> Any:
    if path.endswith(".gz"):
        return gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=6, mtime=0)
    if path.endswith(".xz"):
        return lzma.LZMAFile(raw, "wb")
    if path.endswith(".zst"):
        try:
            import zstandard  # noqa: PLC0415
        except ImportError as error:
            raise UsageError(f"{path}: zstd needs another library: pip install 'telex[zstd]'") from error
        return zstandard.ZstdCompressor().stream_writer(raw, closefd=False)
    return contextlib.nullcontext(raw)

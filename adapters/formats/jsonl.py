"""JSON lines: one object a document, with id, time, features and labels."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, ClassVar

import msgspec

from telex.adapters.formats import options
from telex.adapters.formats.lines import Lines, first_lines
from telex.adapters.formats.opened import Input
from telex.adapters.formats.times import seconds
from telex.adapters.formats.vectors import broken
from telex.learners.batch import BatchBuilder
from telex.learners.errors import BrokenRecordError, InputError
from telex.learners.names import Names
from telex.stream.deadletter import DeadLetter
from telex.stream.order import ORDERS, id_key, time_key

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from telex.learners.batch import Batch

    Paths = str | os.PathLike[str] | Input | Iterable[str | os.PathLike[str] | Input]

_BROKEN = (msgspec.MsgspecError, BrokenRecordError, InputError, UnicodeDecodeError, RecursionError)


class _Head(msgspec.Struct, gc=False):
    """What decides a document's place in the stream."""

    id: str | int
    time: str | int | float | None = None


class _Document(_Head, gc=False):
    """A document as it is written; what else a record holds is passed over."""

    features: msgspec.Raw = msgspec.Raw()
    labels: list[str] | None = None


class JsonLines:
    r"""The documents of JSON lines: ``{"id": .., "time": .., "features": {name: value}, "labels": [..]}``.

    ``id`` is a text or a whole number. ``time`` is ISO 8601 (no offset means UTC) or epoch seconds, and may
    be left out. ``features`` may be a list of [name, value] pairs as well. ``labels`` left out or null is an
    unlabelled document, [] the answer that no label fits.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "wire.jsonl")
    >>> with open(path, "w") as file:
    ...     _ = file.write('{"id": 7, "time": "1996-08-20", "features": {"cup": 1}, "labels": ["sport"]}\n')
    >>> [batch] = JsonLines([path])
    >>> list(batch.ids), batch.times.tolist(), list(batch.feature_names), batch.labels_of(0)
    (['7'], [840499200.0], ['cup'], ['sport'])
    """

    summary: ClassVar = "one JSON object a line: id, time, features {name: value}, labels [..]"
    options: ClassVar = {
        "order": "time, id or file; by default time where the first document has one, else file",
        "rows": "documents a batch (1024)",
        "passes": "how often standard input will be read (1)",
    }
    ids_are_positions = False

    def __init__(
        self,
        paths: Paths,
        order: str | None = None,
        rows: int | str = 1024,
        passes: int | str = 1,
    ) -> None:
        inputs = Input.all(paths)
        self.order = options.order(order or _usual_order(inputs), ORDERS, "")
        self._rows = options.number("rows", rows)
        self.feature_names, self.label_names = Names(), Names()
        self._lines = Lines(inputs, self.order, {"time": _time_keys, "id": _id_keys}, passes)
        self.title = self._lines.title

    def __iter__(self) -> Iterator[Batch | DeadLetter]:
        builder = BatchBuilder(self.feature_names, self.label_names)
        for block in self._lines:
            if isinstance(block, DeadLetter):
                if len(builder):
                    yield builder.take()
                yield block
                continue
            offset = 0
            if not block.data and len(builder):
                yield builder.take()
            for line, raw in enumerate(block.lines()):
                begin, offset = offset, offset + len(raw) + 1
                if not raw.strip():
                    continue
                try:
                    _add(builder, raw)
                except _BROKEN as error:
                    if len(builder):
                        yield builder.take()
                    yield broken(block, line, raw, begin, _reason(error))
                if len(builder) >= self._rows:
                    yield builder.take()
        if len(builder):
            yield builder.take()

    @property
    def share_read(self) -> float | None:
        """How much of this pass is read, from 0 to 1; None where nobody knows."""
        return self._lines.share_read

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Tell by the first character; an empty file by its name."""
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        return start.startswith(b"{") if start else ".jsonl" in path


_decode_head = msgspec.json.Decoder(_Head).decode
_decode = msgspec.json.Decoder(_Document).decode
_decode_features = msgspec.json.Decoder(dict[str, float] | list[tuple[str, float]]).decode


def _usual_order(inputs: list[Input]) -> str:
    for source in inputs:
        for line in first_lines(source.head()):
            try:
                return "file" if _decode_head(line).time is None else "time"
            except _BROKEN:
                continue
    return "file"


def _add(builder: BatchBuilder, raw: bytes) -> None:
    """Decode a record whole before anything of it enters the tables (a value too big is refused before, too)."""
    document = _decode(raw)
    name = str(document.id)
    if not name:
        raise BrokenRecordError("the id is empty")
    time = math.nan if document.time is None else seconds(document.time)
    builder.add(_features(document), _labels(document), id=name, time=time)


def _features(document: _Document) -> dict[str, float]:
    """Return what the document is made of, by name: the one place where a record becomes features."""
    raw = bytes(document.features)
    if not raw:
        raise BrokenRecordError("features are missing")
    given = _decode_features(raw)
    if isinstance(given, list):
        features = dict(given)
        pairs = len(given)
    else:
        features = given
        # a name that comes twice has vanished by now; where there are more colons than names, look again
        pairs = len(features) if raw.count(b":") == len(features) else len(json.loads(raw, object_pairs_hook=list))
    if pairs > len(features):
        raise BrokenRecordError("a feature is given twice")
    return features


def _labels(document: _Document) -> list[str] | None:
    labels = document.labels
    if labels is not None:
        if len(set(labels)) < len(labels):
            twice = next(label for label in labels if labels.count(label) > 1)
            raise BrokenRecordError(f"label {twice!r} is given twice")
        if "" in labels:
            raise BrokenRecordError("a label is empty")
    return labels


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "this is not UTF-8"
    return "this is nested too deep" if isinstance(error, RecursionError) else str(error)


def _time_keys(data: bytes) -> list[bytes | None]:
    return [_time_key(line) for line in _lines(data)]


def _time_key(line: bytes) -> bytes | None:
    try:
        time = _decode_head(line).time
        return None if time is None else time_key(seconds(time))
    except _BROKEN:
        return None


def _id_keys(data: bytes) -> list[bytes | None]:
    return [_id_key(line) for line in _lines(data)]


def _id_key(line: bytes) -> bytes | None:
    try:
        return id_key(str(_decode_head(line).id).encode())
    except _BROKEN:
        return None


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]

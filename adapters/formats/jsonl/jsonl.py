"""JSON lines: one object per document, with features or a text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from telex.adapters.formats.jsonl.feature_records import FeatureRecords
from telex.adapters.formats.jsonl.fields import BROKEN, FEATURES, ID, TIME, Fields, broken_reason, id_text
from telex.adapters.formats.jsonl.mapped_records import MappedRecords, decode_object
from telex.adapters.formats.jsonl.story_map import MAPPED_OPTIONS, StoryMap
from telex.adapters.formats.jsonl.text_records import TextRecords
from telex.adapters.formats.jsonl.vector_records import VectorRecords
from telex.adapters.formats.reading import (
    Input,
    LineBlocks,
    broken_line,
    epoch_seconds,
    first_lines,
    option_checks,
    skip_records,
)
from telex.learners.base import Names, UsageError
from telex.stream.raw_records import ORDERS, ends_of_keys, id_key, time_key
from telex.stream.sources import Archive, DeadLetter, RecordCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from telex.adapters.formats.reading import Paths
    from telex.learners.base import Batch
    from telex.stream.raw_records import Ends, GatheredLines, RawLines
    from telex.stream.sources import StageLine, Stories

FORMATS = {"jsonl": ("JsonLines", 80)}
_ENOUGH = 16
_Records = TextRecords | MappedRecords | FeatureRecords | VectorRecords
_OneByOne = MappedRecords | FeatureRecords | VectorRecords
_SCALINGS = {TextRecords: "none", MappedRecords: "none", FeatureRecords: "unit", VectorRecords: "standard"}


class JsonLines(Archive):
    r"""The documents of JSON lines: ``{"id": .., "time": .., "text": .., "labels": [..]}``, or features for the text.

    ``id`` is a text or a whole number. ``time`` is ISO 8601 (no offset means UTC) or epoch seconds, and may be left
    out. ``labels`` left out or null means unlabelled, [] means that no label fits; a text may give its only label
    without a list. A text may have a ``title``, and may be in the field ``body``. ``features`` are ``{name: value}``,
    or a list of [name, value] pairs. A ``vector`` is a list of numbers, as many in each record; its features are named
    by their positions from 0.

    The first record that can be decoded decides: if it has features, all records are features and come as batches,
    whatever texts are beside them; otherwise all are texts and come as stories, or vectors if there is no text. The
    options ``id``, ``time``, ``text``, ``title``, ``labels`` and ``vector`` give the names of these fields if they
    differ; naming ``text`` means texts, and naming ``vector`` vectors. Other fields are ignored; of one that comes
    twice the last counts.

    Texts may also be nested, without ids or times, in HTML, or with labels that are numbers, in one text, or a field
    each: see :class:`~telex.adapters.formats.jsonl.story_map.StoryMap` for what the options may say then. Such records
    take several times as long to decode.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "wire.jsonl")
    >>> with open(path, "w") as file:
    ...     _ = file.write('{"id": 7, "time": "1996-08-20", "features": {"cup": 1}, "labels": ["sport"]}\n')
    >>> [batch] = JsonLines([path])
    >>> list(batch.ids), batch.times.tolist(), list(batch.feature_names), batch.labels_of(0)
    (['7'], [840499200.0], ['cup'], ['sport'])
    >>> with open(path, "w") as file:
    ...     _ = file.write('{"id": 7, "content": "Cup final tonight", "labels": ["sport"]}\n')
    >>> [stories] = JsonLines([path], text="content")
    >>> list(stories.texts), list(stories.labels)
    (['Cup final tonight'], [['sport']])
    """

    summary: ClassVar = (
        "one JSON object a line: id, time, text (with title), features {name: value} or vector [..], labels [..]"
    )
    options: ClassVar = {
        "id": "the field that holds the id; none (the position in the stream is the id) or hash (of the contents) (id)",
        "time": "the field that holds the time, or none (time)",
        "text": "the field that holds the text, such as article.body (text, else body)",
        "title": "the field that holds the title, or none (title)",
        "labels": "the field that holds the labels, such as tags[].name; none, or onehot:A..Z (labels)",
        **MAPPED_OPTIONS,
        "vector": "the field that holds a list of numbers (vector, if there is neither a text nor features)",
        "order": "time, id or file; by default time if the first document has one, else file",
        "rows": "documents a batch (1024)",
        "passes": "how often standard input will be read (1)",
    }
    checks_records = True

    def __init__(
        self,
        paths: Paths,
        *,
        id: str = "id",  # noqa: A002
        time: str = "time",
        text: str | None = None,
        title: str = "title",
        labels: str = "labels",
        vector: str | None = None,
        separator: str | None = None,
        time_format: str | None = None,
        html: str | None = None,
        classes: str | None = None,
        order: str | None = None,
        rows: int | str = 1024,
        passes: int | str = 1,
    ) -> None:
        self.inputs = inputs = Input.all(paths)
        self._map: StoryMap | None = None
        if vector is None:
            settings = {"separator": separator, "time_format": time_format, "html": html, "classes": classes}
            self._map = StoryMap.where_needed(id, time, text, title, labels, **settings)
            self.ids_are_positions = self._map is not None and not self._map.has_ids
        self._fields = Fields() if self._map else Fields(id, time, text, title, labels, vector)
        self._head = self._fields.decoder(id=ID, time=TIME)
        self._plain = self._fields.plain()
        self._seems = _seeming(self._fields)
        possible = ("time", "file") if self.ids_are_positions else ORDERS
        self.order = option_checks.check_order(
            order or self._usual_order(inputs), possible, "these documents have no id"
        )
        self._rows = option_checks.whole_number("rows", rows)
        self.feature_names, self.label_names = Names(), Names()
        if text is not None and vector is not None:
            raise UsageError("text= means texts and vector= vectors; give one of the two")
        self._kind: type[_Records] | None = TextRecords if text is not None else VectorRecords if vector else None
        if self._map is not None:
            self._kind = MappedRecords
        self._inputs = inputs
        ends_of = self._ends_of_times if self.order == "time" else None
        self._lines = LineBlocks(inputs, self.order, {"time": self._time_keys, "id": self._id_keys}, passes, ends_of)
        self.title = self._lines.title

    @property
    def scaling(self) -> str | None:  # type: ignore[override]
        """How features are scaled by default: standard for vectors, and to unit length for others."""
        return None if self._kind is None else _SCALINGS[self._kind]

    @property
    def dense(self) -> bool:  # type: ignore[override]
        """Whether records have vectors."""
        return self._kind is VectorRecords

    def __iter__(self) -> Iterator[Batch | Stories | DeadLetter]:
        self._look_ahead()  # not in the constructor: a silent pipe must not block it
        check = RecordCheck(self.budget)
        records = self._records(check)
        for block in skip_records(self._lines, self.skip_records):
            if isinstance(block, DeadLetter):
                yield from records.take()
                yield block
                continue
            raws = block.lines() if self._kind is not TextRecords else []
            if not block.data:  # nothing more is there for now
                yield from records.take()
            if self._kind is None:
                records = self._decide(raws, check)
            if isinstance(records, TextRecords):
                yield from self._texts(block, records)
            else:
                yield from self._one_by_one(block, raws, records)
        yield from records.take()

    def _texts(self, block: RawLines | GatheredLines, records: TextRecords) -> Iterator[Stories | DeadLetter]:
        data, offset, line = block.data, 0, 0
        while (begin := records.add_lines(data, offset)) < len(data):
            yield from records.full(self._rows)
            line += data.count(b"\n", offset, begin)
            raw = data[begin : (data.find(b"\n", begin) + 1 or len(data) + 1) - 1]
            if raw.strip():
                try:
                    records.add(raw)
                except BROKEN as error:
                    yield from records.take()
                    yield broken_line(block, line, raw, begin, broken_reason(error))
            offset, line = min(begin + len(raw) + 1, len(data)), line + 1
        yield from records.full(self._rows)

    def _one_by_one(
        self, block: RawLines | GatheredLines, raws: list[bytes], records: _OneByOne
    ) -> Iterator[Batch | Stories | DeadLetter]:
        offset = 0
        for line, raw in enumerate(raws):
            begin, offset = offset, offset + len(raw) + 1
            if not raw.strip():
                continue
            try:
                records.add(raw)
            except BROKEN as error:
                yield from records.take()
                yield broken_line(block, line, raw, begin, broken_reason(error))
            yield from records.full(self._rows)

    def _records(self, check: RecordCheck, kind: type[_Records] | None = None) -> _Records:
        kind = self._kind or kind or FeatureRecords
        if self._map is not None:
            return MappedRecords(self._map, check)
        if issubclass(kind, (TextRecords, MappedRecords)):
            return TextRecords(self._fields, check)
        return kind(self._fields, self.feature_names, self.label_names, check)

    def _decide(self, raws: list[bytes], check: RecordCheck) -> _Records:
        """Look for the first record that can be decoded; until then none is added, so none is lost."""
        features, vectors = (kind(self._fields, Names(), Names()) for kind in (FeatureRecords, VectorRecords))
        texts = TextRecords(self._fields)
        for raw in raws:
            for records in (features, texts, vectors):
                try:
                    records.add(raw)
                except BROKEN:
                    continue
                self._kind = type(records)
                return self._records(check)
        seeming = [kind for kind in map(self._seeming_kind, raws[:_ENOUGH]) if kind is not None]
        return self._records(check, seeming[0] if seeming else None)

    def _seeming_kind(self, raw: bytes) -> type[_Records] | None:
        """Return what a broken record seems to be, so that its dead letter says what is wrong with it."""
        try:
            return self._seems(raw)
        except BROKEN:
            return None

    def _look_ahead(self) -> None:
        for source in self._inputs:
            if self._kind is None:
                self._decide(first_lines(source.head()), RecordCheck())

    @property
    def share_read(self) -> float | None:
        """Return how much of this pass is read, from 0 to 1; None if unknown."""
        return self._lines.share_read

    def stage_lines(self) -> list[StageLine]:
        """Return how documents are made of the files."""
        return self._lines.stage_lines("Stories | Batch", "JSON")

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look at the first character, or at the name of an empty file."""
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        return start.startswith(b"{") if start else ".jsonl" in path

    def _usual_order(self, inputs: list[Input]) -> str:
        for source in inputs:
            for line in first_lines(source.head()):
                try:
                    if self._map is not None:
                        return "file" if math.isnan(self._map.time_of(decode_object(line))) else "time"
                    return "file" if self._head(line).time is None else "time"
                except BROKEN:
                    continue
        return "file"

    def _ends_of_times(self, data: bytes, start: int, stop: int) -> Ends | None:
        found = None if self._map is not None else self._plain.times(data, start, stop)
        if found is None:
            return ends_of_keys(self._time_keys(data[start:stop]))
        first, last, ascend = found
        if math.isnan(first):
            return b"", b""
        return (time_key(first), time_key(last)) if ascend else None

    def _time_keys(self, data: bytes) -> list[bytes | None]:
        return [self._time_key(line) for line in _lines(data)]

    def _time_key(self, line: bytes) -> bytes | None:
        try:
            if self._map is not None:
                moment = self._map.time_of(decode_object(line))
                return None if math.isnan(moment) else time_key(moment)
            time = self._head(line).time
            return None if time is None else time_key(epoch_seconds(time))
        except BROKEN:
            return None

    def _id_keys(self, data: bytes) -> list[bytes | None]:
        return [self._id_key(line) for line in _lines(data)]

    def _id_key(self, line: bytes) -> bytes | None:
        try:
            name = self._head(line).id if self._map is None else self._map.id_of(decode_object(line))
            return id_key(id_text(name).encode())
        except BROKEN:
            return None


def _seeming(fields: Fields) -> Callable[[bytes], type[_Records] | None]:
    """Return what tells from the fields of a record, whatever is in them, what it is to be; None if nothing tells."""
    parts = ("features", "text", "body", "vector") if fields.has_body else ("features", "text", "vector")
    decode = fields.decoder(**dict.fromkeys(parts, FEATURES))

    def kind_of(raw: bytes) -> type[_Records] | None:
        record = decode(raw)
        given = next((part for part in parts if bytes(getattr(record, part))), None)
        kinds: dict[str, type[_Records]] = {"features": FeatureRecords, "vector": VectorRecords}
        return None if given is None else kinds.get(given, TextRecords)

    return kind_of


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return lines if lines[-1] else lines[:-1]

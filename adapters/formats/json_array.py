"""JSON in one piece: an array of objects, an object that holds one, or objects over several lines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

from telex.adapters.formats.jsonl import (
    BROKEN,
    MAPPED_OPTIONS,
    NONE,
    StoryMap,
    broken_reason,
    cut_values,
    decode_object,
    place_of_objects,
)
from telex.adapters.formats.reading import Input, StoryFormat, blocks_of
from telex.adapters.formats.reading import check_order as checked_order
from telex.learners.base import BrokenRecordError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.adapters.formats.reading import Paths
    from telex.stream.raw_records import GatheredLines, Place, RawLines
    from telex.stream.sources import DeadLetter, Story

FORMATS = {"json": ("JsonArray", 75)}


class JsonArray(StoryFormat):
    r"""The objects of JSON files as stories; the line of a dead letter is the number of its object.

    The fields are as in :class:`~telex.adapters.formats.jsonl.story_map.StoryMap`.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "news.json")
    >>> with open(path, "w") as file:
    ...     _ = file.write('{"news": [{"id": 7, "text": "Cup final",\n "labels": ["sport"]}]}')
    >>> [stories] = JsonArray([path])
    >>> list(stories.ids), stories.texts, stories.labels
    (['7'], ['Cup final'], [['sport']])
    """

    summary: ClassVar = "JSON in one piece: an array of objects with texts, or an object that holds one"
    options: ClassVar = {
        "id": "the field that holds the id; none (the position in the stream is the id) or hash (of the contents) (id)",
        "time": "the field that holds the time, or none (time)",
        "text": "the field that holds the text, such as article.body (text)",
        "title": "the field that holds the title, or none (title)",
        "labels": "the field that holds the labels, such as tags[].name; none, or onehot:A..Z (labels)",
        **MAPPED_OPTIONS,
        "order": "time, id or file; by default time if the first object has one, else file",
        "rows": "documents a batch (256)",
        "passes": "how often standard input will be read (1)",
    }

    def __init__(
        self,
        paths: Paths,
        *,
        id: str = "id",  # noqa: A002
        time: str = "time",
        text: str = "text",
        title: str = "title",
        labels: str = "labels",
        separator: str | None = None,
        time_format: str | None = None,
        html: str | None = None,
        classes: str = "",
        order: str | None = None,
        rows: int | str = 256,
        passes: int | str = 1,
    ) -> None:
        settings = (separator or NONE, time_format, html or "keep")
        self._map = StoryMap(id, time, text, title, labels, *settings, classes=classes)
        self.ids_are_positions = not self._map.has_ids
        inputs = Input.all(paths)
        possible = ("time", "file") if self.ids_are_positions else ("time", "id", "file")
        self._open(
            inputs, checked_order(order or self._usual(inputs), possible, "these documents have no id"), rows, passes
        )

    def _usual(self, inputs: list[Input]) -> str:
        for source in inputs:
            head = source.head()
            for item in cut_values([head], source.name, *place_of_objects(head, self._map.text)):
                story = self._story_or_none(*item) if isinstance(item, tuple) else None
                if story is not None:
                    return "file" if math.isnan(story.time) else "time"
        return "file"

    def _records(self, inputs: list[Input]) -> Iterator[RawLines | GatheredLines | DeadLetter]:
        for source in inputs:
            source.bytes_read = 0
        for source in inputs:
            place = place_of_objects(source.head(), self._map.text)
            yield from blocks_of(cut_values(source.chunks(), source.name, *place))

    def _story(self, raw: bytes, place: Place) -> Story:
        try:
            return self._map.story(decode_object(raw))
        except BROKEN as error:
            raise BrokenRecordError(broken_reason(error)) from error

    @classmethod
    def recognises(cls, head: bytes, path: str) -> bool:
        """Look for an array, or for an object that goes on over several lines; of an empty file, at its name."""
        start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        if not start:
            return path.endswith(".json")
        first, _, rest = start.partition(b"\n")
        if start.startswith(b"["):
            return start[1:].lstrip()[:1] in b"{"
        if not start.startswith(b"{") or rest.lstrip().startswith(b"{"):  # a broken line among lines of JSON
            return False
        return first.strip() == b"{" or (not rest.strip() and place_of_objects(start)[0] > 1)

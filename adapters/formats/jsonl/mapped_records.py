"""JSON records whose fields are called, nested or written otherwise than usual, decoded one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from telex.learners.base import BrokenRecordError
from telex.stream.sources import RecordCheck, StoryBuilder

if TYPE_CHECKING:
    from typing import Any

    from telex.adapters.formats.jsonl.story_map import StoryMap
    from telex.stream.sources import Stories


class MappedRecords:
    r"""Collects the stories of records by a map; where the map has no ids, their places in the stream are the ids.

    >>> from telex.adapters.formats.jsonl import StoryMap
    >>> records = MappedRecords(StoryMap(id="none", text="article", labels="desk"))
    >>> records.add(b'{"article": "A final.", "desk": 7}')
    >>> [stories] = records.take()
    >>> list(stories.ids), stories.texts, stories.labels
    (['0'], ['A final.'], [['7']])
    """

    def __init__(self, fields: StoryMap, check: RecordCheck | None = None) -> None:
        self._fields, self._check = fields, check or RecordCheck()
        self._builder, self._number = StoryBuilder(), 0

    def __len__(self) -> int:
        return len(self._builder)

    def add(self, raw: bytes) -> None:
        """Append one record."""
        story = self._fields.story(decode_object(raw))
        self._check.story(story.title, story.text, story.labels)
        self._builder.add(story if self._fields.has_ids else story._replace(id=str(self._number)))
        self._number += 1

    def take(self) -> list[Stories]:
        """Return the documents added so far."""
        return [self._builder.take()] if len(self._builder) else []

    def full(self, rows: int) -> list[Stories]:
        """Return the documents added so far if there are at least ``rows``."""
        return self.take() if len(self._builder) >= rows else []


def decode_object(raw: bytes) -> dict[str, Any]:
    """Return the object that a record is; anything else raises a BrokenRecordError."""
    raw.isascii() or raw.decode()
    found = msgspec.json.decode(raw)
    if not isinstance(found, dict):
        raise BrokenRecordError(f"the record is no object, but {type(found).__name__}")
    return found

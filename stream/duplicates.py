"""A document id that comes twice is a dead letter the second time."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.batch import Batch
from telex.stream._seen import Seen
from telex.stream.deadletter import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.stream.source import Archive
    from telex.stream.stories import Stories


class Duplicates:
    """The documents of ``source`` without those whose id came before among the last ``window`` documents.

    Stream numbers close up behind a document that was taken out. Ids are compared by 64 bits of hash; at most
    25 bytes are held for each document of the window. A source that says of itself ``ids_are_positions`` is
    passed on as it is. What else the source has can be reached through this one.

    >>> from telex.learners.batch import BatchBuilder
    >>> stream = BatchBuilder()
    >>> for id in ["2286", "2287", "2286", "2288"]:
    ...     stream.add({"cup": 1.0}, ["sport"], id=id)
    >>> first, letter, last = Duplicates([stream.take()])
    >>> list(first.ids), letter.reason, list(last.ids), last.numbers.tolist()
    (['2286', '2287'], 'duplicate id "2286"', ['2288'], [2])
    """

    def __init__(self, source: Archive, window: int = 1_000_000) -> None:
        self.source, self.window = source, window

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "source"), name)

    def __iter__(self) -> Iterator[Stories | Batch | DeadLetter]:
        if getattr(self.source, "ids_are_positions", False):
            return iter(self.source)
        return self._once()

    def _once(self) -> Iterator[Stories | Batch | DeadLetter]:
        seen, gone = Seen(self.window), 0
        for item in self.source:
            if isinstance(item, DeadLetter):
                yield item
                continue
            start = 0
            for row in seen.again(item.ids.data, np.ascontiguousarray(item.ids.offsets)):
                if row > start:
                    yield _moved(item.rows(start, row), gone)
                yield duplicate(item.ids[row], str(getattr(self.source, "title", "stream")))
                start, gone = row + 1, gone + 1
            if start < len(item):
                yield _moved(item.rows(start, len(item)), gone)


def duplicate(name: str, path: str) -> DeadLetter:
    """Return what becomes of a document whose id came before."""
    shown = json.dumps(name, ensure_ascii=False)
    return DeadLetter(json.dumps({"id": name}).encode(), path, None, None, "join", f"duplicate id {shown}")


def _moved(item: Stories | Batch, by: int) -> Stories | Batch:
    return dataclasses.replace(item, numbers=item.numbers - by) if by and isinstance(item, Batch) else item

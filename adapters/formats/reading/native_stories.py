"""Formats of texts whose records a native reader decodes, many at once; the unusual ones are decoded one by one."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.formats.reading.skipped_records import skip_records
from telex.adapters.formats.reading.story_format import StoryFormat
from telex.learners.base import BrokenRecordError, Strings
from telex.stream.raw_records import RawLines
from telex.stream.sources import DeadLetter, LabelColumn, RecordCheck, Stories

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telex.adapters._plain import Collected
    from telex.stream.raw_records import Place
    from telex.stream.sources import Story

    Records = Iterator[tuple[bytes, Place]]

_SOME = 256
"""The most records decoded here before the native reader is asked again: where all are unusual it only costs."""
_ANY = 1 << 62
_FIRST = 128
"""How many stories the first batch has, the second twice as many, and so on."""


class StoryColumns:
    """Stories that a native reader ``native`` collects, and those that are added one by one.

    ``limits`` are the bytes of a text and the labels that the budget of ``check`` surely allows.

    >>> from telex.adapters._plain import Rows
    >>> from telex.stream.sources import Story
    >>> columns = StoryColumns(Rows(), RecordCheck())
    >>> columns.append(Story("7", "A final.", labels=["sport"]))
    >>> [stories] = columns.take()
    >>> list(stories.ids), list(stories.texts), list(stories.labels)
    (['7'], ['A final.'], [['sport']])
    """

    def __init__(self, native: Collected, check: RecordCheck) -> None:
        self._native = native
        self._names = list[str]()
        self._numbers = dict[str, int]()
        self._taken, self._some = 0, _FIRST
        budget = check.budget
        self.limits = int(min(budget.length, budget.terms, _ANY)), int(min(budget.labels, _ANY))

    def __len__(self) -> int:
        return len(self._native)

    @property
    def number(self) -> int:
        """How many stories came so far, with those that were taken."""
        return self._taken + len(self._native)

    def append(self, story: Story) -> None:
        """Add a story, which has passed the check."""
        for label in story.labels or ():
            if label not in self._numbers:
                self._names.append(label)
                self._numbers[label] = self._native.label(label.encode("utf-8", "surrogatepass"))
        numbered = [self._numbers[label] for label in story.labels or ()]
        self._native.append(story.id, story.time, story.title, story.text, numbered, story.labels is not None)

    def take(self) -> list[Stories]:
        """Return the stories added so far."""
        return [self._first(len(self))] if len(self) else []

    def full(self, rows: int) -> list[Stories]:
        """Return the stories added so far in batches of ``rows``; the rest stays.

        The first batches are smaller, so that what comes behind need not wait for the first of full size.
        """
        found = list[Stories]()
        while len(self) >= (some := min(rows, self._some)):
            found.append(self._first(some))
            self._some = min(2 * self._some, _ANY)
        return found

    def cut(self, rows: int) -> None:
        """Take back all stories but the first ``rows``."""
        self._native.cut(rows)

    def _first(self, rows: int) -> Stories:
        ids, times, titles, texts, (numbers, offsets), labelled = self._native.take(rows)
        self._taken += rows
        sets = LabelColumn(self._names, offsets, numbers, labelled.view(np.bool_))
        return Stories(Strings(*ids), times, Strings(*titles), Strings(*texts), sets)


@dataclass(frozen=True, slots=True)
class WholeRecords(RawLines):
    """Whole records of a file, in its order: those that ``cut`` finds in the bytes that begin at a place."""

    cut: Callable[[bytes, Place], Records]

    def records(self) -> Records:
        """Yield each record with its place."""
        return self.since(0)

    def since(self, offset: int) -> Records:
        """Yield the records from ``offset`` on."""
        data = self.data[offset:] if offset else self.data
        return self.cut(data, self.place(self.data.count(b"\n", 0, offset), offset))


class NativeStories(StoryFormat):
    """Texts in blocks of whole records, which a subclass has read by a native reader."""

    @abstractmethod
    def _collected(self) -> Collected:
        """Return a native reader for a pass."""

    @abstractmethod
    def _read(self, native: Collected, block: WholeRecords, start: int, columns: StoryColumns) -> int:
        """Add the records from ``start`` on; return where the first begins that is not in the usual form."""

    def __iter__(self) -> Iterator[Stories | DeadLetter]:
        check, native = RecordCheck(self.budget), self._collected()
        columns = StoryColumns(native, check)
        blocks = self._records(self._inputs) if self._ordered is None else iter(self._ordered)
        for block in skip_records(blocks, self.skip_records):
            if isinstance(block, DeadLetter):
                yield from columns.take()
                yield block
            elif not block.data:  # nothing more is there for now
                yield from columns.take()
            elif isinstance(block, WholeRecords):
                yield from self._whole(native, block, columns, check)
            else:
                for raw, place in block.records():
                    yield from self._one(raw, place, columns, check)
        yield from columns.take()

    def _whole(
        self, native: Collected, block: WholeRecords, columns: StoryColumns, check: RecordCheck
    ) -> Iterator[Stories | DeadLetter]:
        at, some = 0, 1
        while at < len(block.data):
            begin, at = at, self._read(native, block, at, columns)
            yield from columns.full(self._rows)
            if at == len(block.data):
                return
            some = min(2 * some, _SOME) if at == begin else 1
            begin, at = at, len(block.data)
            for raw, place in islice(block.since(begin), some):
                yield from self._one(raw, place, columns, check)
                at = (place[2] or 0) - block.offset + len(raw)

    def _one(
        self, raw: bytes, place: Place, columns: StoryColumns, check: RecordCheck
    ) -> Iterable[Stories | DeadLetter]:
        try:
            story = self._story(raw, place)
            if story is None:
                return []
            check.story(story.title, story.text, story.labels)
        except BrokenRecordError as error:
            return [*columns.take(), DeadLetter(raw, *place, "decode", str(error))]
        columns.append(story._replace(id=str(columns.number)) if self.ids_are_positions else story)
        return columns.full(self._rows)

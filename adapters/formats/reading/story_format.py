"""What formats of texts have in common: raw records, sorted, then decoded one by one."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.reading import option_checks
from telex.adapters.formats.reading.input import Input
from telex.adapters.formats.reading.line_blocks import record_lines, share_read, title
from telex.adapters.formats.reading.skipped_records import skip_records
from telex.learners.base import BrokenRecordError
from telex.stream.raw_records import ORDERS, SortedLines, ends_of_keys, id_key, time_key
from telex.stream.sources import Archive, DeadLetter, RecordCheck, StoryBuilder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.stream.raw_records import Ends, GatheredLines, RawLines
    from telex.stream.sources import StageLine, Stories, Story

Paths = str | os.PathLike[str] | Input | Iterable[str | os.PathLike[str] | Input]


class StoryFormat(Archive):
    """Texts from files: a subclass cuts the files into raw records and decodes one record.

    Batches of stories and dead letters come in the order of the stream. A subclass calls ``_open`` at the end of its
    constructor.
    """

    order: str
    checks_records = True

    def _open(self, paths: Paths, order: str, rows: int | str = 256, passes: int | str = 1) -> None:
        self.inputs = self._inputs = Input.all(paths)
        self.order = option_checks.check_order(order, ORDERS, "")
        self._rows = option_checks.whole_number("rows", rows)
        self.title = title(self._inputs)
        self._ordered: SortedLines | None = None
        if self.order != "file":
            self._ordered = SortedLines(lambda: self._records(self._inputs), self._keys, ends_of=self._ends)
        if option_checks.whole_number("passes", passes) > 1 or self._ordered:
            for source in self._inputs:
                source.copy_pipe()

    def stage_lines(self) -> list[StageLine]:
        """Return how stories are made of the files."""
        return record_lines(self.title, "records", self.order if self._ordered else "", "Stories", type(self).__name__)

    @abstractmethod
    def _records(self, inputs: list[Input]) -> Iterator[RawLines | GatheredLines | DeadLetter]:
        """Cut the files into raw records with their places; what cannot be read is a dead letter.

        A block without records means that nothing more is there for now.
        """

    @abstractmethod
    def _story(self, raw: bytes, place: tuple[str, int | None, int | None]) -> Story | None:
        """Decode a record; None skips what is not a document. A mistake raises a BrokenRecordError."""

    def __iter__(self) -> Iterator[Stories | DeadLetter]:
        number, check = 0, RecordCheck(self.budget)
        builder = self._builder(check)
        blocks = self._records(self._inputs) if self._ordered is None else iter(self._ordered)
        for block in skip_records(blocks, self.skip_records):
            if isinstance(block, DeadLetter):
                if len(builder):
                    yield builder.take()
                yield block
                continue
            any_record = False
            for raw, place in block.records():
                any_record = True
                try:
                    added = self._add(builder, check, raw, place, number)
                except BrokenRecordError as error:
                    if len(builder):
                        yield builder.take()
                    yield DeadLetter(raw, *place, "decode", str(error))
                    continue
                if added:
                    number += 1
                    if len(builder) >= self._rows:
                        yield builder.take()
            if not any_record and len(builder):
                yield builder.take()
        if len(builder):
            yield builder.take()

    def _builder(self, check: RecordCheck) -> Any:
        """Return what gathers documents; its ``take`` returns them."""
        return StoryBuilder()

    def _add(self, builder: Any, check: RecordCheck, raw: bytes, place: Any, number: int) -> bool:
        """Decode a record, and add it as document ``number``; return False if it is none."""
        story = self._story(raw, place)
        if story is None:
            return False
        check.story(story.title, story.text, story.labels)
        builder.add(story._replace(id=str(number)) if self.ids_are_positions else story)
        return True

    @property
    def share_read(self) -> float | None:
        """Return how much of this pass is read, from 0 to 1; None if unknown."""
        return share_read(self._inputs, self._ordered)

    def _keys(self, block: RawLines | GatheredLines) -> list[bytes | None]:
        key = self._time_key if self.order == "time" else self._id_key
        return [key(raw, place) for raw, place in block.records()]

    def _ends(self, block: RawLines | GatheredLines) -> Ends | None:
        """Return the first and the last sort key of a block; None if its records do not ascend."""
        return ends_of_keys(self._keys(block))

    def _time_key(self, raw: bytes, place: Any) -> bytes | None:
        story = self._story_or_none(raw, place)
        return None if story is None or story.time != story.time else time_key(story.time)

    def _id_key(self, raw: bytes, place: Any) -> bytes | None:
        story = self._story_or_none(raw, place)
        return None if story is None else id_key(story.id.encode("utf-8", "surrogatepass"))

    def _story_or_none(self, raw: bytes, place: Any) -> Story | None:
        try:
            return self._story(raw, place)
        except BrokenRecordError:
            return None

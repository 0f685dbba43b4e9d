"""Documents as they arrive, with the answers that come by themselves among them."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np

from telex.stream.sources.dead_letter import DeadLetter, place_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from telex.learners.base import Ids, Strings


class DocumentRows(Protocol):
    """Some documents: Stories, CutStories, Tokenised or a Batch."""

    @property
    def ids(self) -> Strings:
        """Their ids."""
        ...

    def __len__(self) -> int: ...

    def rows(self, start: int, stop: int) -> Self:
        """Return the documents ``start`` to ``stop``."""
        ...


Documents = TypeVar("Documents", bound=DocumentRows)


class Answer(NamedTuple):
    """The true labels of the document with this id, None to withdraw them; ``time`` is NaN if there is none."""

    id: str
    labels: Sequence[str] | None
    time: float = math.nan


@dataclass(frozen=True, slots=True)
class Answers:
    """Answer i says that the document ``ids[i]`` has ``labels[i]``, and comes before row ``rows[i]`` of its documents.

    One without labels, None, withdraws an answer of before. Rows ascend; an answer after the last document has the
    number of documents as its row. The document of an answer may have come long before, or may still come.
    """

    rows: Ids
    ids: list[str]
    labels: list[Sequence[str] | None]

    def __len__(self) -> int:
        return len(self.ids)


NO_ANSWERS = Answers(np.zeros(0, np.int32), [], [])


class RecordPlace(NamedTuple):
    """Where a record of a topic is."""

    topic: str
    partition: int
    offset: int

    @property
    def text(self) -> str:
        """The place as dead letters name it."""
        return place_text(f"{self.topic}/{self.partition}", None, self.offset)


@dataclass(frozen=True, slots=True)
class Revisions:
    """Row ``rows[i]`` of some documents is a newer version of the document whose record is at ``older[i]``.

    Rows ascend. If they are not to be ``learnt``, they are only predicted.
    """

    rows: Ids
    older: list[RecordPlace]
    learnt: bool = True

    def __len__(self) -> int:
        return len(self.older)

    def rows_of(self, start: int, stop: int) -> Revisions:
        """Return those among the documents ``start`` to ``stop``."""
        if not self.older:
            return self
        first, last = np.searchsorted(self.rows, (start, stop)).tolist()
        return Revisions(self.rows[first:last] - np.int32(start), self.older[first:last], self.learnt)


NO_REVISIONS = Revisions(np.zeros(0, np.int32), [])


@dataclass(frozen=True, slots=True, eq=False)
class Arrivals(Generic[Documents]):
    """Documents in one of their shapes, the answers that came among them, and which of them revise earlier ones.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for id in "ab":
    ...     builder.add({}, None, id=id)
    >>> whole = Arrivals(builder.take(), Answers(np.array([1, 2], np.int32), ["a", "b"], [["war"], ["sport"]]))
    >>> whole.rows(0, 1).answers.ids, whole.rows(1, 2).answers.ids
    ([], ['a', 'b'])
    """

    documents: Documents
    answers: Answers = NO_ANSWERS
    revised: Revisions = NO_REVISIONS

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def ids(self) -> Strings:
        """The ids of the documents."""
        return self.documents.ids

    def rows(self, start: int, stop: int, since: int | None = None) -> Arrivals[Documents]:
        """Return the documents ``start`` to ``stop`` with the answers before each, and after the last document of all.

        With ``since``, the answers from that earlier row on come with them; the documents between are left out.
        """
        found = self.answers
        if not len(found):
            return Arrivals(self.documents.rows(start, stop), revised=self.revised.rows_of(start, stop))
        since = start if since is None else since
        first = 0 if not since else bisect_left(found.rows, since) if since < len(self) else len(found)
        last = bisect_left(found.rows, stop) if stop < len(self) else len(found)
        rows = np.maximum(found.rows[first:last] - np.int32(start), 0)
        answers = Answers(rows, found.ids[first:last], found.labels[first:last])
        return Arrivals(self.documents.rows(start, stop), answers, self.revised.rows_of(start, stop))

    def without(self, documents: int, answers: int) -> Arrivals[Documents]:
        """Return all but the first ``documents`` documents and the first ``answers`` answers."""
        found = self.answers
        rows = np.maximum(found.rows[answers:] - np.int32(documents), 0)
        rest = Answers(rows, found.ids[answers:], found.labels[answers:])
        revised = self.revised.rows_of(documents, len(self))
        return Arrivals(self.documents.rows(documents, len(self)), rest, revised)

    def split(self) -> tuple[Arrivals[Documents], Arrivals[Documents] | None]:
        """Return the documents with the answers before them, and the answers behind the last by themselves."""
        found, size = self.answers, len(self)
        before = bisect_left(found.rows, size)
        if before == len(found):
            return self, None
        first = Answers(found.rows[:before], found.ids[:before], found.labels[:before])
        return Arrivals(self.documents, first, self.revised), self.without(size, before)


def without_rows(item: Any, rows: Sequence[int]) -> Iterator[Any]:
    """Yield the documents of ``item`` in stretches that leave out ``rows``, and each such row's number at its place.

    Answers before a row that is left out come with the next stretch. If there are no ``rows``, yield ``item`` itself,
    even if it is empty: an empty item is a pause of a live source.
    """
    if not len(rows):
        yield item
        return
    since = start = 0
    for row in [*rows, len(item)]:
        if row > start:
            whole = row - start == len(item)
            yield (
                item if whole else item.rows(start, row, since) if isinstance(item, Arrivals) else item.rows(start, row)
            )
            since = row
        if row < len(item):
            yield row
        start = row + 1
    if isinstance(item, Arrivals) and len(item.answers) and (since < len(item) or not len(item)):
        rest = item.rows(len(item), len(item), since)
        if len(rest.answers):
            yield rest


def merge_answers(
    documents: Documents, answers: Iterable[tuple[int, Answer | DeadLetter]]
) -> Iterator[Arrivals[Documents] | DeadLetter]:
    """Yield documents with the answers that come before their rows; an answer that could not be read has its own place.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> builder.add({}, None, id="a")
    >>> broken = DeadLetter(b"{", "answers.jsonl", 1, 0, "answer", "broken")
    >>> merged = merge_answers(builder.take(), [(1, broken)])
    >>> [len(item) if isinstance(item, Arrivals) else item.reason for item in merged]
    [1, 'broken']
    """
    start, found = 0, list[tuple[int, Answer]]()
    for row, one in answers:
        if isinstance(one, DeadLetter):
            if row > start or found:
                yield _with(documents, start, row, found)
            yield one
            start, found = row, []
        else:
            found.append((row, one))
    if len(documents) > start or found:
        yield _with(documents, start, len(documents), found)


def _with(documents: Documents, start: int, stop: int, found: list[tuple[int, Answer]]) -> Arrivals[Documents]:
    rows = np.array([row - start for row, _ in found], np.int32)
    answers = Answers(rows, [one.id for _, one in found], [one.labels for _, one in found])
    return Arrivals(documents.rows(start, stop), answers)

"""Where a source stands, told at its place among the documents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.stream.answers import Exchange
from telex.stream.deadletter import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.stream._seen import Seen
    from telex.stream.state import State


class Mark(NamedTuple):
    """The state of a source after the ``documents`` that it has given out in this pass and before any other.

    A source may have read on when its documents are learnt: only what it tells between two of them says how to go on
    from there.
    """

    documents: int
    state: State


class Skipping:
    """What ``source`` has, without the ``documents``, ``answers`` and ``letters`` taken from it before; this once.

    An archive tells the same in each pass: to go on in its midst is to read it again and leave out what is done. With
    ``whole`` it is first read to its end: its tables then know all that a pass has to tell. Of one that is ``live``,
    which cannot be read again, those are left out whose ids are in ``known``.

    >>> from telex.learners.batch import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for id in "abc":
    ...     builder.add({}, None, id=id)
    >>> source = Skipping([builder.take()])
    >>> source.documents = 2
    >>> [list(batch.ids) for batch in source], [list(batch.ids) for batch in source]
    ([['c']], [['a', 'b', 'c']])
    """

    def __init__(self, source: Iterable[Any]) -> None:
        self.source = source
        self.documents = self.answers = self.letters = 0
        self.whole = False
        self.known: Seen | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(object.__getattribute__(self, "source"), name)

    def __iter__(self) -> Iterator[Any]:
        documents, answers, letters, whole = self.documents, self.answers, self.letters, self.whole
        self.documents, self.answers, self.letters, self.whole = 0, 0, 0, False
        if whole:
            for _ in self.source:
                pass
        for item in self.source:
            if not (documents or letters or answers) and self.known is None:
                yield item
                continue
            if self.known is not None and not isinstance(item, DeadLetter):
                yield from _unknown(item, self.known)
                continue
            if isinstance(item, DeadLetter):
                if letters:
                    letters -= 1
                else:
                    yield item
                continue
            gone = min(documents, len(item))
            documents -= gone
            if isinstance(item, Exchange):
                told = min(answers, len(item.answers))
                answers -= told
                left = item.answers.rest(told)
                if gone < len(item) or len(left):
                    batch = item.batch.rows(gone, len(item))
                    yield Exchange(batch, replace(left, rows=left.rows - np.int32(gone)))
            elif gone < len(item):
                yield item.rows(gone, len(item)) if gone else item


def _unknown(item: Any, known: Seen) -> Iterator[Any]:
    """Yield the documents of ``item`` whose ids are not known."""
    start = 0
    for row in [*known.again(item.ids.data, np.ascontiguousarray(item.ids.offsets)), len(item)]:
        if row > start:
            yield item.rows(start, row)
        start = row + 1

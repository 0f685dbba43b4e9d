"""Batches at hand as a source: lists, generators, and sources that do not know their positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.base import Batch
from telex.stream.sources.arrivals import Arrivals
from telex.stream.sources.source import Source, SourceInfo
from telex.stream.sources.stages import SkipAhead

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.stream.sources.dead_letter import DeadLetter
    from telex.stream.sources.train_test import Boundary


class IterableSource(Source):
    """The batches of any iterable, up to a run's limit; to resume, it is read again and what was learnt is skipped.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for id in "abc":
    ...     builder.add({}, None, id=id)
    >>> source = IterableSource([builder.take()])
    >>> source.prepare(None, 2)
    >>> source.skip(1, 0, 0)
    >>> [list(batch.ids) for batch in source], [list(batch.ids) for batch in source]
    ([['b']], [['a', 'b']])
    """

    def __init__(self, items: Source | Iterable[Any]) -> None:
        self._items = items
        self._skip, self._prefill_tables = SkipAhead(), False
        self._limit: int | None = None

    @property
    def info(self) -> SourceInfo:
        """The title of the items and whether they are live, as far as they know."""
        return self._items.info if isinstance(self._items, Source) else SourceInfo()

    def prepare(self, test_after: Boundary | None, limit: int | None = None, **how: Any) -> None:
        """Set after how many documents a pass ends."""
        self._limit = limit
        if isinstance(self._items, Source):
            self._items.prepare(test_after, limit, **how)

    def check_unchanged(self) -> None:
        """Check the items, if they are a source."""
        if isinstance(self._items, Source):
            self._items.check_unchanged()

    def skip(self, documents: int, answers: int, letters: int, *, prefill_tables: bool = False) -> None:
        """Let the next pass skip its first ``documents``, ``answers`` and ``letters``.

        With ``prefill_tables``, a whole pass is read first, so that the tables have all its names.
        """
        self._skip.documents, self._skip.answers, self._skip.letters = documents, answers, letters
        self._prefill_tables = prefill_tables

    def __iter__(self) -> Iterator[Batch | Arrivals[Batch] | DeadLetter]:
        left = None if self._limit is None else self._limit - self._skip.documents
        prefill, self._prefill_tables = self._prefill_tables, False
        if prefill:
            for _ in self._items:
                pass
        if left == 0:
            return
        for item in self._skip(self._items):
            if left is None or not isinstance(item, (Batch, Arrivals)):
                yield item
                continue
            yield item.rows(0, left) if left < len(item) else item
            left = max(0, left - len(item))
            if not left:
                return


def as_source(items: Source | Iterable[Any]) -> Source:
    """Return a source as it is, and any other iterable of batches as one."""
    return items if isinstance(items, Source) else IterableSource(items)

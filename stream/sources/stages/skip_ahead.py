"""The stage that skips what a resumed run has had before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.sources.arrivals import Arrivals, without_rows
from telex.stream.sources.dead_letter import DeadLetter
from telex.stream.sources.stages.duplicate_ids import repeated_rows
from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.stream._seen import Seen


class SkipAhead(Stage):
    """Leaves out the first ``documents``, ``answers`` and ``letters``: what a resumed run has had of this pass.

    Its next iteration skips them, later ones skip nothing. For a source that cannot be read again, which has no such
    counts, it leaves out the documents whose ids are ``known``.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for id in "abc":
    ...     builder.add({}, None, id=id)
    >>> skip, batches = SkipAhead(), [builder.take()]
    >>> skip.documents = 2
    >>> [list(batch.ids) for batch in skip(batches)], [list(batch.ids) for batch in skip(batches)]
    ([['c']], [['a', 'b', 'c']])
    """

    name = "skip ahead"
    summary = "when a run resumes, leave out what it has had"

    def __init__(self) -> None:
        self.documents = self.answers = self.letters = 0
        self.known: Seen | None = None

    def __call__(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the items without those that the run has had."""
        documents, answers, letters = self.documents, self.answers, self.letters
        self.documents = self.answers = self.letters = 0
        for item in items:
            if isinstance(item, DeadLetter):
                if letters and self.known is None:
                    letters -= 1
                else:
                    yield item
            elif self.known is not None:
                rows = repeated_rows(self.known, item.ids)
                yield from (piece for piece in without_rows(item, rows) if not isinstance(piece, int))
            elif not (documents or answers):
                yield item
            else:
                had = min(documents, len(item))
                documents -= had
                if isinstance(item, Arrivals):
                    had_answers = min(answers, len(item.answers))
                    answers -= had_answers
                    rest = item.without(had, had_answers)
                    if len(rest) or len(rest.answers):
                        yield rest
                elif had < len(item):
                    yield item.rows(had, len(item))

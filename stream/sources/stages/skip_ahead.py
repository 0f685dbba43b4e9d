"""The stage that skips what a resumed run has had before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.sources.arrivals import Arrivals, without_rows
from telex.stream.sources.dead_letter import DeadLetter
from telex.stream.sources.stages.duplicate_ids import repeated_rows
from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.stream._seen import Seen


class SkipAhead(Stage):
    """Leaves out the first ``documents``, ``answers`` and ``letters``: what a resumed run has had of this pass.

    Its next iteration skips them, later ones skip nothing. A record that the run has had can no longer be passed over:
    ``too_late`` are the places that only the resumed run asks to pass over. For a source that cannot be read again,
    which has no such counts, it leaves out the documents whose ids are ``known``.

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
        self.too_late: frozenset[str] = frozenset()

    def __call__(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the items without those that the run has had."""
        documents, answers, letters = self.documents, self.answers, self.letters
        self.documents = self.answers = self.letters = 0
        for item in items:
            if isinstance(item, DeadLetter):
                if letters + documents and self.known is None and item.stage == "skip":
                    self._check_not_had(item)
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

    def _check_not_had(self, letter: DeadLetter) -> None:
        if letter.place in self.too_late:
            raise UsageError(
                f"the record at {letter.place} comes before the checkpoint: the run has learnt it, and cannot pass "
                "over it; leave it out of --skip-records"
            )

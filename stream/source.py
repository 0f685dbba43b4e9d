"""Where documents come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.batch import Batch
    from telex.stream.deadletter import DeadLetter


class Source(Protocol):
    """A stream of documents that can be begun again.

    Each ``iter`` starts at the first document; the batches of all passes number their features and labels in the same
    tables. A broken record comes as a :class:`DeadLetter` at its place among the documents, so that
    a run that stops between two items has seen all before and nothing after. How the documents
    are cut into batches is the source's affair: it must change nothing but speed.
    """

    def __iter__(self) -> Iterator[Batch | DeadLetter]: ...

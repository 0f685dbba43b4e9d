"""Where documents come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.batch import Batch
    from telex.stream.answers import Exchange
    from telex.stream.deadletter import DeadLetter
    from telex.stream.mark import Mark
    from telex.stream.posted import Posted
    from telex.stream.state import State
    from telex.stream.stories import Stories


class Source(Protocol):
    """A stream of documents that can be begun again.

    Each ``iter`` starts at the first document; the batches of all passes number their features and labels in the same
    tables. A broken record comes as a :class:`DeadLetter` at its place among the documents, so that
    a run that stops between two items has seen all before and nothing after. How the documents
    are cut into batches is the source's affair: it must change nothing but speed.

    Answers that come by themselves come in an :class:`~telex.stream.answers.Exchange` with the documents around them. A
    source that must know where the test part begins has a method ``prepare(test_after, limit, marks=...)``; a run calls
    it before the first pass. One that need not be read again to go on in its midst has ``mark``, ``end``, ``save`` and
    ``load``, as :class:`~telex.stream.features.Features` has.
    """

    def __iter__(self) -> Iterator[Batch | Exchange | DeadLetter | Mark]: ...


class Archive(Protocol):
    """What a format tells: stories, or documents whose features are known; the rest as a :class:`Source`.

    :class:`~telex.stream.features.Features` makes a source of it. An attribute ``text`` suggests settings for the
    words of its stories.
    """

    def __iter__(self) -> Iterator[Stories | Batch | DeadLetter]: ...


class Wire(Protocol):
    """An archive that knows where each of its records stands, and among whose documents answers may come."""

    def __iter__(self) -> Iterator[Posted | DeadLetter]: ...

    def passed(self, records: int) -> None:
        """Be told that so many documents, answers and dead letters have gone further: no place before is asked for."""
        ...

    def place(self, records: int) -> State:
        """Return where it stood after so many documents, answers and dead letters; any thread may ask."""
        ...

    def go_on(self, place: State) -> None:
        """Begin there; before it is iterated."""
        ...

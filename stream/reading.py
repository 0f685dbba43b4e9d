"""What a run reads, pass by pass, and where it stands in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.errors import UsageError
from telex.stream.deadletter import DeadLetter
from telex.stream.mark import Mark, Skipping

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from telex.learners.batch import Batch
    from telex.stream.answers import Exchange
    from telex.stream.boundary import Boundary
    from telex.stream.source import Source
    from telex.stream.state import State


class Reading:
    """The items of ``source`` that are to be learnt.

    A source that has ``mark``, ``end``, ``save`` and ``load`` says itself where it stands, by a
    :class:`~telex.stream.mark.Mark` among its documents. Any other is taken to tell the same in each pass: to go on in
    its midst is to read it again and leave out what is done.
    """

    def __init__(
        self,
        source: Source | Iterable[Any],
        test_after: Boundary | None,
        limit: int | None,
        *,
        marks: bool,
        strict: bool = False,
    ) -> None:
        self.documents = self.answers = self.letters = 0
        self.waiting = False
        self.marks = marks and hasattr(source, "mark")
        self.source: Any = source if self.marks else Skipping(source)
        if prepare := getattr(source, "prepare", None):
            prepare(test_after, limit, marks=self.marks)
        if strict and self.marks and (mark_letters := getattr(source, "mark_letters", None)):
            mark_letters()
        self._mark: Mark | None = None
        self._stood: list[int] = []
        self._going_on = self._ending = False

    @property
    def standing(self) -> bool:
        """Whether it is known here and now where the source stands."""
        return not self.marks or (self._mark is not None and self._stood == self.counts)

    @property
    def counts(self) -> list[int]:
        """How many documents, answers and dead letters of this pass were taken."""
        return [self.documents, self.answers, self.letters]

    def ask(self) -> None:
        """Have the place be known soon."""
        if self.marks:
            self.source.mark()

    def end(self) -> None:
        """End the pass as soon as the place is known, for a source that tells it; any thread may ask."""
        self._ending = True
        if self.marks:
            self.source.end()

    def __iter__(self) -> Generator[Batch | Exchange | DeadLetter | Mark, None, None]:
        """Yield the items of a pass; dead letters are counted here, documents and answers by whoever takes them."""
        if not self._going_on:
            self.documents = self.answers = self.letters = 0
        self._going_on = False
        return self._items()  # no generator itself: a pass has begun although nobody asks for its first item

    def _items(self) -> Generator[Batch | Exchange | DeadLetter | Mark, None, None]:
        items = iter(self.source)
        try:
            while True:
                self.waiting = not self.marks
                item = next(items, None)
                self.waiting = False
                if item is None or (self._ending and not self.marks):
                    return
                if isinstance(item, Mark):
                    self._mark, self._stood = item, self.counts
                elif isinstance(item, DeadLetter):
                    self.letters += 1
                yield item
        finally:
            self.waiting = False
            if hasattr(items, "close"):
                items.close()

    def save(self) -> State:
        """Return where the source stands."""
        state = self._mark.state if self._mark else None
        return {"counts": self.counts, "source": state if self.standing else None}

    def load(self, state: State, *, epoch: int, finished: bool = False) -> None:
        """Go on there: the next pass is the rest of that one, the so manieth; of a run that is ``finished`` none is."""
        self._going_on = True
        self.documents, self.answers, self.letters = map(int, state["counts"])
        if self.marks:
            if state["source"] is not None:
                self.source.load(state["source"])
            elif not finished:
                raise UsageError("the checkpoint does not tell where its source stood; take another, or begin anew")
        else:
            self.source.documents, self.source.answers, self.source.letters = self.documents, self.answers, self.letters
            self.source.whole = epoch > 1

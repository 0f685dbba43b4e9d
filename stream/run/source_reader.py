"""What a run reads, pass by pass, and where it stands in it."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter, IterableSource, Position

if TYPE_CHECKING:
    from telex.learners.base import Batch, State
    from telex.stream.sources import Arrivals, Boundary, Source


class Reading:
    """The items of ``source`` that are to be learnt.

    A source with ``positions`` says itself where it stands, by a :class:`~telex.stream.sources.Position` among its
    documents. Any other brings the same in each pass: to go on in its midst is to read it again and leave out what was
    learnt.
    """

    def __init__(
        self,
        source: Source,
        test_after: Boundary | None,
        limit: int | None,
        *,
        marks: bool,
        strict: bool = False,
    ) -> None:
        self.documents = self.answers = self.letters = 0
        self.waiting = False
        self.marks = marks and source.positions
        self._again = source if isinstance(source, IterableSource) else None
        if marks and not self.marks and self._again is None:
            self._again = IterableSource(source)
        self.source: Any = self._again or source
        self.source.prepare(test_after, limit, positions=self.marks, before_letters=strict and self.marks)
        self._position: Position | None = None
        self._stood: list[int] = []
        self._going_on = self._ending = False

    @property
    def standing(self) -> bool:
        """Whether it is known here and now where the source stands."""
        return not self.marks or (self._position is not None and self._stood == self.counts)

    @property
    def counts(self) -> list[int]:
        """How many documents, answers and dead letters of this pass were taken."""
        return [self.documents, self.answers, self.letters]

    def ask(self) -> None:
        """Have the place be known soon."""
        if self.marks:
            self.source.ask_position()

    def end(self) -> None:
        """End the pass as soon as the place is known, for a source that tells it; any thread may ask."""
        self._ending = True
        if self.marks:
            self.source.end()

    def __iter__(self) -> Generator[Batch | Arrivals[Batch] | DeadLetter | Position, None, None]:
        """Yield the items of a pass; dead letters are counted here, documents and answers by whoever takes them."""
        if not self._going_on:
            self.documents = self.answers = self.letters = 0
        self._going_on = False
        return self._items()  # no generator itself: a pass has begun although nobody asks for its first item

    def _items(self) -> Generator[Batch | Arrivals[Batch] | DeadLetter | Position, None, None]:
        items = iter(self.source)
        try:
            while True:
                self.waiting = not self.marks
                item = next(items, None)
                self.waiting = False
                if item is None or (self._ending and not self.marks):
                    return
                if isinstance(item, Position):
                    self._position, self._stood = item, self.counts
                elif isinstance(item, DeadLetter):
                    self.letters += 1
                yield item
        finally:
            self.waiting = False
            if isinstance(items, Generator):
                items.close()

    def save(self) -> State:
        """Return where the source stands."""
        state = self._position.state if self._position else None
        return {"counts": self.counts, "source": state if self.standing else None}

    def load(self, state: State, *, epoch: int, finished: bool = False) -> None:
        """Go on there: the next pass is the rest of that one, the so manieth; of a run that is ``finished`` none is."""
        self._going_on = True
        self.documents, self.answers, self.letters = map(int, state["counts"])
        if self.marks:
            if state["source"] is not None:
                self.source.seek(state["source"])
            elif not finished:
                raise UsageError("the checkpoint does not tell where its source stood; take another, or begin anew")
        elif self._again is not None:
            self._again.skip(*self.counts, whole=epoch > 1)

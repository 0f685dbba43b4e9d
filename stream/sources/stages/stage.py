"""One step on the way from an archive to the batches that learners see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.sources.dead_letter import DeadLetter
from telex.stream.sources.position import Position
from telex.stream.sources.source import Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.learners.base import State


class Stage:
    """Makes of some documents what the next stage takes, lazily and in their order; it is called once a pass.

    ``takes`` and ``gives`` name the shapes, for people. Dead letters pass by. So do positions, and each takes the state
    of the stage along (:meth:`save`). Stages pull from each other: when a position passes, all that came before it has
    passed and nothing after it.
    """

    name: str = ""
    takes: str = "documents"
    gives: str = "documents"
    summary: str = ""

    def __call__(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield what becomes of ``items``."""
        for item in items:
            if isinstance(item, DeadLetter):
                yield item
            elif isinstance(item, Position):
                item.state.update(self.save())
                yield item
            else:
                yield from self.each(item)

    def each(self, item: Any) -> Iterator[Any]:
        """Yield what becomes of some documents."""
        yield item

    def save(self) -> State:
        """Return the state between two documents."""
        return {}

    def load(self, state: State) -> State:
        """Go on from a position with this state; return the state for the stages before."""
        return state

    def step(self) -> Step:
        """Return a line about it, for people."""
        return Step(self.name, self.takes, self.gives, self.summary)

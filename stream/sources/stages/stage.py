"""One step on the way from an archive to the batches that learners see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.sources.dead_letter import DeadLetter
from telex.stream.sources.position import Position
from telex.stream.sources.source import StageLine

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.learners.base import State


class Stage:
    """Turns documents into what the next stage takes, lazily and in order; it is called once a pass.

    ``takes`` and ``gives`` name the shapes, for people. Dead letters pass unchanged. So do positions, to which the
    stage adds its state (:meth:`save`). Stages pull from each other: when a position passes, all documents before it
    have passed and none after it.
    """

    name: str = ""
    takes: str = "documents"
    gives: str = "documents"
    summary: str = ""

    def __call__(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield what the next stage takes."""
        for item in items:
            if isinstance(item, DeadLetter):
                yield item
            elif isinstance(item, Position):
                item.state.update(self.save())
                yield item
            else:
                yield from self.each(item)

    def each(self, item: Any) -> Iterator[Any]:
        """Yield what the stage makes of some documents."""
        yield item

    def save(self) -> State:
        """Return the state between two documents."""
        return {}

    def load(self, state: State) -> State:
        """Restore the state of a position; return the state for the stages before."""
        return state

    def check_unchanged(self) -> None:
        """Raise a StoppedError if something has changed that this stage itself reads."""

    def line(self) -> StageLine:
        """Return the line that explains the stage."""
        return StageLine(self.name, self.takes, self.gives, self.summary)

"""What a run reads, pass by pass, and where its source stands."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.sources import Iterated, Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Batch, State
    from telex.stream.run.progress import Progress
    from telex.stream.run.settings import RunSettings
    from telex.stream.run.sink import Sink
    from telex.stream.sources import Arrivals, DeadLetter, Source


class SourceReader:
    """Reads the items of ``source``, and tells the sinks when the run waits for it.

    If the run is ``kept`` in checkpoints and the source has positions, the source itself says where it stands, by a
    :class:`~telex.stream.sources.Position` among its documents: such a reader has ``positions``. Any other source
    brings the same in each pass: a resumed run reads it again and leaves out what was learnt. Whoever takes an item
    counts it, in ``progress``.
    """

    def __init__(
        self, source: Source, settings: RunSettings, progress: Progress, sinks: Sequence[Sink], *, kept: bool
    ) -> None:
        self.waiting = False
        self.positions = kept and source.positions
        self._progress, self._sinks = progress, sinks
        self._again = source if isinstance(source, Iterated) else None
        if kept and not self.positions and self._again is None:
            self._again = Iterated(source)
        self._source: Any = self._again or source
        letters = settings.strict and self.positions
        self._source.prepare(settings.boundary, settings.limit, positions=self.positions, before_letters=letters)
        self._position: Position | None = None
        self._position_at: list[int] = []
        self._resuming = self._ending = False

    @property
    def live(self) -> bool:
        """Whether the next pass brings what has come since, and not the same again."""
        return bool(self._source.info.live)

    @property
    def at_position(self) -> bool:
        """Whether it is known here and now where the source stands."""
        return not self.positions or (self._position is not None and self._position_at == self._progress.records)

    def ask_position(self) -> None:
        """Ask a source that has positions for one; it comes among the documents that follow."""
        if self.positions:
            self._source.ask_position()

    def end(self) -> None:
        """End the pass, behind the next position if the source has them; any thread may call."""
        self._ending = True
        if self.positions:
            self._source.end()

    def __iter__(self) -> Generator[Batch | Arrivals[Batch] | DeadLetter | Position, None, None]:
        """Yield the items of a pass."""
        if not self._resuming:
            self._progress.records = [0, 0, 0]
        self._resuming = False
        return self._items()  # no generator itself: a pass has begun although nobody asks for its first item

    def _items(self) -> Generator[Batch | Arrivals[Batch] | DeadLetter | Position, None, None]:
        items = iter(self._source)
        try:
            while (item := self._next(items)) is not None and (self.positions or not self._ending):
                if isinstance(item, Position):
                    self._position, self._position_at = item, self._progress.records
                yield item
        finally:
            if isinstance(items, Generator):
                items.close()

    def _next(self, items: Any) -> Any:
        try:
            self.waiting = not self.positions
            for sink in self._sinks:
                sink.waiting()
            # Whoever has ended the run before it waited could not know that it would.
            return None if self._ending and self.waiting else next(items, None)
        finally:
            self.waiting = False
            for sink in self._sinks:
                sink.working()

    def save(self) -> State:
        """Return where the source stands."""
        state = self._position.state if self._position else None
        return {"counts": self._progress.records, "source": state if self.at_position else None}

    def load(self, state: State, *, epoch: int, finished: bool = False) -> None:
        """Go on there: the next pass is the rest of the pass ``epoch``; a ``finished`` run has none."""
        self._resuming = True
        self._progress.records = list(map(int, state["counts"]))
        if self.positions:
            if state["source"] is not None:
                self._source.seek(state["source"])
            elif not finished:
                raise UsageError("the checkpoint does not tell where its source stood; take another, or begin anew")
        elif self._again is not None:
            self._again.skip(*self._progress.records, whole=epoch > 1)


def place_of(reading: State) -> State | None:
    """Return where the source stood, from what :meth:`SourceReader.save` returned; None if it knows no records."""
    place: State | None = (reading["source"] or {}).get("place")
    return place

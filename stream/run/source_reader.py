"""The reader of a run's source, pass by pass, and its position."""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, Any

from telex.learners.base import UsageError
from telex.stream.sources import IterableSource, Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Batch, State
    from telex.stream.run.progress import Progress
    from telex.stream.run.settings import RunSettings
    from telex.stream.run.sink import Sink
    from telex.stream.sources import Arrivals, DeadLetter, Source


class SourceReader:
    """Reads the items of ``source``, and notifies the sinks when the run waits for it.

    If the run is ``checkpointed`` and the source has positions, the source itself reports how far it has come, by a
    :class:`~telex.stream.sources.Position` among its documents: such a reader has ``positions``. Any other source
    brings the same in each pass: a resumed run reads it again and skips what it has learnt. The caller counts each item
    in ``progress``.
    """

    def __init__(
        self, source: Source, settings: RunSettings, progress: Progress, sinks: Sequence[Sink], *, checkpointed: bool
    ) -> None:
        self.waiting = False
        self.positions = checkpointed and source.positions
        self._progress, self._sinks = progress, sinks
        self._rereadable = source if isinstance(source, IterableSource) else None
        if checkpointed and not self.positions and self._rereadable is None:
            self._rereadable = IterableSource(source)
        self._source: Any = self._rereadable or source
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
    def goes_on(self) -> bool:
        """Whether there may be more behind what a finished run has read: files that it is fed, say."""
        return self.live and self._source.wire is not None

    @property
    def at_position(self) -> bool:
        """Whether the position of the source is known at this document."""
        return not self.positions or (self._position is not None and self._position_at == self._progress.records)

    def ask_position(self) -> None:
        """Ask a source that has positions for one; it comes among the documents that follow."""
        if self.positions:
            self._source.ask_position()

    def check_unchanged(self) -> None:
        """Raise a StoppedError if what the run reads has changed; any thread may call."""
        self._source.check_unchanged()

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
        return self._items()  # not itself a generator: the pass has begun even if its first item is never taken

    def _items(self) -> Generator[Batch | Arrivals[Batch] | DeadLetter | Position, None, None]:
        items = iter(self._source)
        try:
            while (item := self._next(items)) is not None and (self.positions or not self._ending):
                if isinstance(item, Position):
                    self._position, self._position_at = item, self._progress.records
                yield item
            self.check_unchanged()  # also where a limit has ended the pass
        finally:
            if isinstance(items, Generator):
                items.close()

    def _next(self, items: Any) -> Any:
        try:
            self.waiting = not self.positions
            for sink in self._sinks:
                sink.waiting()
            # end() may have been called before the run came to wait: then it must not wait.
            return None if self._ending and self.waiting else next(items, None)
        finally:
            self.waiting = False
            for sink in self._sinks:
                sink.working()

    def save(self) -> State:
        """Return the counts of the pass, and the position of the source if it is known."""
        state = self._position.state if self._position else None
        return {"counts": self._progress.records, "source": state if self.at_position else None}

    def load(self, state: State, *, epoch: int, finished: bool = False) -> None:
        """Resume there: the next pass is the rest of the pass ``epoch``; a ``finished`` run has none."""
        self._resuming = True
        self._progress.records = list(map(int, state["counts"]))
        if self.positions:
            if state["source"] is not None:
                self._source.seek(state["source"])
            elif not finished and (epoch > 1 or any(self._progress.records)):  # else nothing of it has been read
                raise UsageError(
                    "the checkpoint does not hold the position of its source; use another one, or start a new run"
                )
        elif self._rereadable is not None:
            self._rereadable.skip(*self._progress.records, prefill_tables=epoch > 1)


def wire_place(reading: State) -> State | None:
    """Return the place of a wire in what :meth:`SourceReader.save` returned; None if the source is no wire."""
    place: State | None = (reading["source"] or {}).get("place")
    return place

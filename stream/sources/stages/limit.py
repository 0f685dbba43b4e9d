"""The limit of a pass, and the positions among its documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.stream.sources.arrivals import Arrivals
from telex.stream.sources.dead_letter import DeadLetter
from telex.stream.sources.position import Position
from telex.stream.sources.source import Wire
from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from telex.learners.base import Keys, State
    from telex.stream.sources.source import Archive

PIECE = 256
"""How many documents come at a time if positions come between them; a run that stops still learns as many."""


class Limit(Stage):
    """Ends a pass after ``limit`` documents or once ``ending`` is set, and yields positions between documents.

    ``documents_out`` returns how many documents of the pass have left the pipeline; later stages leave some out. The
    counts ``documents``, ``answers`` and ``letters`` are those of the records read, also of those left out.

    The position at the end of an archive that was read whole has the ``ids`` of its documents, as hashes, and whether
    they are no more than positions: what a run needs that goes on with further files.
    """

    name = "limit"
    summary = "end the pass at the limit; give positions"

    def __init__(
        self, archive: Archive, documents_out: Callable[[], int], ids: Callable[[], Keys] | None = None
    ) -> None:
        self._archive, self._wire = archive, archive if isinstance(archive, Wire) else None
        self._documents_out, self._ids = documents_out, ids
        self.limit: int | None = None
        self.positions = self.before_letters = False
        self.position_requested = self.ending = False
        self.documents = self.answers = self.letters = self.passes = 0

    def begin(self) -> None:
        """Begin a pass."""
        self.passes += 1
        self.documents = self.answers = self.letters = 0

    def __call__(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the items of a pass, and positions on request, before letters and at the end."""
        waiting, exhausted = iter(items), False
        while self.open:
            if (item := next(waiting, None)) is None:
                exhausted = not self.ending
                break
            if isinstance(item, DeadLetter):
                if self.positions and self.before_letters:
                    yield self._position()
                self.letters += 1
                yield item
            else:
                yield from self._cut(item)
            if self._wire is not None:
                self._wire.drop_places_before(self._read)
            yield from self._requested_position()
        if self.positions:
            yield self._last_position() if exhausted else self._position()

    def _cut(self, item: Any) -> Iterator[Any]:
        """Yield the documents of ``item`` in pieces, no more than may still come."""
        size, start, rest = len(item), 0, None
        if isinstance(item, Arrivals):
            item, rest = item.split()
        if not size and rest is None and self.positions:
            yield item  # nothing comes for now: meanwhile the run may have other work, such as a checkpoint
        most = PIECE if self.positions else size
        while start < size and (left := self._left) != 0 and not self.ending:
            stop = min(size, start + (most if left is None else min(most, left)))
            piece = item if stop - start == size else item.rows(start, stop)
            yield piece
            self.documents += stop - start
            self.answers += len(piece.answers) if isinstance(piece, Arrivals) else 0
            start = stop
            if start < size:
                yield from self._requested_position()
        if rest is not None and start == size and self.open:
            yield rest
            self.answers += len(rest.answers)

    def _requested_position(self) -> Iterator[Position]:
        if self.position_requested:
            self.position_requested = False
            yield self._position()

    def _position(self) -> Position:
        return Position(self._documents_out(), self.save())

    def _last_position(self) -> Position:
        found = self._position()
        if self._ids is not None and self.passes == 1:
            found.state["end"] = {"ids": self._ids(), "ids_are_positions": self._archive.ids_are_positions}
        return found

    @property
    def open(self) -> bool:
        """Whether more documents may come in this pass."""
        return not self.ending and self._left != 0

    @property
    def _left(self) -> int | None:
        return None if self.limit is None else max(0, self.limit - self._documents_out())

    @property
    def _read(self) -> int:
        return self.documents + self.answers + self.letters

    def save(self) -> State:
        """Return the counts, and the place of a wire after the records read."""
        return {
            "passes": self.passes,
            "documents": self.documents,
            "letters": self.letters,
            "answers": self.answers,
            "place": None if self._wire is None else self._wire.place(self._read),
            "ids": None,
            "skipped": sorted(self._archive.skip_records),
        }

    def load(self, state: State) -> State:
        """Restore what :meth:`save` returned, within a pass."""
        self.passes = int(state["passes"])
        self.documents, self.letters, self.answers = (int(state[name]) for name in ("documents", "letters", "answers"))
        if self._wire is not None:
            self._wire.seek(state["place"])
        return state

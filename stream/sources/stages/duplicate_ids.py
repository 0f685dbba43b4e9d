"""Documents whose id came before: they become dead letters."""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Batch
from telex.stream._seen import Seen
from telex.stream.sources.arrivals import without_rows
from telex.stream.sources.dead_letter import DeadLetter
from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from telex.learners.base import Keys, State, Strings
    from telex.stream.sources.source import Archive


class DuplicateIds(Stage):
    """Makes a dead letter of a document whose id came before among the last ``window`` documents of the pass.

    Later documents take over its stream number. Ids are compared by 64 bits of hash; memory holds at most 25 bytes for
    each document of the window. With ``stored``, positions have the hashes and later passes know them too: this is for
    archives that cannot be read again. An archive without duplicates passes unchanged: one whose ``ids_are_positions``,
    or that was written without them (``distinct_ids``).

    >>> from telex.learners.base import BatchBuilder
    >>> stream = BatchBuilder()
    >>> for id in ["2286", "2287", "2286", "2288"]:
    ...     stream.add({"cup": 1.0}, ["sport"], id=id)
    >>> first, letter, last = DuplicateIds()([stream.take()])
    >>> list(first.ids), letter.reason, list(last.ids), last.numbers.tolist()
    (['2286', '2287'], 'duplicate id "2286"', ['2288'], [2])
    """

    name = "duplicate ids"
    summary = "an id that came before is a dead letter"

    def __init__(self, window: int = 1_000_000, archive: Archive | None = None, *, stored: bool = False) -> None:
        self.window, self.archive, self.stored = window, archive, stored
        self._seen, self._gone = Seen(window), 0

    def __call__(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield the items, those that came before as dead letters."""
        if self.archive is not None and (self.archive.ids_are_positions or self.archive.distinct_ids):
            return iter(items)
        if not self.stored:
            self._seen, self._gone = Seen(self.window), 0
        return super().__call__(items)

    def each(self, item: Any) -> Iterator[Any]:
        """Yield documents in stretches, and letters between them."""
        for piece in without_rows(item, repeated_rows(self._seen, item.ids)):
            if isinstance(piece, int):
                self._gone += 1
                yield duplicate_letter(item.ids[piece], self.archive.title if self.archive else "stream")
            elif self._gone and isinstance(piece, Batch):
                yield dataclasses.replace(piece, numbers=piece.numbers - self._gone)
            else:
                yield piece

    def hashes(self) -> Keys:
        """Return the hashes of the ids, the oldest first."""
        return self._seen.hashes()

    def save(self) -> State:
        """Return the hashes of the ids."""
        return {"ids": self.hashes()}

    def load(self, state: State) -> State:
        """Restore the hashes of the ids; None are those of an archive whose ids are positions."""
        if self.stored and state["ids"] is not None:
            self._seen.repeated(np.ascontiguousarray(state["ids"], np.uint64))
        return state


def repeated_rows(seen: Seen, ids: Strings) -> list[int]:
    """Return the rows whose ids came before; all are remembered."""
    return seen.repeated_texts(ids.data, np.ascontiguousarray(ids.offsets))


def duplicate_letter(name: str, path: str) -> DeadLetter:
    """Return the dead letter for a document whose id came before."""
    shown = json.dumps(name, ensure_ascii=False)
    return DeadLetter(json.dumps({"id": name}).encode(), path, None, None, "join", f"duplicate id {shown}")

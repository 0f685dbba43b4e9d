"""Documents that wait for their answers, with what the learners predicted for them."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import Batch
from telex.stream.checkpoints import Block
from telex.stream.delayed_labels.pending_block import Piece, Said, Stretch
from telex.stream.delayed_labels.spill_file import Aside

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Ids, Names, Offsets, State

_TOGETHER = 1024
"""Places per stretch: neighbours in the stream go to disk together. A stretch is smaller if few may be in memory."""
_AT_HAND = 8
"""How many stretches read from disk stay cached."""


_FIRST = np.zeros(1, np.int32)


class Found(NamedTuple):
    """Rows of one piece that a query asked for: row ``rows[i]`` of ``piece`` is entry ``at[i]`` of the query.

    A query for the places [7, 3, 8] over pieces with the places [2, 3] and [7, 8, 9] gives two: the first piece with
    ``at=[1]`` and ``rows=[1]``, and the second with ``at=[0, 2]`` and ``rows=[0, 1]``.
    """

    piece: Piece
    at: Ids
    rows: Ids


class Waiting:
    """Documents by their place in the stream; beyond ``limit`` documents the oldest go to disk, into one file.

    Neighbours share a stretch: stretch n has the places from n * size up to (n + 1) * size. It is freed when the last
    of its documents is released, so one document that waits for long keeps its whole stretch. The cost of a document
    does not depend on how many wait.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.memory = 0
        self._size = min(_TOGETHER, max(1, limit // 4))
        self._stretches: dict[int, Stretch] = {}
        self._newest = -1  # the stretch to which documents are still added
        self._in_memory: OrderedDict[int, Stretch] = OrderedDict()  # those that may be put on disk, the oldest first
        self._at_hand: OrderedDict[int, Piece] = OrderedDict()
        self._aside = Aside("give a smaller --expire-after")
        self._serial = 0

    def add(self, places: Offsets, batch: Batch, said: Mapping[int, Said]) -> None:
        """Add documents with the predictions for them; places ascend from call to call."""
        start, count = 0, len(places)
        while start < count:
            number = int(places[start]) // self._size
            stop = start + 1 if start + 1 == count else int(np.searchsorted(places, (number + 1) * self._size))
            if number != self._newest:
                self._close()
                self._newest = number
            if (stretch := self._stretches.get(number)) is None:
                stretch = self._stretches[number] = Stretch()
            self._serial += 1
            whole = stop - start == count
            rows = slice(start, stop)
            piece = Piece.of(
                places if whole else places[rows],
                batch if whole else batch.rows(start, stop),
                said if whole else {number: one.rows(rows) for number, one in said.items()},
            )
            stretch.add(piece, self._serial)
            self.memory += stop - start
            start = stop
        self._make_room()

    def find(self, places: Offsets) -> list[Found]:
        """Return the pieces that hold ``places``, with their rows; each place must be waiting."""
        if len(places) == 1:
            piece = self._piece(int(places[0]))
            row = 0 if len(piece.places) == 1 else int(np.searchsorted(piece.places, places[0]))
            return [Found(piece, _FIRST, np.array([row], np.int32))]
        # Sorted by place, the documents of one piece stand together; order[i] is where entry i stood before.
        order = np.argsort(places, kind="stable")
        ascending = places[order]
        found, start = [], 0
        while start < len(places):
            piece = self._piece(int(ascending[start]))
            stop = start + int(np.searchsorted(ascending[start:], piece.places[-1], side="right"))
            rows = np.searchsorted(piece.places, ascending[start:stop])
            found.append(Found(piece, order[start:stop].astype(np.int32), rows.astype(np.int32)))
            start = stop
        return found

    def release(self, places: Sequence[int]) -> None:
        """Release the documents at ``places``: they wait no more."""
        for place in places:
            number = place // self._size
            stretch = self._stretches[number]
            stretch.held -= 1
            if not stretch.held:
                del self._stretches[number]
                self._at_hand.pop(number, None)
                self._in_memory.pop(number, None)
                if not stretch.on_disk:
                    self.memory -= stretch.rows

    def save(self) -> State:
        """Return all documents as plain data; those on disk are read only if no earlier checkpoint has stored them."""
        return {
            "serial": self._serial,
            "newest": self._newest,
            "stretches": [
                {
                    "number": number,
                    "held": one.held,
                    "stamp": one.stamp,
                    "arrays": Block(f"waiting-{number}", one.stamp, one.kept()),
                }
                for number, one in self._stretches.items()
            ],
        }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self._serial, self._newest = int(state["serial"]), int(state["newest"])
        for one in state["stretches"]:
            stretch, number, arrays = Stretch(), int(one["number"]), dict(one["arrays"])
            stretch.add(Piece(arrays.pop("places"), arrays), int(one["stamp"]), int(one["held"]))
            self._stretches[number] = stretch
            self.memory += stretch.rows
            if number != self._newest:
                stretch.close()
                self._in_memory[number] = stretch
        self._make_room()

    def _close(self) -> None:
        if (stretch := self._stretches.get(self._newest)) is not None:
            stretch.close()
            self._in_memory[self._newest] = stretch

    def _make_room(self) -> None:
        while self.memory > self.limit and self._in_memory:
            _, stretch = self._in_memory.popitem(last=False)
            stretch.put_aside(self._aside)
            self.memory -= stretch.rows

    def _piece(self, place: int) -> Piece:
        """Return the piece with the document at ``place``; the last few that were read from disk are cached."""
        number = place // self._size
        stretch = self._stretches[number]
        piece = stretch.piece_at(place) or self._at_hand.get(number)
        if piece is None:
            if len(self._at_hand) >= _AT_HAND:
                self._at_hand.popitem(last=False)
            piece = self._at_hand[number] = stretch.read()
        return piece


def documents(found: Sequence[Found], feature_names: Names, label_names: Names) -> Batch:
    """Return the documents found, in the order of the query, over these tables of names."""
    parts = [one.piece.batch(feature_names, label_names).take(one.rows) for one in found]
    at = np.concatenate([one.at for one in found])
    return (
        Batch.concat(parts) if (np.diff(at) == 1).all() else Batch.concat(parts).take(np.argsort(at).astype(np.int32))
    )


def said(found: Sequence[Found], learner: int, into: Said, at: Ids) -> None:
    """Write a learner's predictions for the documents found into ``into``: entry i of the query to row ``at[i]``."""
    for one in found:
        then, rows = one.piece.said(learner), at[one.at]
        width = then.scores.shape[1]
        into.scores[rows, :width] = then.scores[one.rows]
        into.relevant[rows, :width] = then.relevant[one.rows]
        into.known[rows] = then.known[one.rows]

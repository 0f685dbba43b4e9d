"""Documents that wait for their answers, with what the learners predicted for them."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import Batch
from telex.stream.checkpoints import Block
from telex.stream.delayed_labels.pending_block import PendingBatch, PendingBlock, PendingPredictions
from telex.stream.delayed_labels.spill_file import SpillFile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Ids, Names, Offsets, State

_BLOCK_SIZE = 1024
"""Places per block: neighbours in the stream go to disk together. With a small ``limit`` a block is smaller."""
_CACHED_BLOCKS = 8
"""How many blocks stay cached after they were read from disk."""


_FIRST = np.zeros(1, np.int32)


class Found(NamedTuple):
    """The documents of a query that one batch holds: row ``rows[i]`` of ``batch`` is entry ``entries[i]`` of the query.

    A query for the places [7, 3, 8] over batches with the places [2, 3] and [7, 8, 9] finds two of these: the first
    batch with ``entries=[1]`` and ``rows=[1]``, and the second with ``entries=[0, 2]`` and ``rows=[0, 1]``.
    """

    batch: PendingBatch
    entries: Ids
    rows: Ids


class PendingDocuments:
    """Documents by their place in the stream; beyond ``limit`` documents the oldest blocks go to disk, into one file.

    Block n holds the places n * size to (n + 1) * size - 1. With size 4, the documents at the places 3, 4 and 6 are in
    the blocks 0, 1 and 1. A block is freed when the last of its documents is released, so one document that waits for
    long holds its whole block. The cost of a document does not depend on how many wait.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.memory = 0
        self._size = min(_BLOCK_SIZE, max(1, limit // 4))
        self._blocks: dict[int, PendingBlock] = {}
        self._newest = -1  # the number of the block that still takes documents
        self._in_memory: OrderedDict[int, PendingBlock] = OrderedDict()  # closed ones, the oldest first
        self._cached: OrderedDict[int, PendingBatch] = OrderedDict()
        self._spill_file = SpillFile("give a smaller --expire-after")
        self._serial = 0

    def add(self, places: Offsets, batch: Batch, predictions: Mapping[int, PendingPredictions]) -> None:
        """Add documents with the predictions for them; places ascend from call to call."""
        start, count = 0, len(places)
        while start < count:
            number = int(places[start]) // self._size
            stop = start + 1 if start + 1 == count else int(np.searchsorted(places, (number + 1) * self._size))
            if number != self._newest:
                self._close()
                self._newest = number
            if (block := self._blocks.get(number)) is None:
                block = self._blocks[number] = PendingBlock()
            self._serial += 1
            whole = stop - start == count
            rows = slice(start, stop)
            part = PendingBatch.of(
                places if whole else places[rows],
                batch if whole else batch.rows(start, stop),
                predictions if whole else {number: one.rows(rows) for number, one in predictions.items()},
            )
            block.add(part, self._serial)
            self.memory += stop - start
            start = stop
        self._make_room()

    def find(self, places: Offsets) -> list[Found]:
        """Return the batches that hold ``places``, with their rows; a document must wait at each place."""
        if len(places) == 1:
            part = self._batch(int(places[0]))
            row = 0 if len(part.places) == 1 else int(np.searchsorted(part.places, places[0]))
            return [Found(part, _FIRST, np.array([row], np.int32))]
        # Sorted by place, the documents of one batch are neighbours. order[i] is the entry that was sorted to i:
        # the places [7, 3, 8] have the order [1, 0, 2], and ascend as [3, 7, 8].
        order = np.argsort(places, kind="stable")
        ascending = places[order]
        found, start = [], 0
        while start < len(places):
            part = self._batch(int(ascending[start]))
            stop = start + int(np.searchsorted(ascending[start:], part.places[-1], side="right"))
            rows = np.searchsorted(part.places, ascending[start:stop])
            found.append(Found(part, order[start:stop].astype(np.int32), rows.astype(np.int32)))
            start = stop
        return found

    def release(self, places: Sequence[int]) -> None:
        """Release the documents at ``places``, which no longer wait."""
        for place in places:
            number = place // self._size
            block = self._blocks[number]
            block.pending -= 1
            if not block.pending:
                del self._blocks[number]
                self._cached.pop(number, None)
                self._in_memory.pop(number, None)
                if not block.on_disk:
                    self.memory -= block.rows

    def save(self) -> State:
        """Return all documents as plain data; those on disk are read only if no earlier checkpoint has stored them."""
        return {
            "serial": self._serial,
            "newest": self._newest,
            "stretches": [
                {
                    "number": number,
                    "held": one.pending,
                    "stamp": one.stamp,
                    "arrays": Block(f"waiting-{number}", one.stamp, one.deferred_arrays()),
                }
                for number, one in self._blocks.items()
            ],
        }

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self._serial, self._newest = int(state["serial"]), int(state["newest"])
        for one in state["stretches"]:
            block, number, arrays = PendingBlock(), int(one["number"]), dict(one["arrays"])
            block.add(PendingBatch(arrays.pop("places"), arrays), int(one["stamp"]), int(one["held"]))
            self._blocks[number] = block
            self.memory += block.rows
            if number != self._newest:
                block.close()
                self._in_memory[number] = block
        self._make_room()

    def _close(self) -> None:
        if (block := self._blocks.get(self._newest)) is not None:
            block.close()
            self._in_memory[self._newest] = block

    def _make_room(self) -> None:
        while self.memory > self.limit and self._in_memory:
            _, block = self._in_memory.popitem(last=False)
            block.spill(self._spill_file)
            self.memory -= block.rows

    def _batch(self, place: int) -> PendingBatch:
        """Return the batch with the document at ``place``; the last few that were read from disk are cached."""
        number = place // self._size
        block = self._blocks[number]
        part = block.batch_at(place) or self._cached.get(number)
        if part is None:
            if len(self._cached) >= _CACHED_BLOCKS:
                self._cached.popitem(last=False)
            part = self._cached[number] = block.read()
        return part


def documents(found: Sequence[Found], feature_names: Names, label_names: Names) -> Batch:
    """Return the documents found, in the order of the query, over these tables of names."""
    parts = [one.batch.batch(feature_names, label_names).take(one.rows) for one in found]
    at = np.concatenate([one.entries for one in found])
    return (
        Batch.concat(parts) if (np.diff(at) == 1).all() else Batch.concat(parts).take(np.argsort(at).astype(np.int32))
    )


def fill_predictions(found: Sequence[Found], learner: int, into: PendingPredictions, rows: Ids) -> None:
    """Write a learner's predictions for the documents found into ``into``: entry i of the query to row ``rows[i]``."""
    for one in found:
        into.fill(rows[one.entries], one.batch.predictions(learner).rows(one.rows))

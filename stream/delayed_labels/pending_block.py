"""Neighbours in the stream that wait for their answers, with each learner's predictions, in memory or on disk."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.learners.base import Batch, Names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Flags, Ids, Offsets, Values
    from telex.stream.delayed_labels.spill_file import Aside, Extent

Arrays = dict[str, Any]
"""The arrays of a batch, ``batch.NAME``, and of each learner's predictions, ``NUMBER.NAME``."""

_NOBODY = Names()


class Said(NamedTuple):
    """One learner's predictions for some documents, as in :class:`~telex.learners.base.Predictions`."""

    scores: Values
    relevant: Flags
    known: Ids

    def rows(self, rows: slice | Ids) -> Said:
        """Return the predictions for some of them."""
        return Said(self.scores[rows], self.relevant[rows], self.known[rows])


class Piece(NamedTuple):
    """Documents that were added together; ``places`` ascend."""

    places: Offsets
    arrays: Arrays

    @classmethod
    def of(cls, places: Offsets, batch: Batch, said: Mapping[int, Said]) -> Piece:
        """Return the documents of ``batch`` with the learners' predictions."""
        arrays = {f"batch.{name}": array for name, array in batch.save().items()}
        for number, one in said.items():
            arrays[f"{number}.scores"], arrays[f"{number}.relevant"], arrays[f"{number}.known"] = one
        return cls(places, arrays)

    def batch(self, feature_names: Names = _NOBODY, label_names: Names = _NOBODY) -> Batch:
        """Return the documents over these tables of names."""
        state = {name[6:]: array for name, array in self.arrays.items() if name.startswith("batch.")}
        return Batch.load(state, feature_names, label_names)

    def kept(self) -> Arrays:
        """Return all arrays."""
        return {"places": self.places, **self.arrays}

    def said(self, learner: int) -> Said:
        """Return the predictions of the learner of that number."""
        return Said(*(self.arrays[f"{learner}.{field}"] for field in Said._fields))


class Stretch:
    """The waiting documents of one stretch of the stream.

    It is a list of pieces while documents are still added; ``close`` makes them one piece, which may go to disk.
    ``stamp`` changes with the contents. ``held`` is how many of the documents still wait.
    """

    def __init__(self) -> None:
        self.rows = self.held = self.stamp = 0
        self._pieces: list[Piece] = []
        self._firsts: list[int] = []
        self._whole: Piece | _OnDisk | None = None

    def add(self, piece: Piece, stamp: int, held: int | None = None) -> None:
        """Append documents; ``held`` of them still wait, all if it is None."""
        self._pieces.append(piece)
        self._firsts.append(int(piece.places[0]))
        self.rows += len(piece.places)
        self.held += len(piece.places) if held is None else held
        self.stamp = stamp

    def close(self) -> None:
        """Make one piece of all; call it once no more documents come.

        The arrays of the piece are copies, so the larger batches from which the documents were cut can be freed.
        """
        self._whole = together(self._pieces)
        self._pieces, self._firsts = [], []

    @property
    def on_disk(self) -> bool:
        """Whether the documents are on disk."""
        return isinstance(self._whole, _OnDisk)

    def put_aside(self, aside: Aside) -> None:
        """Write the documents to disk; the stretch must be closed."""
        assert isinstance(self._whole, Piece)
        self._whole = _OnDisk.of(self._whole, aside)

    def piece_at(self, place: int) -> Piece | None:
        """Return the piece with the document at ``place``, or None if it is on disk."""
        if self._whole is None:
            return self._pieces[bisect_right(self._firsts, place) - 1]
        return self._whole if isinstance(self._whole, Piece) else None

    def read(self) -> Piece:
        """Return all documents as one piece, read from disk if they are there."""
        whole = self._whole  # read once: a checkpoint's thread may be here while the documents go to disk
        if whole is None:
            return together(self._pieces)
        return whole if isinstance(whole, Piece) else whole.read()

    def kept(self) -> Any:
        """Return a function that returns the arrays as they are now; another thread may call it later."""
        if self._whole is None:
            pieces = list(self._pieces)
            return lambda: together(pieces).kept()
        return lambda: self.read().kept()


class _OnDisk(NamedTuple):
    places: Offsets
    layout: list[tuple[str, Any, tuple[int, ...], int]]
    extent: Extent

    @classmethod
    def of(cls, piece: Piece, aside: Aside) -> _OnDisk:
        arrays = {name: np.ascontiguousarray(array) for name, array in piece.arrays.items()}
        layout = [(name, array.dtype, array.shape, array.nbytes) for name, array in arrays.items()]
        return cls(piece.places, layout, aside.put(array.tobytes() for array in arrays.values()))

    def read(self) -> Piece:
        data = memoryview(self.extent.read())
        arrays, start = {}, 0
        for name, dtype, shape, size in self.layout:
            arrays[name] = np.frombuffer(data[start : start + size], dtype).reshape(shape)
            start += size
        return Piece(self.places, arrays)


def together(pieces: Sequence[Piece]) -> Piece:
    """Return ``pieces`` as one piece whose arrays are copies."""
    batches = [piece.batch() for piece in pieces]
    batch = Batch.concat([*batches, batches[0].rows(0, 0)])  # and an empty one: concat does not copy a single batch
    places = np.concatenate([piece.places for piece in pieces])
    learners = {int(name.partition(".")[0]) for name in pieces[0].arrays if name[0] != "b"}
    said = {number: _stacked([piece.said(number) for piece in pieces]) for number in sorted(learners)}
    return Piece.of(places, batch, said)


def _stacked(parts: Sequence[Said]) -> Said:
    """Return the predictions row after row; labels come in as the stream goes on, so later parts have more columns."""
    rows, width = sum(len(one.known) for one in parts), max(one.scores.shape[1] for one in parts)
    stacked = Said(
        np.zeros((rows, width), np.float32), np.zeros((rows, width), np.bool_), np.concatenate([p.known for p in parts])
    )
    start = 0
    for one in parts:
        stop, columns = start + len(one.known), one.scores.shape[1]
        stacked.scores[start:stop, :columns], stacked.relevant[start:stop, :columns] = one.scores, one.relevant
        start = stop
    return stacked

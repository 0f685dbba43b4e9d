"""Neighbours in the stream that wait for their answers, beside what each learner said of them."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.learners.batch import Batch
from telex.learners.names import Names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.arrays import Flags, Ids, Offsets, Values
    from telex.stream.aside import Aside, Extent

Arrays = dict[str, Any]
"""The arrays of a batch, ``batch.NAME``, and of what each learner said, ``NUMBER.NAME``."""

_NOBODY = Names()


class Said(NamedTuple):
    """What one learner said of some documents, as in :class:`~telex.learners.predictions.Predictions`."""

    scores: Values
    relevant: Flags
    known: Ids

    def rows(self, rows: slice | Ids) -> Said:
        """Return what was said of some of them."""
        return Said(self.scores[rows], self.relevant[rows], self.known[rows])


class Piece(NamedTuple):
    """Documents that came together, by their places."""

    places: Offsets
    arrays: Arrays

    @classmethod
    def of(cls, places: Offsets, batch: Batch, said: Mapping[int, Said]) -> Piece:
        """Return the documents of ``batch`` and what the learners said of them."""
        arrays = {f"batch.{name}": array for name, array in batch.save().items()}
        for number, one in said.items():
            arrays[f"{number}.scores"], arrays[f"{number}.relevant"], arrays[f"{number}.known"] = one
        return cls(places, arrays)

    def batch(self, feature_names: Names = _NOBODY, label_names: Names = _NOBODY) -> Batch:
        """Return the documents over these tables."""
        state = {name[6:]: array for name, array in self.arrays.items() if name.startswith("batch.")}
        return Batch.load(state, feature_names, label_names)

    def kept(self) -> Arrays:
        """Return all arrays."""
        return {"places": self.places, **self.arrays}

    def said(self, learner: int) -> Said:
        """Return what the learner of that number said of them."""
        return Said(*(self.arrays[f"{learner}.{field}"] for field in Said._fields))


class Stretch:
    """What waits of a stretch of the stream: some pieces while documents still come, later one, perhaps on disk.

    ``stamp`` changes with what is in it, ``held`` is how many of its documents wait yet.
    """

    def __init__(self) -> None:
        self.rows = self.held = self.stamp = 0
        self._limit: list[Piece] = []
        self._firsts: list[int] = []
        self._whole: Piece | _OnDisk | None = None

    def add(self, piece: Piece, stamp: int, held: int | None = None) -> None:
        """Add documents behind those that are there."""
        self._limit.append(piece)
        self._firsts.append(int(piece.places[0]))
        self.rows += len(piece.places)
        self.held += len(piece.places) if held is None else held
        self.stamp = stamp

    def close(self) -> None:
        """Be told that no more documents come: what was cut from larger blocks is copied, and lets go of them."""
        self._whole = together(self._limit)
        self._limit, self._firsts = [], []

    @property
    def on_disk(self) -> bool:
        """Whether it has been put aside."""
        return isinstance(self._whole, _OnDisk)

    def put_aside(self, aside: Aside) -> None:
        """Put it on disk; it is closed."""
        assert isinstance(self._whole, Piece)
        self._whole = _OnDisk.of(self._whole, aside)

    def piece_at(self, place: int) -> Piece | None:
        """Return the piece with the document at ``place``; None where it is on disk."""
        if self._whole is None:
            return self._limit[bisect_right(self._firsts, place) - 1]
        return self._whole if isinstance(self._whole, Piece) else None

    def read(self) -> Piece:
        """Return all of it as one piece; what is on disk is read."""
        whole = self._whole  # asked for once: another thread may ask while it is put aside
        if whole is None:
            return together(self._limit)
        return whole if isinstance(whole, Piece) else whole.read()

    def kept(self) -> Any:
        """Return what tells the arrays of now when they are asked for, in another thread and later."""
        if self._whole is None:
            pieces = list(self._limit)
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
        found, start = {}, 0
        for name, dtype, shape, size in self.layout:
            found[name] = np.frombuffer(data[start : start + size], dtype).reshape(shape)
            start += size
        return Piece(self.places, found)


def together(pieces: Sequence[Piece]) -> Piece:
    """Return ``pieces`` as one with arrays of its own."""
    batches = [piece.batch() for piece in pieces]
    batch = Batch.concat([*batches, batches[0].rows(0, 0)])
    places = np.concatenate([piece.places for piece in pieces])
    learners = {int(name.partition(".")[0]) for name in pieces[0].arrays if name[0] != "b"}
    said = {number: _one_below_the_other([piece.said(number) for piece in pieces]) for number in sorted(learners)}
    return Piece.of(places, batch, said)


def _one_below_the_other(parts: Sequence[Said]) -> Said:
    rows, width = sum(len(one.known) for one in parts), max(one.scores.shape[1] for one in parts)
    found = Said(
        np.zeros((rows, width), np.float32), np.zeros((rows, width), np.bool_), np.concatenate([p.known for p in parts])
    )
    start = 0
    for one in parts:
        stop, columns = start + len(one.known), one.scores.shape[1]
        found.scores[start:stop, :columns], found.relevant[start:stop, :columns] = one.scores, one.relevant
        start = stop
    return found

"""A block of pending documents, neighbours in the stream, with each learner's predictions: in memory or on disk."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from telex.learners.base import Batch, Names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Flags, Ids, Offsets, Predictions, Values
    from telex.stream.delayed_labels.spill_file import Extent, SpillFile

Arrays = dict[str, Any]
"""The arrays of a batch, ``batch.NAME``, and of each learner's predictions, ``NUMBER.NAME``."""

_NO_NAMES = Names()


class PendingPredictions(NamedTuple):
    """One learner's predictions for some documents, as in :class:`~telex.learners.base.Predictions`."""

    scores: Values
    relevant: Flags
    known: Ids
    probabilities: Values | None = None

    @classmethod
    def of(cls, predictions: Predictions) -> PendingPredictions:
        """Return what is stored of a learner's predictions."""
        return cls(predictions.scores, predictions.relevant, predictions.known, predictions.probabilities)

    @classmethod
    def zeros(cls, rows: int, width: int, *, probabilities: bool) -> PendingPredictions:
        """Return predictions to be filled in."""
        scores, relevant = np.zeros((rows, width), np.float32), np.zeros((rows, width), np.bool_)
        return cls(scores, relevant, np.zeros(rows, np.int32), np.zeros_like(scores) if probabilities else None)

    def rows(self, rows: slice | Ids | Offsets) -> PendingPredictions:
        """Return the predictions for some of them."""
        probabilities = None if self.probabilities is None else self.probabilities[rows]
        return PendingPredictions(self.scores[rows], self.relevant[rows], self.known[rows], probabilities)

    def fill(self, at: slice | Ids | Offsets, then: PendingPredictions) -> None:
        """Write other predictions, of no more labels, into the rows ``at``."""
        width = then.scores.shape[1]
        for own, other in ((self.scores, then.scores), (self.probabilities, then.probabilities)):
            if own is not None and other is not None:
                own[at, :width] = other
        self.relevant[at, :width] = then.relevant
        self.known[at] = then.known


class PendingBatch(NamedTuple):
    """Documents that were added together; ``places`` ascend."""

    places: Offsets
    arrays: Arrays

    @classmethod
    def of(cls, places: Offsets, batch: Batch, predictions: Mapping[int, PendingPredictions]) -> PendingBatch:
        """Return the documents of ``batch`` with the learners' predictions."""
        arrays = {f"batch.{name}": array for name, array in batch.save().items()}
        for number, one in predictions.items():
            arrays |= {f"{number}.{name}": array for name, array in one._asdict().items() if array is not None}
        return cls(places, arrays)

    def batch(self, feature_names: Names = _NO_NAMES, label_names: Names = _NO_NAMES) -> Batch:
        """Return the documents over these tables of names."""
        state = {name[6:]: array for name, array in self.arrays.items() if name.startswith("batch.")}
        return Batch.load(state, feature_names, label_names)

    def all_arrays(self) -> Arrays:
        """Return all arrays."""
        return {"places": self.places, **self.arrays}

    def predictions(self, learner: int) -> PendingPredictions:
        """Return the predictions of the learner of that number."""
        scores, relevant, known = (self.arrays[f"{learner}.{name}"] for name in ("scores", "relevant", "known"))
        return PendingPredictions(scores, relevant, known, self.arrays.get(f"{learner}.probabilities"))


class PendingBlock:
    """The pending documents of one stretch of the stream.

    While documents are added it is a list of batches; ``close`` makes one batch of them, which may go to disk.
    ``stamp`` changes with the contents. ``rows`` counts all documents, ``pending`` those that still wait.
    """

    def __init__(self) -> None:
        self.rows = self.pending = self.stamp = 0
        self._batches: list[PendingBatch] = []
        self._firsts: list[int] = []
        self._whole: PendingBatch | _Spilled | None = None

    def add(self, part: PendingBatch, stamp: int, pending: int | None = None) -> None:
        """Append documents; ``pending`` of them still wait, all if it is None."""
        self._batches.append(part)
        self._firsts.append(int(part.places[0]))
        self.rows += len(part.places)
        self.pending += len(part.places) if pending is None else pending
        self.stamp = stamp

    def close(self) -> None:
        """Make one batch of all documents; call it once no more come.

        Its arrays are copies, so that the larger batches from which the documents were cut can be freed.
        """
        self._whole = concatenate(self._batches)
        self._batches, self._firsts = [], []

    @property
    def on_disk(self) -> bool:
        """Whether the documents are on disk."""
        return isinstance(self._whole, _Spilled)

    def spill(self, file: SpillFile) -> None:
        """Write the documents to disk; the block must be closed."""
        assert isinstance(self._whole, PendingBatch)
        self._whole = _Spilled.of(self._whole, file)

    def batch_at(self, place: int) -> PendingBatch | None:
        """Return the batch with the document at ``place``, or None if it is on disk."""
        if self._whole is None:
            return self._batches[bisect_right(self._firsts, place) - 1]
        return self._whole if isinstance(self._whole, PendingBatch) else None

    def read(self) -> PendingBatch:
        """Return all documents as one batch, read from disk if they are there."""
        whole = self._whole  # one access: a checkpoint's thread may be here while the run spills the block
        if whole is None:
            return concatenate(self._batches)
        return whole if isinstance(whole, PendingBatch) else whole.read()

    def deferred_arrays(self) -> Any:
        """Return a function that returns the arrays as they are now; another thread may call it later."""
        if self._whole is None:
            batches = list(self._batches)
            return lambda: concatenate(batches).all_arrays()
        return lambda: self.read().all_arrays()


class _Spilled(NamedTuple):
    places: Offsets
    layout: list[tuple[str, Any, tuple[int, ...], int]]
    extent: Extent

    @classmethod
    def of(cls, part: PendingBatch, file: SpillFile) -> _Spilled:
        arrays = {name: np.ascontiguousarray(array) for name, array in part.arrays.items()}
        layout = [(name, array.dtype, array.shape, array.nbytes) for name, array in arrays.items()]
        return cls(part.places, layout, file.put(array.tobytes() for array in arrays.values()))

    def read(self) -> PendingBatch:
        data = memoryview(self.extent.read())
        arrays, start = {}, 0
        for name, dtype, shape, size in self.layout:
            arrays[name] = np.frombuffer(data[start : start + size], dtype).reshape(shape)
            start += size
        return PendingBatch(self.places, arrays)


def concatenate(batches: Sequence[PendingBatch]) -> PendingBatch:
    """Return ``batches`` as one batch whose arrays are copies."""
    parts = [one.batch() for one in batches]
    batch = Batch.concat([*parts, parts[0].rows(0, 0)])  # and an empty one: concat does not copy a single batch
    places = np.concatenate([one.places for one in batches])
    # Names of arrays are batch.NAME, or NUMBER.NAME for the learner of that number.
    # The newest batch has the predictions of all learners that are still at work.
    learners = {int(name.partition(".")[0]) for name in batches[-1].arrays if not name.startswith("batch.")}
    predictions = {
        number: _concatenate_predictions([one.predictions(number) for one in batches]) for number in sorted(learners)
    }
    return PendingBatch.of(places, batch, predictions)


def _concatenate_predictions(parts: Sequence[PendingPredictions]) -> PendingPredictions:
    """Return the predictions row after row; new labels come with the stream, so later parts have more columns."""
    rows, width = sum(len(one.known) for one in parts), max(one.scores.shape[1] for one in parts)
    stacked = PendingPredictions.zeros(rows, width, probabilities=parts[-1].probabilities is not None)
    start = 0
    for one in parts:
        stop = start + len(one.known)
        stacked.fill(slice(start, stop), one)
        start = stop
    return stacked

"""A model of how many labels a document has, by its features: MetaLabeler."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.arow import AROW
from telex.learners.base import Events, Names

if TYPE_CHECKING:
    from telex.learners.base import Batch, Ids, Predictions, State

_MOST = 64
_NUMBERS = Names(str(number) for number in range(_MOST + 1))


class SetSizes:
    """Predicts how many labels a document has: AROW with a label for each number, up to 64 [^1].

    References
    ----------
    [^1]: L. Tang, S. Rajan, V. K. Narayanan: Large Scale Multi-Label Classification via MetaLabeler, WWW 2009.
    """

    def __init__(self, seed: int = 0) -> None:
        self._model = AROW(seed=seed)

    @property
    def memory_bytes(self) -> int:
        """The memory of the model."""
        return self._model.memory_bytes

    @property
    def finite(self) -> bool:
        """Whether no weight is NaN or infinite."""
        return self._model.finite

    def follow(self, batch: Batch, steps: Ids | None) -> Ids:
        """Predict the number of labels for each ask, and learn those of each answer."""
        return _sizes(self._model.progress(Events(_counted(batch), steps)))

    def scores(self, batch: Batch) -> Ids:
        """Predict the number of labels of each document; learn nothing."""
        return _sizes(self._model.scores(_counted(batch)))

    def save(self) -> State:
        """Return what was learnt as plain data."""
        return self._model.save()

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned."""
        self._model.load(state)


def _counted(batch: Batch) -> Batch:
    """Return the batch with one label for each document: how many it has."""
    counts = np.minimum(np.diff(batch.label_indptr), _MOST).astype(np.int32)
    return replace(batch, label_indptr=np.arange(len(batch) + 1, dtype=np.int64), labels=counts, label_names=_NUMBERS)


def _sizes(predictions: Predictions) -> Ids:
    """Return the number ranked first for each ask; 0 before the first answer."""
    numbers = np.zeros(predictions.scores.shape[1], np.int32)
    numbers[: len(predictions.labels)] = [int(str(name)) for name in predictions.labels]
    best = predictions.best().relevant
    sizes: Ids = np.where(best.any(axis=1), numbers[np.argmax(best, axis=1)], 0).astype(np.int32)
    return sizes

"""One judge for all: Telex's own losses, of scores and sets, whoever made them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from prequential.collections import numbered_by_appearance
from telex.learners import Names, Predictions
from telex.learners.losses import LOSSES, judge
from telex.stream.curves import Curve

if TYPE_CHECKING:
    from telex.learners import Batch

FIGURES = ("iserr", "errsetsize", "avgp", "zero_one", "micro_f1", "macro_f1")


class Judge:
    """Scores predictions of documents, in their order."""

    def __init__(self) -> None:
        self._curve = Curve([LOSSES[name] for name in FIGURES if name in LOSSES], 1000)

    def add(self, predictions: Predictions, batch: Batch) -> None:
        """Judge the predictions of a batch."""
        self._curve.add(judge(predictions, batch))

    def figures(self, labels: int) -> dict[str, float | None]:
        """Return the means so far; macro F1 is that of ``labels`` labels."""
        found = self._curve.so_far(labels)
        return {name: found[name] for name in FIGURES}


class Knowledge:
    """Which labels count as known before each document of a batch: those of the documents before it.

    A peer is told all labels beforehand. What it says of one that no document had yet is left out, so that it is ranked among the
    same labels as a learner that met them in the stream.
    """

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.order = numbered_by_appearance(batch)
        column = np.full(len(batch.label_names), -1, np.int32)
        column[self.order] = np.arange(len(self.order), dtype=np.int32)
        self.columns = column
        self.labels = Names([batch.label_names[label] for label in self.order.tolist()])
        newest = np.full(len(batch) + 1, -1, np.int64)
        rows = np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr))
        np.maximum.at(newest, rows + 1, column[batch.labels[batch.label_indptr[0] : batch.label_indptr[-1]]])
        self.known = (np.maximum.accumulate(newest)[:-1] + 1).astype(np.int32)

    def predictions(self, start: int, scores: np.ndarray, relevant: np.ndarray) -> tuple[Predictions, Batch]:
        """Return the predictions of the documents from ``start``: columns are labels in the order of their appearance."""
        stop = start + len(scores)
        piece = self.batch.rows(start, stop)
        known = self.known[start:stop]
        defined = np.arange(scores.shape[1]) < known[:, None]
        return Predictions(
            np.where(defined, scores, 0).astype(np.float32), relevant & defined, known,
            np.arange(len(scores), dtype=np.int32), self.columns, self.labels, self.labels.hashes(), 0, piece.numbers,
        ), piece  # fmt: skip

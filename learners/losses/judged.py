"""Predictions compared with the true labels: what every loss is computed from."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from telex.learners import _core
from telex.learners.base import InputError, Names
from telex.learners.losses.reliability import count_reliability

if TYPE_CHECKING:
    from telex.learners.base import Batch, Flags, Ids, Offsets, Predictions, Reals, Values


@dataclass(frozen=True, eq=False)
class Judged:
    """How the labels of each scored document are ranked and predicted: arrays with one entry a document.

    Y are the true labels of a document, N the other known ones. ``relevant`` is |Y| and ``irrelevant`` |N|. ``best``
    and ``worst`` are the ranks of the first and last label of Y (0 where Y is empty), ``rank_sum`` is the sum of all
    its ranks, ``precision_sum`` the sum over Y of the precision at each label's rank. ``first_irrelevant`` is the rank
    of the first label of N (|Y| + 1 where N is empty). ``tp``, ``fp`` and ``fn`` count labels of the predicted set.
    ``ranks[rank_indptr[i]:rank_indptr[i+1]]`` are the ranks of Y, ascending.
    ``marks`` are label ids times 4, plus 0 for a true positive, 1 for a false positive or 2 for a false negative, cut
    at ``mark_indptr``.
    """

    rows: Ids
    relevant: Ids
    irrelevant: Ids
    best: Ids
    worst: Ids
    rank_sum: Offsets
    first_irrelevant: Ids
    precision_sum: Reals
    tp: Ids
    fp: Ids
    fn: Ids
    ranks: Ids
    rank_indptr: Offsets
    marks: Ids
    mark_indptr: Offsets
    not_numbers: Ids
    """The rows of the batch for which a label's score was NaN; such a label ranks below all others."""
    label_names: Names = field(default_factory=Names)
    """The table of the label ids in ``marks``."""
    reliability: Offsets | None = None
    """What :mod:`telex.learners.losses.reliability` counts; None from a learner without probabilities."""

    compared: tuple[Predictions, Ids, Batch] | None = field(default=None, repr=False)
    """The predictions, the columns of label ids, and the batch with the answers."""

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def certainty(self) -> Values | None:
        """The probability that the learner gave to what is true of each label: a row a document, a column a label.

        It is NaN where the label was not known; None from a learner without probabilities.
        """
        return None if self.compared is None else _certainty(*self.compared)

    def ranked(self) -> Flags:
        """Return for which documents there is something to rank: neither Y nor N is empty."""
        return self._ranked

    @cached_property
    def _ranked(self) -> Flags:
        return (self.relevant > 0) & (self.irrelevant > 0)

    def first(self, k: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """Return which of the first ``k`` places of each ranking have a label of Y."""
        found = np.zeros((len(self), k), np.bool_)
        documents = np.repeat(np.arange(len(self)), np.diff(self.rank_indptr))
        near = self.ranks <= k
        found[documents[near], self.ranks[near] - 1] = True
        return found


def check_judged(judged: Judged, answers: int) -> None:
    """Raise an InputError unless each of the scored ``answers`` has been judged once."""
    if len(judged) != answers:
        raise InputError(
            f"{len(judged):,} of {answers:,} answered documents could be judged; let the rows of predictions be those "
            "of the documents asked"
        )


def judge(predictions: Predictions, batch: Batch) -> Judged:
    """Compare ``predictions`` with the true labels of ``batch``; leave out documents without any answer.

    ``batch`` may be another batch than the predicted one, with the same rows, because answers may come later. A label
    learnt in between counts as unknown to the prediction. A predicted label that the batch's table does not have yet
    gets an id there, so that its false positives are counted. A score that is no number (NaN) is the lowest of all.
    """
    table, columns = batch.label_names, predictions.columns
    if np.count_nonzero(columns >= 0) < len(predictions.keys):
        for label in predictions.labels:
            table.id(label)
        columns = table.columns(predictions.labels)
    reliability = count_reliability(predictions, columns, batch)
    counted = _core.judge(
        predictions.scores, predictions.relevant.view(np.uint8), predictions.known, predictions.rows,
        columns, predictions.keys, predictions.seed, predictions.numbers,
        batch.label_indptr, batch.labels, batch.labelled.view(np.uint8),
    )  # fmt: skip
    return Judged(
        reliability=reliability,
        label_names=table,
        compared=(predictions, columns, batch),
        **counted,
    )


def _certainty(predictions: Predictions, columns: Ids, batch: Batch) -> Values | None:
    if predictions.probabilities is None:
        return None
    asks = np.flatnonzero(batch.labelled[predictions.rows])
    rows, given = predictions.rows[asks], predictions.probabilities[asks]
    sizes = np.diff(batch.label_indptr)[rows]
    places = np.arange(sizes.sum()) + np.repeat(batch.label_indptr[rows] - np.cumsum(sizes) + sizes, sizes)
    labels = batch.labels[places]
    # A label that came after the prediction has no column.
    met = np.append(columns, -1)[np.minimum(labels, len(columns))]
    there = (met >= 0) & (met < given.shape[1])
    true = np.zeros(given.shape, np.bool_)
    true[np.repeat(np.arange(len(asks)), sizes)[there], met[there]] = True
    known = np.arange(given.shape[1]) < predictions.known[asks, None]
    found = np.full(given.shape, np.nan, given.dtype)
    np.copyto(found, given, where=known & true)
    np.subtract(1, given, out=found, where=known & ~true)
    return found

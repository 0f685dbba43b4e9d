"""Predictions of learners, and the order of asks and answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base.errors import InputError
from telex.learners.base.names import in_order
from telex.learners.base.tie_order import mix, mixed, tie_key, tie_keys

if TYPE_CHECKING:
    from collections.abc import Hashable

    from telex.learners.base.array_types import Flags, Ids, Keys, Offsets, Values
    from telex.learners.base.batch import Batch
    from telex.learners.base.names import Names


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """Asks and answers over the rows of a batch, in the order in which they happen.

    ``steps`` holds r for "predict row r" and ~r for "learn the answer to row r": [0, 1, ~0] predicts the rows 0 and 1,
    then learns row 0. None means a stream without delays, in which every document is asked, and answered at once if it
    is labelled. An answer may follow its ask at any distance; a row may be answered without an ask.
    """

    batch: Batch
    steps: Ids | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Scores and predicted sets for the documents asked, in the order of the asks.

    Row k of ``scores`` and ``relevant`` belongs to row ``rows[k]`` of the batch. Only its first ``known[k]`` columns
    are defined: the labels that the learner knew then. ``columns`` maps the label ids of the batch's table to columns
    (-1: not known); ``labels`` names the columns. ``probabilities`` are parallel to ``scores``, each between 0 and 1; a
    learner without probabilities gives None.
    """

    scores: Values
    relevant: Flags
    known: Ids
    rows: Ids
    columns: Ids
    labels: Names
    keys: Keys
    seed: int
    numbers: Offsets
    probabilities: Values | None = None

    @classmethod
    def of_all(cls, scores: Values, relevant: Flags, batch: Batch, labels: Names, seed: int) -> Predictions:
        """Return a batch learner's predictions for every document of ``batch``, over all its ``labels``."""
        n = len(batch)
        known, rows = np.full(n, len(labels), np.int32), np.arange(n, dtype=np.int32)
        columns, keys = batch.label_names.columns(labels), labels.hashes()
        return cls(scores, relevant, known, rows, columns, labels, keys, seed & 0xFFFFFFFFFFFFFFFF, batch.numbers)

    def __len__(self) -> int:
        return len(self.known)

    def ranking(self, k: int, top: int | None = None) -> list[tuple[Hashable, float]]:
        """Return the labels of the k-th ask with their scores, best first, ties by the named hash; NaN is lowest."""
        known, number = int(self.known[k]), int(self.numbers[k])
        scores = comparable(self.scores[k, :known])
        if top is not None and top < known:
            bar = np.partition(scores, known - top)[known - top] if top else np.inf
            candidates = np.flatnonzero(scores >= bar).tolist()
        else:
            candidates = list(range(known))
        score = dict(zip(candidates, scores[candidates].tolist(), strict=True))
        order = sorted(candidates, key=lambda c: (-score[c], tie_key(self.seed, number, self.labels[c]), c))
        return [(self.labels[c], float(self.scores[k, c])) for c in order[:top]]

    def set_of(self, k: int) -> list[Hashable]:
        """Return the labels predicted for the k-th ask."""
        return [self.labels[c] for c in np.flatnonzero(self.relevant[k, : self.known[k]]).tolist()]

    def probability(self, k: int, label: Hashable) -> float:
        """Return how probable a known label is for the k-th ask; NaN without probabilities."""
        return math.nan if self.probabilities is None else float(self.probabilities[k, self.labels.get(label)])

    # -- of many asks at once

    def rankings(self, top: int, start: int = 0, stop: int | None = None) -> list[list[tuple[Hashable, float]]]:
        """Return ``ranking(k, top)`` for the asks from ``start`` to ``stop``, all of them by default."""
        asks = slice(start, stop)
        scores, numbers = comparable(self.scores[asks]), self.numbers[asks].astype(np.uint64)
        there = np.arange(scores.shape[1]) < self.known[asks, None]
        if not top:
            return [[] for _ in scores]
        if top < scores.shape[1]:
            lowered = np.where(there, scores, np.float32(-np.inf))
            there &= scores >= np.partition(lowered, -top)[:, -top, None]
        rows, columns = np.nonzero(there)
        found = scores[rows, columns]
        keys = mixed(self.keys[columns] ^ mixed(np.uint64(mix(self.seed % 2**64)) ^ numbers)[rows])
        order = np.lexsort((columns, keys, -found, rows))
        begins = np.searchsorted(rows, np.arange(len(scores)))
        order = order[np.arange(len(rows)) - begins[rows] < top]
        labels = [self.labels[column] for column in columns[order].tolist()]
        shown = self.scores[asks][rows[order], columns[order]].tolist()
        return _by_row(list(zip(labels, shown, strict=True)), rows[order], len(scores))

    def sets(self) -> list[list[Hashable]]:
        """Return ``set_of(k)`` for each ask, in sorted order."""
        rows, columns = np.nonzero(self.relevant & (np.arange(self.relevant.shape[1]) < self.known[:, None]))
        labels = [self.labels[column] for column in columns.tolist()]
        return [in_order(some) for some in _by_row(labels, rows, len(self))]

    def best(self) -> Predictions:
        """Return predictions whose sets are the label ranked first alone; the set is empty if no label is known."""
        known = np.arange(self.scores.shape[1]) < self.known[:, None]
        scores = np.where(known, self.scores, -np.inf)
        relevant = known & (scores == scores.max(axis=1, initial=-np.inf, keepdims=True))
        tied = np.flatnonzero(np.count_nonzero(relevant, axis=1) > 1)
        if len(tied):
            places = tie_keys(self.seed, self.numbers[tied], self.keys)
            first = np.lexsort((places, ~relevant[tied, : places.shape[1]]), axis=1)[:, 0]
            relevant[tied] = False
            relevant[tied, first] = True
        return replace(self, relevant=relevant)


def comparable(scores: Values) -> Values:
    """Return ``scores`` with the lowest of all in place of NaN; the same array if there is none.

    >>> comparable(np.array([[0.5, np.nan]], np.float32)).tolist()
    [[0.5, -inf]]
    """
    if not scores.size or not np.isnan(scores.min()):
        return scores
    return np.where(np.isnan(scores), np.float32(-np.inf), scores)


def _by_row(items: list[Any], rows: Offsets, count: int) -> list[list[Any]]:
    """Cut a list into one list for each row; ``rows`` ascend."""
    cuts = np.searchsorted(rows, np.arange(count + 1)).tolist()
    return [items[cuts[row] : cuts[row + 1]] for row in range(count)]


def check_predictions(predictions: Predictions, asks: int) -> None:
    """Raise an InputError unless a learner has predicted each of ``asks`` documents once."""
    if not isinstance(predictions, Predictions):
        raise InputError(f"the learner returned {type(predictions).__name__}; let it return Predictions")
    scores, found = predictions.scores.shape, (len(predictions.rows), len(predictions.known), len(predictions.numbers))
    if len(scores) != 2 or scores != predictions.relevant.shape or (scores[0], *found) != (asks,) * 4:
        raise InputError(
            f"the learner was asked about {asks:,} documents, and its predictions have scores of shape {scores}, sets "
            f"of shape {predictions.relevant.shape} and {found[0]:,} rows; let it predict each document once"
        )
    probabilities = predictions.probabilities
    if probabilities is None:
        return
    if probabilities.shape != scores:
        raise InputError(
            f"the learner's probabilities have the shape {probabilities.shape}, and its scores {scores}; give each "
            "score its probability"
        )
    if not probabilities.size or (probabilities.min() >= 0 and probabilities.max() <= 1):
        return  # not so: some are wrong, or it is only those that are not defined
    known = np.arange(scores[1]) < predictions.known[:, None]
    if not ((probabilities >= 0) & (probabilities <= 1) | ~known).all():
        raise InputError("a probability of the learner is not within 0 and 1; let it give probabilities, or None")


def undelayed_steps(batch: Batch) -> Ids:
    """Return the steps of a stream without delays: each row is asked, and answered at once if it is labelled."""
    rows = np.arange(len(batch), dtype=np.int32)
    steps = np.stack([rows, ~rows], axis=1)
    return steps[np.stack([np.ones(len(rows), np.bool_), batch.labelled], axis=1)]


def answers_only(batch: Batch) -> Ids:
    """Return the steps that learn each labelled document and predict none."""
    return ~np.flatnonzero(batch.labelled).astype(np.int32)


def check_steps(batch: Batch, steps: Ids) -> None:
    """Raise an InputError if a step names a row that the batch has not."""
    if len(steps) and not -len(batch) <= steps.min() <= steps.max() < len(batch):
        raise InputError(f"a step names a row outside the batch's {len(batch)}; give r or ~r of its own rows")


def check_forgets_nothing(batch: Batch) -> None:
    """Raise an InputError if the batch forgets features: ``scores`` may not change the learner."""
    if batch.forget:
        raise InputError("scores changes no learner, and this batch forgets features; give progress asks only")


def forgotten_before(batch: Batch, steps: Ids) -> tuple[Offsets, Ids]:
    """Return, for each feature that a batch forgets, before which of ``steps``, as arrays (steps, features), ascending.

    Forgetting before row r happens before the first ask or answer of row r or a later one, else at the end.
    """
    if batch.forget is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int32)
    furthest = np.maximum.accumulate(np.where(steps >= 0, steps, ~steps))
    return np.searchsorted(furthest, batch.forget.rows, side="left").astype(np.int64), batch.forget.features

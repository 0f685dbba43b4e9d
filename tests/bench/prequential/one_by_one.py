"""Peers, fed with one document at a time."""

from __future__ import annotations

import time
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from prequential.judging import Judge, Knowledge
from telex.learners import Batch

if TYPE_CHECKING:
    from collections.abc import Callable

_AT_ONCE = 256


class Documents:
    """Documents for a peer: their features, and their labels numbered in the order of appearance."""

    def __init__(self, batches: list[Batch]) -> None:
        self.batch = Batch.concat(batches)
        self.knowledge = Knowledge(self.batch)
        self.labels = len(self.knowledge.order)
        self.features = len(self.batch.feature_names)
        ends = self.batch.indptr.tolist()
        self.rows = [(self.batch.features[a:b], self.batch.values[a:b]) for a, b in pairwise(ends)]
        columns, ends = self.knowledge.columns[self.batch.labels], self.batch.label_indptr.tolist()
        self.answers = [np.sort(columns[a:b]) for a, b in pairwise(ends)]

    def __len__(self) -> int:
        return len(self.rows)


def follow(
    documents: Documents,
    given: Callable[[int], Any],
    step: Callable[[Any], Any],
    scores_of: Callable[[Any, Any], np.ndarray],
) -> tuple[Judge, float]:
    """Take all documents through a peer; return its judge, and the seconds of its steps.

    ``given`` prepares document i, ``step`` predicts and learns it, and ``scores_of`` returns the scores of all labels from the two;
    only ``step`` is clocked. The set are the labels with a positive score.
    """
    judge, seconds = Judge(), 0.0
    for start in range(0, len(documents), _AT_ONCE):
        many = min(_AT_ONCE, len(documents) - start)
        scores = np.zeros((many, documents.labels))
        for k in range(many):
            thing = given(start + k)
            before = time.process_time()
            said = step(thing)
            seconds += time.process_time() - before
            scores[k] = scores_of(thing, said)
        judge.add(*documents.knowledge.predictions(start, scores, scores > 0))
    return judge, seconds

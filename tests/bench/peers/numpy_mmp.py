"""Perceptrons of all labels in one numpy table, a document at a time.

One against the rest (a perceptron a label, no ranking, no losses: the least that can be done, so the
fastest), and MMP itself with the six ranking losses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from clock import Measured, second_half
from documents import LABELS

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents


def one_against_rest(documents: Documents, folder: Path) -> Measured:
    """Predict, then move the perceptrons of the wrong labels only: faster here than to touch all columns."""
    documents, names = documents.numbered()
    weights = np.zeros((len(names), LABELS), np.float32)
    gathered = np.empty((np.diff(documents.indptr).max(), LABELS), np.float32)
    rows, truth = documents.rows(), documents.truth()

    def step(i: int) -> None:
        features, x = rows[i]
        # out= and mode="clip" spare an allocation and a copy: 1.1x of weights[features]
        scores = x @ weights.take(features, axis=0, out=gathered[: len(x)], mode="clip")
        wrong = np.flatnonzero((scores >= 0) != truth[i])
        if len(wrong):
            steps = np.where(truth[i, wrong], np.float32(2), np.float32(-2))
            weights[features[:, None], wrong] += x[:, None] * steps

    return second_half(len(documents), step)


def mmp(documents: Documents, folder: Path) -> Measured:
    """MMP with iserr and uniform penalties, and all ranking losses of each document."""
    documents, names = documents.numbered()
    weights = np.zeros((len(names), LABELS), np.float32)
    rows = documents.rows()
    answers = [np.array(answer) for answer in documents.answers()]
    sums = np.zeros(6)

    def step(i: int) -> None:
        (features, x), y = rows[i], answers[i]
        old = weights[features]
        scores = x @ old
        ranks = np.empty(LABELS, np.int64)
        ranks[np.argsort(-scores, kind="stable")] = np.arange(1, LABELS + 1)
        relevant = np.sort(ranks[y])
        m = len(y)
        above = relevant - np.arange(1, m + 1)  # irrelevant labels above each relevant one
        pairs = int(above.sum())
        first_irrelevant = int(np.argmax(above > 0)) + 1 if above[-1] else m + 1
        sums[0] += pairs > 0
        sums[1] += pairs
        sums[2] += max(0, relevant[-1] - first_irrelevant)
        sums[3] += (np.arange(1, m + 1) / relevant).mean()
        sums[4] += relevant[0] != 1
        sums[5] += relevant[-1] - 1
        if pairs:
            wrong = ranks[y][:, None] > ranks
            wrong[:, y] = False
            steps = -wrong.sum(axis=0, dtype=np.float32)
            steps[y] = wrong.sum(axis=1, dtype=np.float32)
            weights[features] = old + x[:, None] * (steps / np.float32(pairs))

    measured = second_half(len(documents), step)
    names_of_sums = ("iserr", "errsetsize", "margin", "avgp", "oneerr", "coverage")
    measured.notes.update(zip(names_of_sums, (sums / len(documents)).tolist(), strict=True))
    return measured

"""Perceptrons of all labels in one numpy table, a document at a time.

Two of them: one against the rest (a perceptron a label, no ranking, no losses: the least that a multilabel perceptron can do, so the
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
    """Predict, then move the wrong labels' perceptrons only: faster here than adding an outer product to all columns."""
    documents, names = documents.numbered()
    weights = np.zeros((len(names), LABELS), np.float32)
    gathered = np.empty((np.diff(documents.indptr).max(), LABELS), np.float32)
    bounds = documents.indptr.tolist()
    truth = np.zeros((len(documents), LABELS), np.bool_)
    truth[np.repeat(np.arange(len(documents)), np.diff(documents.label_indptr)), documents.labels] = True

    def step(i: int) -> None:
        features, x = documents.terms[bounds[i] : bounds[i + 1]], documents.values[bounds[i] : bounds[i + 1]]
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
    bounds = documents.indptr.tolist()
    answers = [np.array(answer) for answer in documents.answers()]
    sums = np.zeros(6)

    def step(i: int) -> None:
        features, x, y = documents.terms[bounds[i] : bounds[i + 1]], documents.values[bounds[i] : bounds[i + 1]], answers[i]
        rows = weights[features]
        scores = x @ rows
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
            weights[features] = rows + x[:, None] * (steps / np.float32(pairs))

    measured = second_half(len(documents), step)
    names_of_sums = ("iserr", "errsetsize", "margin", "avgp", "oneerr", "coverage")
    measured.notes.update(zip(names_of_sums, (sums / len(documents)).tolist(), strict=True))
    return measured

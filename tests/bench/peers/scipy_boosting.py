"""Boosting by sparse products: each round computes everything from all weights, two products a round.

A thousand rounds would take minutes, so a few are clocked: all rounds are the same work.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from clock import Measured
from ours_boosting import presence
from scipy.sparse import csr_matrix

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents

ROUNDS = 5


def multiple_pivots(documents: Documents, folder: Path) -> Measured:
    """MP-Boost."""
    return boosted(documents, multiple=True)


def one_pivot(documents: Documents, folder: Path) -> Measured:
    """AdaBoost.MH."""
    return boosted(documents, multiple=False)


def boosted(documents: Documents, *, multiple: bool) -> Measured:
    """Clock the rounds after the first."""
    batch = presence(documents)
    ones = np.ones(len(batch.features))
    rows = csr_matrix((ones, batch.features, batch.indptr), (len(batch), len(batch.feature_names)))
    terms, columns = rows.T, rows.tocsc()
    phi = np.zeros((len(batch), len(batch.label_names)), np.bool_)
    phi[np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr)), batch.labels] = True
    phi = phi[:, phi.any(axis=0)]
    n, m = phi.shape
    eps = 1 / (n * m)
    weights, labels = np.full((n, m), eps), np.arange(m)
    start = 0.0
    for number in range(ROUNDS + 1):
        if number == 1:
            start = time.perf_counter()
        positive = weights * phi
        negative = weights - positive
        p1, n1 = terms @ positive, terms @ negative
        p0, n0 = (positive.sum(axis=0) - p1).clip(0), (negative.sum(axis=0) - n1).clip(0)
        z = np.sqrt(p0 * n0)
        z += np.sqrt(p1 * n1)
        pivots = z.argmin(axis=0) if multiple else np.full(m, z.sum(axis=1).argmin())
        at = pivots, labels
        absent = np.log((p0[at] + eps) / (n0[at] + eps)) / 2
        present = np.log((p1[at] + eps) / (n1[at] + eps)) / 2
        said = np.tile(absent, (n, 1))
        for j in labels.tolist():
            pivot = pivots[j]
            said[columns.indices[columns.indptr[pivot] : columns.indptr[pivot + 1]], j] = present[j]
        weights *= np.exp(np.where(phi, -said, said))
        weights /= weights.sum(axis=0) if multiple else weights.sum()
    return Measured(ROUNDS, time.perf_counter() - start, {})

"""The weights of documents when new rounds join a committee."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Flags, Reals
    from telex.learners.boosting.committee import Committee
    from telex.learners.boosting.presence import Presence


def document_weights(presence: Presence, committee: Committee, *, multiple: bool, bounded: bool) -> Reals:
    """Return D (labels x documents), proportional to exp(-Phi f), where f is the score of ``committee`` in float64.

    With ``bounded`` it is proportional to min(1, exp(-Phi f)): however wrong the committee is about a document, it
    weighs no more than one with score 0. Without that bound, documents that came after the committee was boosted could
    take all the weight, and new rounds would learn from them alone.

    The weights of each label sum to 1, or, without ``multiple``, all weights together, as after any round. For a
    committee without rounds all weights are 1 / (g m), as before the first round.
    """
    n, m = len(presence.indptr) - 1, committee.absent.shape[1]
    if not len(committee):
        return np.full((m, n), 1 / max(1, n * m))
    exponents = committee_scores(presence, committee).T.copy()
    relevant = true_labels(presence, m)
    exponents[relevant] *= -1
    if bounded:
        np.minimum(exponents, 0.0, out=exponents)
    # Only differences matter: with e^0 as the largest weight, no sum is 0 or overflows.
    exponents -= exponents.max(axis=1 if multiple else None, keepdims=True)
    weights = np.exp(exponents, out=exponents)
    weights /= weights.sum(axis=1 if multiple else None, keepdims=True)
    return weights


def committee_scores(presence: Presence, committee: Committee) -> Reals:
    """Return f (documents x labels): the sum of the weights of the terms present, by ascending ids, plus the bias."""
    sparse = importlib.import_module("scipy.sparse")
    sums, n = committee.sums(len(committee)), len(presence.indptr) - 1
    size, labels = len(sums.terms), len(sums.bias)
    row_of = np.full(len(presence.terms), -1, np.int32)
    if size:
        places = np.searchsorted(sums.terms, presence.terms).clip(max=size - 1)
        row_of = np.where(sums.terms[places] == presence.terms, places, -1).astype(np.int32)
    rows = row_of[presence.places]
    pivots = rows >= 0
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(pivots)])[presence.indptr]
    present = sparse.csr_matrix((np.ones(int(indptr[-1])), rows[pivots], indptr), shape=(n, size))
    weights = sparse.csr_matrix((sums.weights, (sums.rows, sums.columns)), shape=(size, labels))
    f: Reals = (present @ weights).toarray()
    return f + sums.bias


def true_labels(presence: Presence, labels: int) -> Flags:
    """Return which labels (rows) each document (column) has."""
    relevant = np.zeros((labels, len(presence.indptr) - 1), np.bool_)
    relevant[presence.columns, np.repeat(np.arange(relevant.shape[1]), np.diff(presence.label_indptr))] = True
    return relevant

"""Features by Rocchio's score: where the documents with a label are, seen from those without."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Ids
    from telex.learners.batch import Batch


def rocchio(batch: Batch, per_label: int, positive: float = 16.0, negative: float = 4.0) -> Ids:
    """Return the ids of the features that are among the ``per_label`` best of some label, ascending.

    A feature's score for a label is ``positive`` times its mean value over the documents with the label, less
    ``negative`` times that over those without; only one above 0 counts. Equal scores come by id. Every document of the
    batch is taken as answered.

    >>> from telex.learners import BatchBuilder
    >>> stream = BatchBuilder()
    >>> stream.add({"cup": 1.0, "the": 1.0}, ["sport"])
    >>> stream.add({"gold": 1.0, "the": 4.0}, ["trade"])
    >>> batch = stream.take()
    >>> [batch.feature_names[f] for f in rocchio(batch, 1)]
    ['cup', 'the']
    """
    sparse = importlib.import_module("scipy.sparse")
    n = len(batch)
    span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
    features, columns = np.unique(batch.features[span], return_inverse=True)
    values = batch.values[span].astype(np.float64)
    x = sparse.csr_matrix((values, columns, batch.indptr - batch.indptr[0]), shape=(n, len(features)))
    named = batch.labels[int(batch.label_indptr[0]) : int(batch.label_indptr[-1])]
    labels, of = np.unique(named, return_inverse=True)
    y = sparse.csr_matrix((np.ones(len(of)), of, batch.label_indptr - batch.label_indptr[0]), shape=(n, len(labels)))
    without_any = sparse.csr_matrix(np.ones((1, n))) @ x
    inside = (y.T @ x).toarray()
    having = np.bincount(of, minlength=len(labels))[:, None]
    outside = without_any.toarray() - inside
    scores = positive * inside / having - negative * outside / np.maximum(n - having, 1)
    best = np.argsort(-scores, axis=1, kind="stable")[:, :per_label]
    chosen = np.take_along_axis(scores, best, axis=1) > 0
    return features[np.unique(best[chosen])]

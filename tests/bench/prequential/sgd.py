"""scikit-learn's SGDClassifier, one against the rest by ``partial_fit``, a document at a time.

A call of ``partial_fit`` for each label and document takes a quarter of a millisecond, of which nearly all is checks: hours for these
collections. So ``table`` computes for all labels at once what ``_plain_sgd`` computes for one; a test compares the two. ``clocked``
runs scikit-learn itself, in batches of 256 documents, as its users do: the pace in the table is that one's.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

from prequential.one_by_one import Documents, follow

if TYPE_CHECKING:
    from prequential.judging import Judge
    from telex.learners import Batch

CLOCKED = 1_024
_SPARSE_INTERCEPT = 0.01  # scikit-learn's own


class Table:
    """The weights of all labels: one row a feature, as in ``_plain_sgd``, which has one label."""

    def __init__(self, features: int, labels: int, loss: str, rate: float, *, dense: bool) -> None:
        self.loss, self.rate = loss, rate
        self.weights = np.zeros((features, labels))
        self.intercepts = np.zeros(labels)
        self.intercept_decay = 1.0 if dense else _SPARSE_INTERCEPT
        self.scale, self.t = 1.0, 1.0
        self.first = 1 / (np.sqrt(1 / np.sqrt(rate)) * rate)

    def predict(self, terms: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the decision values."""
        return values @ self.weights[terms] * self.scale + self.intercepts

    def learn(self, terms: np.ndarray, values: np.ndarray, said: np.ndarray, y: np.ndarray) -> None:
        """Learn a document with the labels ``y``, of -1 and 1, of which ``said`` are the decision values."""
        if self.loss == "pa1":
            square = values @ values
            if not square:
                return
            steps = np.minimum(self.rate, np.maximum(0, 1 - y * said) / square) * y
        else:
            eta = 1 / (self.rate * (self.first + self.t - 1))
            steps = eta * (y * (y * said <= 1) if self.loss == "hinge" else (y > 0) - expit(said))
            self.scale *= max(0, 1 - eta * self.rate)
            if self.scale < 1e-9:
                self.weights *= self.scale
                self.scale = 1.0
        moved = np.flatnonzero(steps)
        if len(moved):
            self.weights[terms[:, None], moved] += values[:, None] * (steps[moved] / self.scale)
        self.intercepts += steps * self.intercept_decay
        self.t += 1


def table(batches: list[Batch], loss: str, rate: float, *, dense: bool) -> tuple[Judge, float]:
    """Follow the documents, and clock scikit-learn on the first of them."""
    documents = Documents(batches)
    rows = Table(documents.features, documents.labels, loss, rate, dense=dense)
    signs = np.full(documents.labels, -1.0)

    def step(i: int) -> np.ndarray:
        terms, values = documents.rows[i]
        values = values.astype(np.float64)
        said = rows.predict(terms, values)
        signs[documents.answers[i]] = 1
        rows.learn(terms, values, said, signs)
        signs[documents.answers[i]] = -1
        return said

    judge, _ = follow(documents, lambda i: i, step, lambda _, said: said)
    pace = clocked(documents, loss, rate, dense=dense)
    return judge, len(documents) / pace


def estimator(loss: str, rate: float) -> object:
    """Return scikit-learn's own for one label."""
    from sklearn.linear_model import SGDClassifier  # noqa: PLC0415

    if loss == "pa1":
        return SGDClassifier(loss="hinge", penalty=None, learning_rate="pa1", eta0=rate, shuffle=False)
    return SGDClassifier(loss=loss, alpha=rate, shuffle=False)


def clocked(documents: Documents, loss: str, rate: float, *, dense: bool) -> float:
    """Return the documents a second of scikit-learn, which predicts batches of 256 and learns them: the best batch."""
    from sklearn.multioutput import MultiOutputClassifier  # noqa: PLC0415

    count, width = min(CLOCKED, len(documents)), 256
    batch = documents.batch.rows(0, count)
    x = matrix(batch, dense=dense)
    y = np.zeros((count, documents.labels), np.int8)
    for i in range(count):
        y[i, documents.answers[i]] = 1
    learner = MultiOutputClassifier(estimator(loss, rate))
    learner.partial_fit(x[:1], y[:1], classes=[np.arange(2)] * documents.labels)
    best = np.inf
    for i in range(0, count, width):
        start = time.process_time()
        learner.predict(x[i : i + width])
        learner.partial_fit(x[i : i + width], y[i : i + width])
        best = min(best, (time.process_time() - start) / len(y[i : i + width]))
    return 1 / best


def matrix(batch: Batch, *, dense: bool) -> object:
    """Return the features as scikit-learn takes them."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415

    shape = (len(batch), len(batch.feature_names))
    values = batch.values.astype(np.float64)
    found = csr_matrix((values[batch.indptr[0] : batch.indptr[-1]], batch.features[batch.indptr[0] : batch.indptr[-1]],
                        batch.indptr - batch.indptr[0]), shape=shape)  # fmt: skip
    return found.toarray() if dense else found

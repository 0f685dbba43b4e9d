"""scikit-learn: a perceptron a label by partial_fit, and its reader of svmlight files."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
from clock import Measured, second_half
from documents import LABELS
from lines import write_svmlight
from scipy.sparse import csr_matrix
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier
from sklearn.multioutput import MultiOutputClassifier

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents

BATCH = 256  # its overhead is by call: one document at a time would be a hundred times slower


def one_against_rest(documents: Documents, folder: Path) -> Measured:
    """Predict a batch of 256, then learn it."""
    documents, names = documents.numbered()
    x = csr_matrix((documents.values, documents.terms, documents.indptr), shape=(len(documents), len(names)))
    y = documents.truth().astype(np.int8)
    perceptron = SGDClassifier(loss="perceptron", penalty=None, learning_rate="constant", eta0=1, shuffle=False)
    learner = MultiOutputClassifier(perceptron)  # OneVsRestClassifier.partial_fit takes single labels only
    learner.partial_fit(x[:1], y[:1], classes=[np.arange(2)] * LABELS)

    def step(i: int) -> None:
        learner.predict(x[i : i + BATCH])
        learner.partial_fit(x[i : i + BATCH], y[i : i + BATCH])

    return second_half(len(documents), step, BATCH)


def reader(documents: Documents, folder: Path) -> Measured:
    """Read an svmlight file, and do nothing with it."""
    path = folder / "documents.svmlight"
    if not path.exists():
        write_svmlight(documents, path)
    start = time.perf_counter()
    load_svmlight_file(str(path), multilabel=True)
    return Measured(len(documents), time.perf_counter() - start, {})

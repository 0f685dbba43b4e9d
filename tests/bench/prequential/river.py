"""river's linear classifiers, one a label, fed with dicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from river import linear_model, optim

from prequential.one_by_one import Documents, follow

if TYPE_CHECKING:
    from collections.abc import Callable

    from prequential.judging import Judge
    from telex.learners import Batch


def passive_aggressive(batches: list[Batch], C: float) -> tuple[Judge, float]:  # noqa: N803 - river's own name
    """PAClassifier with its defaults but for C."""
    return one_a_label(batches, lambda: linear_model.PAClassifier(C=C))


def logistic(batches: list[Batch], lr: float) -> tuple[Judge, float]:
    """LogisticRegression by SGD with a constant rate."""
    return one_a_label(batches, lambda: linear_model.LogisticRegression(optimizer=optim.SGD(lr)))


def one_a_label(batches: list[Batch], make: Callable[[], Any]) -> tuple[Judge, float]:
    """Predict and learn each label; both classifiers know their decision value only as a probability."""
    documents = Documents(batches)
    learners = [make() for _ in range(documents.labels)]

    def given(i: int) -> tuple[dict[int, float], set[int]]:
        terms, values = documents.rows[i]
        return dict(zip(terms.tolist(), values.tolist(), strict=True)), set(documents.answers[i].tolist())

    def step(document: tuple[dict[int, float], set[int]]) -> np.ndarray:
        x, true = document
        scores = np.empty(len(learners))
        for label, learner in enumerate(learners):
            scores[label] = learner.predict_proba_one(x).get(True, 0.5) - 0.5
            learner.learn_one(x, label in true)
        return scores

    return follow(documents, given, step, lambda _, said: said)

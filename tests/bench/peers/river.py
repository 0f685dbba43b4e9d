"""river: a Perceptron for each label, fed with dicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clock import Measured, second_half
from documents import LABELS
from river.linear_model import Perceptron

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents


def one_against_rest(documents: Documents, folder: Path) -> Measured:
    """Predict and learn each label: river has no learner of several labels that shares the work."""
    xs = [dict(zip(terms.tolist(), values.tolist(), strict=True)) for terms, values in documents.rows()]
    answers = [set(answer) for answer in documents.answers()]
    perceptrons = [Perceptron() for _ in range(LABELS)]

    def step(i: int) -> None:
        x, answer = xs[i], answers[i]
        for label, perceptron in enumerate(perceptrons):
            perceptron.predict_one(x)
            perceptron.learn_one(x, label in answer)

    return second_half(len(documents), step)

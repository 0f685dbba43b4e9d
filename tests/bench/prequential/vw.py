"""Vowpal Wabbit: its one-against-all for several labels, and its label-dependent features with costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from vowpalwabbit import Workspace

from prequential.one_by_one import Documents, follow

if TYPE_CHECKING:
    from prequential.judging import Judge
    from telex.learners import Batch

_BITS = 24  # the default of 18 would put many weights in one slot


def one_against_all(batches: list[Batch], l: float) -> tuple[Judge, float]:  # noqa: E741 - VW's own name
    """``--multilabel_oaa`` with logistic loss: ``learn`` predicts first, and leaves that in the example."""
    documents = Documents(batches)
    options = f"--multilabel_oaa {documents.labels} --loss_function logistic --link logistic --probabilities"
    workspace = Workspace(f"{options} -b {_BITS} -l {l} --quiet")
    texts = features_of(documents)

    def given(i: int) -> Any:
        return workspace.parse(f"{','.join(map(str, documents.answers[i]))} |f {texts[i]}")

    def scores_of(example: Any, _: None) -> np.ndarray:
        # the example is used again later, and what it predicted before is still there
        scores = np.array(example.get_scalars()[-documents.labels :]) - 0.5
        workspace.finish_example(example)
        return scores

    return follow(documents, given, workspace.learn, scores_of)


def label_dependent(batches: list[Batch], l: float) -> tuple[Judge, float]:  # noqa: E741
    """``--csoaa_ldf m``: a line a label that costs 0 if it is true, else 1; the set are the labels with a cost below a half."""
    documents = Documents(batches)
    workspace = Workspace(f"--csoaa_ldf m -q sa -b {_BITS} -l {l} --quiet")
    texts = features_of(documents)

    def given(i: int) -> Any:
        true = set(documents.answers[i].tolist())
        lines = (f"{label}:{0 if label in true else 1} |a l{label}" for label in range(documents.labels))
        return workspace.parse("\n".join((f"shared |s {texts[i]}", *lines)))

    def scores_of(examples: Any, _: None) -> np.ndarray:
        scores = np.array([0.5 - example.get_partial_prediction() for example in examples[1:]])
        workspace.finish_example(examples)
        return scores

    return follow(documents, given, workspace.learn, scores_of)


def features_of(documents: Documents) -> list[str]:
    """Return the features of each document in VW's text format."""
    return [
        " ".join(f"{term}:{value:.9g}" for term, value in zip(terms.tolist(), values.tolist(), strict=True))
        for terms, values in documents.rows
    ]

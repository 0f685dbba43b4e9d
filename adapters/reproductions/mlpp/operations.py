"""The operations of BR, MMP and MLPP on RCV1, as their kernels count them, for tables I and IV of MLPP's paper."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.mlpp.learners import paper_learners
from telex.adapters.reproductions.mlpp.newest import read_newest
from telex.learners import Events
from telex.learners.losses import LOSSES, judge

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from telex.adapters.reproductions.mlpp.newest import Newest

COUNTING = ("br", "mmp", "mlpp")
_WEIGHT_BYTES = 4


def counted(data: str | os.PathLike[str], progress: Callable[[str], None], terms: int, seed: int) -> dict[str, Any]:
    """Learn the training part once and predict the test part; return what was counted, and what formulas need.

    ``counts`` has, for each learner, the operations of ``training`` (perceptrons ``tried`` and ``moved``) and of
    ``prediction``, and how many weights there is room for. ``K`` labels, ``L`` of them a training document, and ``N``
    features; ``losses`` has the training losses of MMP, each document before it was learnt, and the share of
    perceptrons tried that were wrong, of BR and of MLPP.
    """
    documents = read_newest(data, terms, progress)
    counts, losses = {}, {}
    for name in COUNTING:
        progress(f"counting the operations of {name}")
        counts[name], found = _counts(name, documents, seed)
        losses[name] = found
    return {
        "settings": documents.settings(terms=terms, seed=seed),
        "counts": counts,
        "losses": losses,
        "K": len(documents.train.label_names),
        "L": float(np.diff(documents.train.label_indptr).mean()),
        "N": len(documents.train.feature_names),
    }


def _counts(name: str, documents: Newest, seed: int) -> tuple[dict[str, int], dict[str, float]]:
    learner = paper_learners(seed)[name]
    learner.count_operations()
    losses = {}
    if name == "mmp":  # its formula needs losses
        judged = judge(learner.progress(Events(documents.train, None)), documents.train)
        losses = {loss: float(np.nanmean(LOSSES[loss].of(judged))) for loss in ("margin", "iserr")}
    else:
        learner.learn(documents.train)
    done = learner.operations
    learner.scores(documents.test)
    if name != "mmp":
        losses = {"wrong": done.moved / done.tried if done.tried else 0.0}
    return {
        "training": done.training,
        "tried": done.tried,
        "moved": done.moved,
        "prediction": learner.operations.predicted - done.predicted,
        "weights": learner.memory_bytes // _WEIGHT_BYTES,
    }, losses

"""Learners in memory, measured as the bare loops are: each stretch of documents counts with its fastest pass."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from clock import Measured
from ours import BATCH, RANKING_LOSSES, batch_of

from telex.learners import AROW, BR, MMP, PA, Chain, Events, Logistic, Uneven
from telex.learners.losses import LOSSES, judge

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents

PASSES = 10


def measured(make: Any, documents: Documents) -> Measured:
    """Predict, score by all ranking losses, learn."""
    batch = batch_of(documents)
    pieces = [batch.rows(i, i + BATCH) for i in range(0, len(batch) - BATCH + 1, BATCH)]
    best = np.full(len(pieces), np.inf)
    for _ in range(PASSES):
        learner = make()
        for i, piece in enumerate(pieces):
            start = time.perf_counter()
            judged = judge(learner.progress(Events(piece)), piece)
            for name in RANKING_LOSSES:
                np.nansum(LOSSES[name].of(judged))
            best[i] = min(best[i], time.perf_counter() - start)
    half = len(pieces) // 2
    return Measured((len(pieces) - half) * BATCH, float(best[half:].sum()), {})


def mmp(documents: Documents, folder: Path) -> Measured:
    """MMP."""
    return measured(MMP, documents)


def br(documents: Documents, folder: Path) -> Measured:
    """BR."""
    return measured(BR, documents)


def pa(documents: Documents, folder: Path) -> Measured:
    """PA."""
    return measured(PA, documents)


def uneven(documents: Documents, folder: Path) -> Measured:
    """Perceptrons with uneven margins."""
    return measured(Uneven, documents)


def arow(documents: Documents, folder: Path) -> Measured:
    """AROW."""
    return measured(AROW, documents)


def logistic(documents: Documents, folder: Path) -> Measured:
    """Logistic regression by AdaGrad."""
    return measured(Logistic, documents)


def chain(documents: Documents, folder: Path) -> Measured:
    """A chain of AROW classifiers."""
    return measured(Chain, documents)

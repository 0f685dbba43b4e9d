"""Learners in memory, measured as the bare loops are: each stretch of documents counts with its fastest pass.

Where the time of MMP goes, by a sampling profile on one core of a Zen 5 server (RCV1's vectors, batches of 1,024): 41 %
to score, 16 % to move weights, 20 % for what is MMP's own (pairs, threshold, the arrays of scores and sets), 15 % to
judge, 3 % to check the batch, 5 % for the six losses. A bare loop scores in nine tenths of the time, as nothing else
takes its place in the cache, moves weights as fast, and needs half as long for what is MMP's own. So even if judging,
checks and losses cost nothing, MMP would reach four fifths of it.

To judge within the kernel's loop, a few documents at a time while their scores are in the nearest cache, was tried and
gained nothing: 1,024 documents of scores fit into the second cache, and to judge them took as long from either.
"""

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
    best, losses = np.full(len(pieces), np.inf), np.empty((len(RANKING_LOSSES), BATCH))
    for _ in range(PASSES):
        learner = make()
        for i, piece in enumerate(pieces):
            start = time.perf_counter()
            judged = judge(learner.progress(Events(piece)), piece)
            for row, name in zip(losses, RANKING_LOSSES, strict=True):
                row[:] = LOSSES[name].of(judged)
            np.nansum(losses, axis=1)  # at once, as a curve sums them
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

"""What is measured of boosting: a thousand rounds, and the scoring of as many vectors as RCV1's test part has."""

from __future__ import annotations

import dataclasses
import time
from typing import TYPE_CHECKING

import numpy as np
from clock import Measured
from ours import batch_of

from telex.learners import AdaBoostMH, MPBoost, Names

if TYPE_CHECKING:
    from pathlib import Path

    from documents import Documents

    from telex.learners import Batch

ROUNDS = 1000
TERMS, LABELS = 46_160, 101  # of RCV1's training part
CLASSIFIED = 781_265
AT_ONCE = 5_000


def mpboost(documents: Documents, folder: Path) -> Measured:
    """A thousand rounds of MP-Boost, on one thread."""
    return fitted(MPBoost(ROUNDS, threads=1), documents)


def mpboost_two_threads(documents: Documents, folder: Path) -> Measured:
    """The same on two."""
    return fitted(MPBoost(ROUNDS, threads=2), documents)


def adaboost_mh(documents: Documents, folder: Path) -> Measured:
    """A thousand rounds of AdaBoost.MH, on one thread."""
    return fitted(AdaBoostMH(ROUNDS, threads=1), documents)


def fitted(model: MPBoost | AdaBoostMH, documents: Documents) -> Measured:
    """Clock the fit; a round counts as a document."""
    batch = presence(documents)
    start = time.perf_counter()
    model.fit(batch)
    return Measured(ROUNDS, time.perf_counter() - start, {})


def classify(documents: Documents, folder: Path) -> Measured:
    """Score 781,265 vectors by MP-Boost of a hundred rounds, batch by batch, on the threads that a user gets."""
    batch = presence(documents)
    model = MPBoost(ROUNDS // 10)
    model.fit(batch)
    parts = [batch.rows(at, min(at + AT_ONCE, len(batch))) for at in range(0, len(batch), AT_ONCE)]
    model.scores(parts[0])
    done, start = 0, time.perf_counter()
    while done < CLASSIFIED:
        for part in parts:
            done += len(model.scores(part))
    seconds = time.perf_counter() - start
    return Measured(CLASSIFIED, seconds * CLASSIFIED / done, {})


def presence(documents: Documents) -> Batch:
    """Return the documents with as many terms and labels as RCV1's training part.

    The synthetic newswire has fewer rare terms: places of its commonest ones are given to new terms, one to three each.
    """
    batch = batch_of(documents)
    kept = batch.labels < LABELS
    left = np.concatenate([np.zeros(1, np.int64), np.cumsum(kept)])
    rng, features = np.random.default_rng(0), batch.features.copy()
    missing = max(0, TERMS - len(np.unique(features))) if len(batch) > 20_000 else 0
    new = np.repeat(np.arange(missing, dtype=np.int32), rng.integers(1, 4, missing)) + np.int32(
        len(batch.feature_names)
    )
    common = np.flatnonzero(np.bincount(features)[features] > 100)
    features[rng.choice(common, len(new), replace=False)] = new
    rows = np.repeat(np.arange(len(batch)), np.diff(batch.indptr))
    order = np.lexsort((features, rows))  # a document that were given one new term twice would not do, but none is
    names = Names(range(int(features.max()) + 1))
    keep = np.concatenate([[True], (np.diff(features[order]) != 0) | (np.diff(rows) != 0)])
    indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(keep)])[batch.indptr]
    return dataclasses.replace(
        batch, features=features[order][keep], values=batch.values[order][keep], indptr=indptr, feature_names=names,
        labels=batch.labels[kept], label_indptr=left[batch.label_indptr],
    )  # fmt: skip

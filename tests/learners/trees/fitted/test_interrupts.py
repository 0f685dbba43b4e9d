"""A signal ends a fit along a tree between two documents, and the model stays as it was."""

import os
import signal
import threading
from contextlib import nullcontext

import numpy as np
import pytest

from telex.adapters.cli.signals import EndedBySignal, raise_at_signals
from telex.learners import Batch, BatchBuilder
from telex.learners.trees import Tree
from telex.learners.trees.fitted import HM3, HRLS, HSVM, SVM

TREE = Tree.of([("b", "a"), ("c", "a")])
FOR_EVER = 10_000_000
"""Passes, which would take hours."""


@pytest.fixture(scope="module")
def batch():
    draw, builder = np.random.default_rng(1), BatchBuilder()
    for _ in range(2000):
        terms = np.flatnonzero(draw.random(300) < 0.1)
        builder.add(dict.fromkeys(terms.tolist(), 1.0), [c for c in "abc" if draw.random() < 0.3])
    return builder.take()


@pytest.mark.parametrize(
    ("make", "endless"),
    [
        (HM3, {"gap": 1e-300, "C": 100.0}),
        (lambda: HM3(kernel="rbf"), {"gap": 1e-300, "C": 100.0}),
        (SVM, {"tolerance": 1e-300, "C": 1000.0}),
        (HSVM, {"tolerance": 1e-300, "C": 1000.0}),
        (HRLS, {}),
    ],
    ids=["hm3", "hm3-rbf", "svm", "hsvm", "hrls"],
)
@pytest.mark.parametrize(("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, EndedBySignal)])
def test_a_signal(make, endless, number, raised, batch, monkeypatch):
    monkeypatch.setattr("telex.learners.trees.fitted.hrls._TOLERANCE", 0.0)
    monkeypatch.setattr("telex.learners.trees.fitted.hrls._STEPS", 300)
    model = make()
    model.use_tree(TREE)
    small = batch.rows(0, 50)
    model.fit(small)
    before = model.scores(small).scores.tobytes()
    monkeypatch.setattr("telex.learners.trees.fitted.hrls._STEPS", FOR_EVER)
    for name, value in {**endless, "passes": FOR_EVER}.items():
        setattr(model, name, value)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), number))
    timer.start()
    try:
        with raise_at_signals() if number == signal.SIGTERM else nullcontext(), pytest.raises(raised):
            model.fit(Batch.concat([batch] * 50) if make is HRLS else batch)
    finally:
        timer.cancel()
    assert model.scores(small).scores.tobytes() == before

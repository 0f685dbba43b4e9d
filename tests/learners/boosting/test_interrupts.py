"""A signal ends a fit between two rounds, and the model stays as it was: native/boosting/watch.hpp."""

import os
import signal
import threading

import numpy as np
import pytest

from telex.adapters.cli.signals import EndedBySignal, raise_at_signals
from telex.learners import AdaBoostMH, BatchBuilder, MPBoost

EVERY = [(make, threads) for make in (MPBoost, AdaBoostMH) for threads in (1, 2)]
every_fit = pytest.mark.parametrize(("make", "threads"), EVERY)
FOR_EVER = 300_000
"""Rounds, which would take minutes."""


@pytest.fixture(scope="module")
def batch():
    rng, builder = np.random.default_rng(1), BatchBuilder()
    for _ in range(2000):
        terms = np.flatnonzero(rng.random(300) < 0.1)
        builder.add(dict.fromkeys(terms.tolist(), 1.0), [c for c in "abc" if rng.random() < 0.3])
    return builder.take()


def interrupted(model, batch, number, raised):
    """Fit, with a signal that comes from outside a little later."""
    before = model.scores(batch).scores.tobytes()
    model.rounds = FOR_EVER
    timer = threading.Timer(0.15, os.kill, (os.getpid(), number))
    timer.start()
    try:
        with pytest.raises(raised):
            model.fit(batch)
    finally:
        timer.cancel()
    assert (len(model.committee), model.scores(batch).scores.tobytes()) == (3, before)
    model.rounds = 3
    model.fit(batch)
    assert model.scores(batch).scores.tobytes() == before


@every_fit
def test_ctrl_c(make, threads, batch):
    model = make(rounds=3, threads=threads)
    model.fit(batch)
    interrupted(model, batch, signal.SIGINT, KeyboardInterrupt)


@every_fit
def test_what_a_handler_raises(make, threads, batch):
    model = make(rounds=3, threads=threads)
    model.fit(batch)
    with raise_at_signals():
        interrupted(model, batch, signal.SIGTERM, EndedBySignal)


@every_fit
def test_a_handler_that_raises_nothing_changes_nothing(make, threads, batch):
    quiet, rung = make(rounds=300, threads=threads), make(rounds=300, threads=threads)
    quiet.fit(batch)
    before = signal.signal(signal.SIGALRM, lambda number, frame: None)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        rung.fit(batch)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert rung.scores(batch).scores.tobytes() == quiet.scores(batch).scores.tobytes()


@pytest.mark.parametrize("make", [MPBoost, AdaBoostMH])
def test_on_another_thread_it_continues_to_its_end(make, batch):
    model = make(rounds=100)
    thread = threading.Thread(target=model.fit, args=(batch,))
    thread.start()
    thread.join()
    assert len(model.committee) == 100

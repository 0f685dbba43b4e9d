"""A signal ends a call between two documents, and the learner keeps what it has learnt: native/watch.hpp."""

import os
import signal
import threading

import numpy as np
import pytest

from telex.learners import AROW, BR, MLPP, MMP, NB, Batch, Chain, Events, Names, Prior, Strings, _trees
from telex.learners.base import StoppedError
from telex.learners.losses import judge


def batch(rows, features, labels, wide=2000, seed=0):
    """Documents that take long: each has all features, and some of many labels."""
    rng = np.random.default_rng(seed)
    own = [np.sort(rng.choice(wide, labels, replace=False)).astype(np.int32) for _ in range(rows)]
    return Batch(
        np.arange(rows + 1, dtype=np.int64) * features,
        np.tile(np.arange(features, dtype=np.int32), rows),
        rng.random(rows * features).astype(np.float32),
        np.arange(rows + 1, dtype=np.int64) * labels,
        np.concatenate(own),
        np.ones(rows, np.bool_),
        Strings.of(map(str, range(rows))),
        np.full(rows, np.nan),
        np.arange(rows, dtype=np.int64),
        Names(range(features)),
        Names(f"L{i:05}" for i in range(wide)),
    )


def interrupted(call, seconds=0.3):
    """Call something that would take minutes."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        timer.cancel()


@pytest.mark.parametrize("make", [BR, MMP, NB, AROW, Chain])
def test_what_was_learnt_before_stays(make):
    learner, documents = make(), batch(4000, 500, 20)
    interrupted(lambda: learner.progress(Events(documents)))
    learnt = learner.learnt
    assert 0 < learnt < 4000
    assert learner.known == len(learner.labels)
    other = make()
    other.learn(documents.rows(0, learnt))
    ours, others = learner.arrays(), other.arrays()
    assert all(ours[name].tobytes() == others[name].tobytes() for name in others)


def test_documents_in_hand_are_learnt():
    learner, documents = MLPP(threads=1), batch(20_000, 20, 4, wide=300)
    interrupted(lambda: learner.progress(Events(documents)))
    learnt = learner.learnt
    assert 0 < learnt < 20_000
    other = MLPP(threads=2)
    other.learn(documents.rows(0, learnt))
    assert learner.arrays()["pairs"].tobytes() == other.arrays()["pairs"].tobytes()


@pytest.mark.parametrize("make", [BR, MMP, NB, AROW, Chain, lambda: MLPP(threads=1), lambda: MLPP(threads=2)])
def test_a_prediction_that_is_ended_changes_nothing(make):
    learner = make()
    learner.learn(batch(8, 100, 40, wide=400))
    long = batch(20_000, 100, 1, wide=400)
    before = learner.scores(long.rows(0, 3)).scores.tobytes()
    many = batch(60_000, 100, 1, wide=400)
    interrupted(lambda: [learner.scores(many) for _ in range(1000)], 0.5)
    assert learner.scores(long.rows(0, 3)).scores.tobytes() == before


def test_projected_sets_are_left():
    asks, nodes = 2_000_000, 300_000
    scores, projected = np.ones((asks, 2), np.float32), np.zeros((asks, 2), np.uint8)
    known = np.arange(asks, dtype=np.int32) % 2 + 1  # another number each time, so that the whole tree is walked
    no_cuts, first, roots = np.zeros((0, 0), np.float32), np.arange(2, dtype=np.int32), np.full(nodes, -1, np.int32)
    interrupted(lambda: _trees.project(scores, projected + 1, known, no_cuts, first, roots, projected))
    assert projected[0, 0]
    assert not projected[-1, 0]


def test_a_document_that_takes_long_is_broken_off_and_the_learner_says_so():
    learner = MMP(penalty="random")
    learner.learn(batch(2, 2, 20_000, wide=60_000))
    long = batch(1, 2, 20_000, wide=60_000, seed=1)
    interrupted(lambda: learner.learn(long), 1.0)
    with pytest.raises(StoppedError, match="in the midst of a document"):
        learner.predict_one({0: 1.0})
    fresh = MMP()
    fresh.learn_one({"a": 1.0}, ["x"])
    assert fresh.known == 1


def test_judging_many_labels_takes_no_time_to_speak_of():
    learner, documents = Prior(), batch(3, 2, 50_000, wide=100_000)
    judged = judge(learner.progress(Events(documents)), documents)
    assert judged.relevant.tolist() == [50_000] * 3


def test_a_handler_cannot_use_a_learner_in_the_midst_of_a_document():
    learner, documents, found = BR(), batch(4000, 500, 200), []
    tries = 20  # a signal that comes between two documents finds a learner that can be used

    def handler(number, frame):
        try:
            learner.predict_one({0: 1.0})
        except StoppedError as error:
            found.append(str(error))
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handler)
    try:
        while not found and tries:
            tries -= 1
            interrupted(lambda: learner.learn(documents))
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(found) == 1
    assert "a signal handler cannot use it" in found[0]

"""Labels that come late cost nothing: the weights are those of a learner that knew all labels ahead.

No module of its own: it holds for every native learner.
"""

import dataclasses
from functools import partial

import numpy as np
import pytest
from oracles import kinds as every_kind
from oracles import streams
from oracles.compare import agree, batch_of, same_arrays, start_of, state
from oracles.kinds import native, oracle

from telex.learners import BR, MLPP, Events

SHUFFLED = streams.shuffled(streams.zipf(31, 300, labels=14, unlabelled=0.05), 1)
LINEAR = [kind for kind in every_kind.KINDS if kind.startswith(("br", "arow", "pa", "logistic", "uneven", "chain"))]
LINEAR += ["hrls-online", "hrls-online-tree"]
KINDS = [*LINEAR, "mlpp", "mlpp-arow", "mlpp-perceptron", "mlpp-averaged", "mlpp-averaged-pa", "nb"]
KINDS += ["mlpp-int8", "mlpp-hybrid"]


def test_labels_do_come_late():
    first = {c: i for i, (_, y) in reversed(list(enumerate(SHUFFLED))) for c in y or []}
    assert len(first) == 14
    assert sum(i > 10 for i in first.values()) >= 4


@pytest.mark.parametrize("kind", KINDS)
def test_an_oracle_that_knew_all_labels_ahead(kind):
    learner, ahead = native(kind), oracle(kind)
    for label in streams.labels_of(SHUFFLED):
        ahead.know([label])
    predictions = learner.progress(Events(batch_of(SHUFFLED)))
    for number, (x, y) in enumerate(SHUFFLED):
        scores = list(ahead.predict(x, number)[0].values())
        known = predictions.known[number]
        if kind in LINEAR:
            assert predictions.scores[number, :known].tobytes() == np.array(scores[:known], np.float32).tobytes()
        if y is not None:
            ahead.learn(x, y, number)
    assert list(learner.labels) == ahead.labels
    same_arrays(learner.arrays(), ahead.arrays(), partial(start_of, learner))


def weights(learner):
    return {name: table for name, table in state(learner)[0].items() if name in {"weights", "pairs", "br"}}


def knowing_ahead(learner, documents):
    """A learner that has heard of every label in documents without features, in the order of the stream."""
    for label in streams.labels_of(documents):
        learner.learn_one({}, [label])
    return learner


def test_large_tables_grow_little_by_little():
    learner, batch = BR(), batch_of([({"a": 1.0}, ["x"])])
    for feature in (1 << 21, (1 << 21) + 1):  # 128 MB, hardly a page of which is touched
        learner.learn(dataclasses.replace(batch, features=np.array([feature], np.int32)))
    assert learner.memory_bytes < 1.2 * (1 << 27)


@pytest.mark.parametrize("make", [BR, MLPP])
def test_a_learner_that_has_heard_of_all_labels(make):
    late, ahead = make(), knowing_ahead(make(), SHUFFLED)
    batch = batch_of(SHUFFLED)
    late.learn(batch)
    ahead.learn(batch)
    assert weights(late) == weights(ahead)


@pytest.mark.parametrize("make", [BR, MLPP])
def test_on_real_vectors(make, rcv1):
    documents = streams.shuffled(rcv1[:2000], 5)
    if make is MLPP:  # all pairs of 100 labels over 20,000 terms are more than a test should hold
        documents = [(x, [c for c in y if len(c) > 3]) for x, y in documents[:600]]
    late, ahead = make(), knowing_ahead(make(), documents)
    batch = batch_of(documents)
    late.learn(batch)
    ahead.learn(batch)
    assert late.known > 30
    assert weights(late) == weights(ahead)


def test_real_vectors_against_the_oracle(rcv1):
    agree(BR(), oracle("br"), streams.shuffled(rcv1[:2000], 5)[:400])

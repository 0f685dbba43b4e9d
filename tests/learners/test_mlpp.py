import random

import numpy as np
import pytest
from oracles import mlpp, streams
from oracles.compare import agree, batch_of, forgetful_batch, said, state, told
from oracles.kinds import DECODINGS

from telex.learners import MLPP, Events
from telex.learners.base import InputError, LabelLimitError, TelexError

OPTIONS = [
    {},
    {"averaged": True},
    {"init": "random", "seed": 5},
    {"C": 0.2, "ties": "first", "averaged": True, "mean": "documents"},
    {"update": "arow", "r": 0.5},
    {"update": "arow", "init": "random", "init_scale": 0.5},
    {"update": "perceptron"},
    {"update": "perceptron", "averaged": True},
    {"update": "perceptron", "ties": "first", "init": "random", "averaged": True},
    {"storage": "int8"},
    {"storage": "hybrid", "seed": 5},
    {"storage": "hybrid", "update": "perceptron", "ties": "first"},
]


@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_votes(stream, options, request):
    agree(MLPP(**options), mlpp.MLPP(**options), request.getfixturevalue(stream))


@pytest.mark.parametrize("decode", DECODINGS)
def test_decodings_where_every_sum_is_exact(decode, exact):
    agree(MLPP(decode, seed=3), mlpp.MLPP(decode, seed=3), exact)


@pytest.mark.parametrize("stream", ["zipf", "dense"])
@pytest.mark.parametrize("options", [{}, {"averaged": True}, {"init": "random"}], ids=str)
def test_weighted(stream, options, request):
    agree(
        MLPP("weighted", **options),
        mlpp.MLPP("weighted", **options),
        request.getfixturevalue(stream),
        tolerance=1e-4,
    )


@pytest.mark.parametrize("options", [{}, {"averaged": True}], ids=str)
def test_votes_with_weights_order_equal_votes_by_weighted_sums(options, zipf):
    batch = batch_of(zipf)
    by_votes, by_weight, both = MLPP(**options), MLPP("weighted", **options), MLPP("votes+weight", **options)
    for learner in (by_votes, by_weight, both):
        learner.learn(batch)
    votes, weighted, sums = (learner.scores(batch).scores for learner in (by_votes, by_weight, both))
    assert np.array_equal(np.floor(2 * sums) / 2, votes)
    assert (2 * sums % 1 < by_votes.known / 4096).all()
    ordered = 0
    for k in range(len(batch)):
        for c in range(by_votes.known):
            below = (votes[k] == votes[k, c]) & (weighted[k] < weighted[k, c])
            assert sums[k, c] == votes[k, c] + np.sum(below) / 8192
            ordered += below.sum()
    assert ordered > 100
    sets = [[said(learner.scores(batch), k)[1] for k in range(len(batch))] for learner in (by_votes, both)]
    assert sets[0] == sets[1]


def many(documents):
    """Frequent features, and 20 in each document that hardly come again: more than the core takes in hand at once."""
    rng, labels = random.Random(6), [f"L{i}" for i in range(30)]
    for i in range(documents):
        features = [rng.randrange(20) for _ in range(4)] + [20 + (20 * i + j) % 9973 for j in range(20)]
        yield {f: rng.random() - 0.2 for f in features}, rng.sample(labels, rng.randrange(4))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"averaged": True},
        {"threads": 3},
        {"init": "random"},
        {"update": "arow"},
        {"update": "perceptron", "threads": 2},
        {"storage": "int8", "threads": 2},
        {"storage": "hybrid"},
        {"storage": "hybrid", "threads": 3},
    ],
    ids=str,
)
def test_long_batches_are_as_short_ones(options):
    documents = list(many(700))
    batch = forgetful_batch(documents, streams.leaving(7, 700, 40), 10_000)
    found = []
    for size in (700, 1, 100):
        learner = MLPP(**options)
        parts = [learner.progress(Events(batch.rows(i, i + size))) for i in range(0, 700, size)]
        found.append(([row for part in parts for row in told(part)], state(learner)))
    assert found[0] == found[1] == found[2]


def test_a_document_without_features_or_with_huge_ones_moves_nothing_too_far():
    for options in ({}, {"update": "arow"}, {"averaged": True}):
        learner = MLPP(**options)
        for x in ({}, {"a": 0.0}, {"a": 1e-30}, {"a": 1e30}, {"a": 1.0}):
            for labels in (["x"], ["y"], ["x", "z"], []):
                learner.learn_one(x, labels)
        assert learner.finite
        assert abs(learner.arrays()["pairs"]).max() < 10


def test_one_document_by_hand():
    learner = MLPP(update="perceptron", ties="first")
    learner.learn_one({"a": 1.0}, ["x", "y"])
    learner.learn_one({"a": 1.0}, ["z"])
    assert learner.arrays()["pairs"].tolist() == [[0, -2, -2]]
    scores, _, ranking = said(learner.scores(batch_of([({"a": 1.0}, None)])), 0)
    assert scores == {"x": 1, "y": 0, "z": 2}
    assert ranking == ["z", "x", "y"]


def test_at_most_4096_labels():
    learner = MLPP()
    with pytest.raises(TelexError, match=r"4,?096"):
        learner.learn_one({}, [f"label {i}" for i in range(4097)])


def test_a_limit_of_labels_is_no_failure():
    learner = MLPP(label_limit=2)
    learner.learn_one({"a": 1.0}, ["x", "y"])
    with pytest.raises(LabelLimitError, match="at most 2 labels, not 3"):
        learner.learn_one({"a": 1.0}, ["z"])
    assert list(learner.labels) == ["x", "y"]
    with pytest.raises(InputError, match="at most 4,096") as caught:
        MLPP(label_limit=5000).learn_one({}, range(5001))
    assert not isinstance(caught.value, LabelLimitError)


def test_more_labels_than_it_takes_leave_it_as_it_is(monkeypatch):
    monkeypatch.setattr(MLPP, "most_labels", 30)
    learner, other = MLPP(), MLPP()
    for one in (learner, other):
        one.learn_one({"a": 1.0}, ["x"])
    many = batch_of([({"a": 1.0}, ["x", *(f"L{i}" for i in range(30))]), ({"a": 1.0}, ["y"])])
    with pytest.raises(InputError, match="at most 30 labels, not 31"):
        learner.learn_one({"a": 1.0}, [f"L{i}" for i in range(30)])
    with pytest.raises(InputError, match="at most 30 labels, not 32"):
        learner.progress(Events(many))
    assert list(learner.labels) == ["x"]
    for one in (learner, other):  # the table still has the labels of the document that was refused
        one.progress(Events(many.rows(1, 2)))
        one.learn_one({"b": 1.0}, ["z"])
    assert state(learner) == state(other)
    assert list(learner.labels) == ["x", "y", "z"]

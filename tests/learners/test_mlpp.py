import copy
import random

import numpy as np
import pytest
from oracles import mlpp, streams
from oracles.compare import agree, batch_of, forgetful_batch, said, state, told
from oracles.kinds import DECODINGS

from telex.learners import BR, MLPP, Events, limit_memory
from telex.learners.base import InputError, LabelLimitError, TelexError, UsageError
from telex.learners.thresholds import Thresholded

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


BYTES = [{"storage": "int8"}, {"storage": "hybrid", "seed": 9}]


@pytest.mark.parametrize("options", BYTES, ids=str)
def test_bytes_of_many_pairs(options):
    agree(MLPP(**options), mlpp.MLPP(**options), list(many(60)))


@pytest.mark.parametrize("options", BYTES, ids=str)
@pytest.mark.parametrize("size", [1e-3, 40.0, 1e12])
def test_bytes_of_documents_of_any_length(options, size, zipf):
    documents = [({f: size * x for f, x in features.items()}, labels) for features, labels in zipf[:100]]
    learner, oracle = MLPP(C=1000.0, **options), mlpp.MLPP(C=1000.0, **options)
    agree(learner, oracle, documents)
    assert abs(learner.arrays()["pairs"]).max() <= 127 / 32


def test_bytes_move_as_far_as_floats_on_average():
    """Of one step of .3 quanta: the mean over many features is .3, and each is 0 or 1."""
    learner = MLPP(storage="hybrid")
    learner.learn_one({}, ["x", "y"])
    learner.learn_one(dict.fromkeys(range(1000), 0.1), ["x"])  # a loss of 1 over a length of 10 squares: steps of .1
    moved = learner.arrays()["pairs"].ravel() * 32
    assert set(moved) == {0, 1}
    assert 0.25 < moved.mean() < 0.39  # .32, within five deviations


def test_bytes_take_less_memory_than_floats():
    batch = batch_of(many(700))
    found = {}
    for storage in ("float32", "int8", "hybrid"):
        learner = MLPP(storage=storage)
        learner.learn(batch)
        found[storage] = learner.memory_bytes
    assert found["hybrid"] < found["float32"] / 2
    assert found["hybrid"] < found["int8"]


@pytest.mark.parametrize("options", [{"averaged": True}, {"init": "random"}, {"update": "arow"}], ids=str)
def test_bytes_have_no_room_for_more_than_weights(options):
    with pytest.raises(UsageError, match="storage is 'int8'; choose one of float32"):
        MLPP(storage="int8", **options).learn_one({"a": 1.0}, ["x"])
    limit_memory("1K")
    try:
        assert MLPP(storage="auto", **options).choice.startswith("its weights are float32: ")
    finally:
        limit_memory("80%")


def test_a_storage_for_the_memory_that_there_is():
    documents = batch_of(many(50))
    try:
        limit_memory("1K")
        small, large = MLPP(storage="auto"), MLPP(storage="auto", label_limit=2)
        assert small.choice.startswith(
            "its weights are hybrid: 400 labels and 50,000 terms may need 16.0 GB in float32, "
        )
        limit_memory("100%")
        assert large.choice.startswith("its weights are float32: 2 labels ")
    finally:
        limit_memory("80%")
    assert MLPP(storage="hybrid").choice is None
    for learner, storage in ((small, "hybrid"), (MLPP(storage="auto", label_limit=40), "float32")):
        learner.learn(documents)
        alone = MLPP(storage=storage)
        alone.learn(documents)
        assert state(learner) == state(alone)
        for other in (copy.deepcopy(learner), loaded(MLPP(storage="auto"), learner.save())):
            assert other.choice == f"its weights are {storage}, as they were when it was saved"
            assert state(other) == state(alone)


def loaded(learner, saved):
    learner.load(saved)
    return learner


@pytest.mark.parametrize(
    ("array", "change", "message"),
    [
        ("list_int8", lambda a: np.append(a, a[:1]), "do not end where their bytes do"),
        ("list_ends", lambda a: a[::-1].copy(), "do not end where|do not ascend"),
        ("list_features", lambda a: a[::-1].copy(), "do not ascend"),
        ("list_int8", lambda a: a | 0x3F, "ends within a segment|do not ascend|counts them wrongly"),
        ("list_int8", lambda a: a * 0 + 0xFF, "ends within a segment|tiles of a list"),
        ("list_int8", lambda a: a * 0, "ascend"),
        ("rows_int8", lambda a: a[:-1], "rows_int8"),
        ("never_int8", lambda a: a[:-1], "never_int8"),
        ("row_features", lambda a: np.repeat(a[:1], len(a)), "twice"),
    ],
)
def test_a_broken_state_of_bytes_is_refused(array, change, message):
    learner = MLPP(storage="hybrid")
    learner.learn(batch_of(many(200)))
    saved = learner.save()
    packed = {name: np.array(a) for name, a in saved["packed"].items()}
    assert len(packed["list_features"]) > 10
    assert len(packed["row_features"]) > 1
    whole = MLPP(storage="hybrid")
    whole.load({**saved, "packed": packed})
    assert state(whole) == state(learner)
    with pytest.raises(InputError, match=message):
        MLPP(storage="hybrid").load({**saved, "packed": packed | {array: change(packed[array])}})


def test_a_document_without_features_or_with_huge_ones_moves_nothing_too_far():
    for options in ({}, {"update": "arow"}, {"averaged": True}, {"storage": "hybrid"}):
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


@pytest.mark.parametrize("storage", ["float32", "int8", "hybrid", "auto"])
def test_the_memory_that_it_may_take_is_said_from_a_gigabyte_on(storage):
    size = 4 if storage in {"float32", "auto"} else 1
    learner, terms = MLPP(storage=storage), -(-(10**9) // (831 * 830 // 2 * size))
    assert learner.memory_note(831, terms - 1) == ""
    assert f"each of {terms:,} terms, 1.0 GB if all move" in learner.memory_note(831, terms)
    assert Thresholded(learner, decide="micro").memory_note(831, terms) == learner.memory_note(831, terms)
    assert Thresholded(BR(), decide="micro").memory_note(831, 10**9) == ""

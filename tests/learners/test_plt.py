"""Probabilistic label trees, compared with a tree that learns anew from the start whenever a label comes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import plt, strategies, streams
from oracles.compare import agree, batch_of, said, state

from telex.learners import PLT, Events, Logistic

OPTIONS = [
    {},
    {"arity": 2, "top": 3},
    {"arity": 3, "top": 1, "steps": "sqrt", "eta": 100.0},
    {"arity": 17, "steps": "constant", "eta": 1.0, "bias": 0},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_weight_score_and_set(stream, options, request):
    agree(PLT(**options), plt.PLT(**options), request.getfixturevalue(stream))


@given(documents=strategies.streams, arity=st.integers(2, 4), steps=st.sampled_from(["adagrad", "sqrt", "constant"]))
def test_the_weights_are_those_of_a_tree_known_from_the_start(documents, arity, steps):
    """The paper calls this proper: the oracle learns all documents again with the tree as it is at the end."""
    learner, known = PLT(2, arity, 3.0, steps), plt.PLT(2, arity, 3.0, steps)
    agree(learner, known, documents)
    before = {name: table.tobytes() for name, table in known.arrays().items()}
    known.learn_again()
    assert {name: table.tobytes() for name, table in known.arrays().items()} == before


def many(seed, labels, documents=300):
    """Documents with one or two of many labels, each of which has a feature of its own."""
    rng = np.random.default_rng(seed)
    stream = []
    for chosen in (rng.choice(labels, rng.integers(1, 3), replace=False).tolist() for _ in range(documents)):
        x = {f"own{c}": 1.0 for c in chosen} | {f"f{f}": 0.5 for f in rng.integers(0, 20, 3).tolist()}
        stream.append((x, [f"L{c:03}" for c in chosen]))
    return stream


def test_trees_that_grow_several_times():
    stream = many(1, 40, 100)
    learner = PLT(arity=2, top=5)
    agree(learner, plt.PLT(arity=2, top=5), stream)
    assert learner.known > 32
    places = learner.arrays()["places"]
    assert len(set(places.tolist())) == learner.known
    assert places.max() < 64


@pytest.mark.parametrize("arity", [2, 3, 32])
def test_the_search_finds_what_looking_everywhere_finds(arity):
    batch = batch_of(many(2, 120))
    learner, everywhere = PLT(7, arity), PLT(1000, arity)
    for one in (learner, everywhere):
        one.learn(batch)
    found, exact = learner.scores(batch), everywhere.scores(batch)
    assert state(learner) == state(everywhere)
    for k in range(len(batch)):
        wanted = [label for label, _ in exact.ranking(k)]
        best = found.ranking(k)
        scores = said(exact, k)[0]
        assert [scores[label] for label, _ in best[:7]] == [scores[label] for label in wanted[:7]]
        assert [score for _, score in best[:7]] == [scores[label] for label, _ in best[:7]]
        assert max(score for _, score in best[7:]) <= best[6][1]
        assert set(found.set_of(k)) == set(exact.set_of(k)) == {label for label, score in scores.items() if score > 0}


def test_labels_below_a_node_that_was_not_looked_into_share_its_probability():
    learner = PLT(top=1, arity=2, eta=1.0, steps="constant", bias=0)
    for label in "abcd":
        learner.learn_one({label: 1.0}, [label])
    scores = learner.scores_one({"a": 4.0})
    assert next(iter(scores)) == "a"
    assert scores["c"] == scores["d"]
    weights = learner.arrays()["weights"].astype(float)
    row = weights[0] * 4
    place = dict(zip(learner.labels, learner.arrays()["places"].tolist(), strict=True))
    assert [place[label] // 2 for label in "abcd"] == [0, 0, 1, 1]

    def p(column):
        return 1 / (1 + math.exp(-row[column]))

    below = p(0) * p(7) / 2  # of the root, and of the second child of the family 3
    assert scores["c"] == pytest.approx(math.log(below / (1 - below)), rel=1e-5)
    a = p(0) * p(6) * p(4)
    assert scores["a"] == pytest.approx(math.log(a / (1 - a)), rel=1e-5)


def test_more_labels_than_top_are_predicted_where_they_are_probable():
    learner, labels = PLT(top=2, arity=4), [f"L{i}" for i in range(30)]
    for _ in range(20):
        learner.learn_one({"all": 1.0}, labels)
        learner.learn_one({"none": 1.0}, [])
    assert {c for c, on in learner.predict_one({"all": 1.0}).items() if on} == set(labels)
    assert not any(learner.predict_one({"none": 1.0}).values())


@pytest.mark.parametrize(("like", "place"), [("sun", 5), ("war", 7)])
def test_a_new_label_goes_where_like_documents_go(like, place):
    """Of two children: four labels fill half a tree of height 3; then one goes below each node of the other half."""
    learner = PLT(arity=2)
    for label in "abcd":
        learner.learn_one({label: 1.0}, [label])
    for _ in range(3):
        learner.learn_one({"sun": 1.0}, ["e"])
        learner.learn_one({"war": 1.0}, ["f"])
    learner.learn_one({like: 1.0}, ["g"])
    assert learner.arrays()["places"].tolist() == [0, 1, 2, 3, 4, 6, place]


def test_one_family_is_classifiers_side_by_side():
    """Up to ``arity`` labels, on documents that have some: those of logistic regression, times that of the root."""
    stream = [(x, y) for x, y in streams.zipf(8, 200) if y]
    learner, flat, batch = PLT(), Logistic(), batch_of(stream)
    learner.learn(batch)
    flat.learn(batch)
    own, theirs = learner.arrays()["weights"], flat.arrays()["weights"]
    columns = 64 + learner.arrays()["places"]
    assert own[:, columns].tobytes() == np.ascontiguousarray(theirs[:, 1 : learner.known + 1]).tobytes()


def test_memory_goes_to_the_features_of_a_node():
    learner = PLT(arity=16)
    for i in range(2000):
        learner.learn_one({f"own{i}": 1.0}, [f"L{i}"])
    assert learner.memory_bytes < 2000 * 2000  # bytes; a table of weights would have four for each feature and label
    assert next(iter(learner.scores_one({"own7": 1.0}))) == "L7"


def test_probabilities_are_the_scores_through_the_logistic_function(zipf):
    learner = PLT(arity=3, top=4)
    predictions = learner.progress(Events(batch_of(zipf[:200])))
    for k in range(200):
        known = predictions.known[k]
        expected = 1 / (1 + np.exp(-predictions.scores[k, :known].astype(float)))
        assert predictions.probabilities[k, :known] == pytest.approx(expected, rel=1e-5)
        assert ((expected > 0.5) == predictions.relevant[k, :known]).all()


@pytest.mark.parametrize("steps", ["adagrad", "sqrt", "constant"])
def test_extreme_scores_break_nothing(steps):
    learner = PLT(eta=1e6, steps=steps, bias=0, arity=2)
    for _ in range(20):
        learner.learn_one({"a": 1000.0}, ["x", "z"])
        learner.learn_one({"a": 1000.0, "b": -3.0}, ["y"])
        learner.learn_one({"a": 1000.0}, [])
    assert learner.finite
    for p in learner.predict_proba_one({"a": 1e20, "b": -1e10}).values():
        assert 0 <= p[True] <= 1

"""AROW, compared with a slow reading of its definition and with the formulas of the paper."""

import copy
import dataclasses

import numpy as np
import pytest
from oracles import arow, chain
from oracles.compare import agree, batch_of, said, state
from oracles.kinds import native, oracle

from telex.learners import AROW, Chain

OPTIONS = [{}, {"bias": 0}, {"r": 10, "seed": -1}, {"r": 1e-6}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_weight_score_and_set(stream, options, request):
    agree(AROW(**options), arow.AROW(**options), request.getfixturevalue(stream))


def test_two_documents_by_hand():
    """The first moves by beta = 1 / (v + r) with v = 1 + 4; the second is met with the variances that it left."""
    learner = AROW(r=1, bias=0)
    learner.learn_one({"a": 1.0, "b": 2.0}, ["x"])
    assert learner.arrays()["weights"].tolist() == pytest.approx(np.array([[-1, 1], [-2, 2]]) / 6)
    assert learner.arrays()["variances"].tolist() == pytest.approx(np.array([[5, 5], [2, 2]]) / 6)
    learner.learn_one({"a": 1.0}, [])  # margin of x: -1/6, so a loss of 7/6; of never 1/6: 5/6
    beta = 1 / (5 / 6 + 1)
    assert learner.arrays()["weights"][0].tolist() == pytest.approx(
        [-1 / 6 - 5 / 6 * beta * 5 / 6, 1 / 6 - 7 / 6 * beta * 5 / 6]
    )
    assert learner.arrays()["variances"][0].tolist() == pytest.approx([5 / 6 - beta * 25 / 36] * 2)


def test_nothing_happens_beyond_the_margin():
    learner = AROW(bias=0)
    for _ in range(60):
        learner.learn_one({"a": 1.0}, ["x"])
    before = {name: table.copy() for name, table in learner.arrays().items()}
    assert before["weights"][0, 1] == pytest.approx(1, abs=1e-2)
    learner.learn_one({"a": 1.5}, ["x"])  # a margin of 1.5 or nearly so
    after = learner.arrays()
    assert all(np.array_equal(before[name], after[name]) for name in ("weights", "variances"))


def test_variances_shrink_and_stay_positive(zipf):
    learner, last = AROW(r=1e-6, bias=0), np.ones(1, np.float32)
    learner.learn(batch_of(zipf))
    assert 0 < learner.arrays()["variances"].min() < 1e-3
    assert learner.finite
    for _ in range(50):
        learner.learn_one({"huge": 1e6}, ["x"])
        learner.learn_one({"huge": 1e6}, [])
        now = learner.arrays()["variances"][-1]
        assert (now >= 0).all()
        assert (now <= last).all()
        last = now[-1:]


def test_a_bias_is_a_feature_of_every_document():
    learner, given = AROW(bias=0.5), AROW(bias=0)
    for x, y in ([{"a": 1.0}, ["x"]], [{"b": 2.0}, ["y"]], [{}, ["x"]]):
        learner.learn_one(x, y)
        given.learn_one({"": 0.5, **x}, y)
    assert learner.scores_one({"a": 3.0}) == pytest.approx(given.scores_one({"": 0.5, "a": 3.0}))
    assert said(learner.scores(batch_of([({}, None)])), 0)[1] == {"x"}
    found = learner.reasons(batch_of([({}, None)]), 0)
    assert found.base.tolist() == (learner.arrays()["weights"][0, 1:] / 2).tolist()


def test_the_last_feature_there_can_be_is_asked_about():
    """With a bias, features are a row further on."""
    learner, batch = AROW(), batch_of([({"a": 1.0}, ["x"])])
    learner.learn(batch)
    far = dataclasses.replace(batch, features=np.array([2**31 - 1], np.int32))
    bias = learner.arrays()["weights"][0, 1] * np.float32(learner.bias)
    assert learner.scores(far).scores[0, :1].tolist() == [bias]
    assert learner.reasons(far, 0).contributions.tolist() == [[0.0]]


@pytest.mark.parametrize(("learner", "slow"), [(AROW, arow.AROW), (Chain, chain.Chain)])
def test_rounding_takes_no_variance_below_nothing(learner, slow):
    """Of one large value next to nothing is left of the variance, and its rounding is larger than that."""
    rng = np.random.default_rng(3)
    stream = [({"price": 3571.0}, ["a"])]
    stream += [({"price": 10 ** rng.uniform(2, 5)}, [rng.choice(["a", "b"])]) for _ in range(200)]
    agree(made := learner(), slow(), stream)
    variances = [table for name, table in made.arrays().items() if name.endswith("variances")]
    assert all(table.min() >= 0 and table.max() <= 1 for table in variances)
    assert any((table == 0).any() for table in variances)
    assert state(copy.deepcopy(made)) == state(made)


@pytest.mark.parametrize(("kind", "value"), [("mmp-arow", 46862.2421875), ("mlpp-arow", 13981.0810546875)])
def test_rounding_spends_no_more_than_a_variance(kind, value):
    """Of the value x, x^2 / (x^2 + 1) is more than 1 in float32."""
    made = native(kind)
    agree(made, oracle(kind), [({"price": value}, [label]) for label in "ab"])
    spent = [table for name, table in made.arrays().items() if name.endswith("_spent")]
    assert max(table.max() for table in spent) == 1


@pytest.mark.parametrize(("learner", "name"), [(AROW, "variances"), (Chain, "link_variances")])
def test_variances_that_were_rounded_below_nothing_are_taken_as_nothing(learner, name):
    """Earlier versions saved such states."""
    (made := learner()).learn_one({"a": 1.0}, ["x", "y"])
    saved = made.save()
    table = saved["packed"][name].copy()
    table[0, 0] = -2.5e-7
    made.load(saved | {"packed": saved["packed"] | {name: table}})
    assert made.arrays()[name][0, 0] == 0

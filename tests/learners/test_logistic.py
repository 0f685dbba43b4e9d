"""Logistic regression, compared with a slow reading of its definition, and with scikit-learn's."""

import math

import numpy as np
import pytest
from oracles import logistic, streams
from oracles.compare import agree, batch_of

from telex.learners import Logistic

OPTIONS = [{}, {"bias": 0, "eta": 0.5}, {"steps": "sqrt"}, {"steps": "sqrt", "eta": 1000, "bias": 0}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_weight_score_and_set(stream, options, request):
    agree(Logistic(**options), logistic.Logistic(**options), request.getfixturevalue(stream))


def test_the_exponential():
    """native/exp.hpp computes what the oracle does; both are those of the books to the last bits."""
    x = np.concatenate([np.linspace(-87, 88, 20001), np.linspace(-1e-3, 1e-3, 2001), [0]]).astype(np.float32)
    assert logistic.exp(x) == pytest.approx(np.exp(x.astype(float)), rel=2.5e-7)
    assert logistic.exp(np.array([0, -1e9, 1e9], np.float32)).tolist() == pytest.approx(
        [1, math.exp(-87), math.exp(88)]
    )


def test_probabilities_are_the_scores_through_the_logistic_function(zipf):
    learner = Logistic()
    learner.learn(batch_of(zipf[:200]))
    for x, _ in zipf[200:220]:
        probabilities = learner.predict_proba_one(x)
        for label, score in learner.scores_one(x).items():
            p = probabilities[label]
            assert p[True] == pytest.approx(1 / (1 + math.exp(-score)))
            assert p[True] + p[False] == pytest.approx(1)
            assert (p[True] > 0.5) == learner.predict_one(x)[label] == (score > 0)


def test_probabilities_are_those_of_a_coin():
    """Of documents that say nothing, a share of 1/4 has the label."""
    learner = Logistic(eta=3, steps="sqrt", bias=1)
    for i in range(4000):
        learner.learn_one({}, ["x"] if i % 4 == 0 else [])
    assert learner.predict_proba_one({})["x"][True] == pytest.approx(0.25, abs=0.02)


def test_scikit_learn_learns_the_same():
    """With the steps that only the square root of t makes smaller."""
    linear = pytest.importorskip("sklearn.linear_model")
    stream = streams.dense(9, 200)
    learner = Logistic(eta=0.5, steps="sqrt", bias=0)
    for x, y in stream:
        learner.learn_one(x, y)
    rows = np.array([list(x.values()) for x, _ in stream])
    for label in ("y0", "y1", "y2"):
        theirs = linear.SGDClassifier(
            loss="log_loss", penalty=None, learning_rate="invscaling", eta0=0.5, power_t=0.5, fit_intercept=False
        )
        for row, (_, y) in zip(rows, stream, strict=True):
            theirs.partial_fit(row[None], [label in y], classes=[False, True])
        ours = learner.arrays()["weights"][:, learner.labels.get(label) + 1]
        assert ours == pytest.approx(theirs.coef_[0], rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("steps", ["adagrad", "sqrt", "constant"])
def test_extreme_scores_break_nothing(steps):
    learner = Logistic(eta=1e6, steps=steps, bias=0)
    for _ in range(20):
        learner.learn_one({"a": 1000.0}, ["x"])
        learner.learn_one({"a": 1000.0}, [])
    assert learner.finite
    assert sorted(learner.predict_proba_one({"a": 1e20})["x"].values()) == pytest.approx([0, 1])

"""Passive-aggressive learners, compared with a slow reading of their definition, with scikit-learn's and river's."""

import numpy as np
import pytest
from oracles import pa, streams
from oracles.compare import agree

from telex.learners import PA

OPTIONS = [{}, {"bias": 0, "variant": "I", "C": 0.2}, {"C": float("inf")}, {"variant": "I", "C": float("inf")}]
VARIANTS = [("I", 0.3), ("I", 1e9), ("II", 0.3), ("II", 1e9)]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_weight_score_and_set(stream, options, request):
    agree(PA(**options), pa.PA(**options), request.getfixturevalue(stream))


def test_a_step_ends_at_the_margin_unless_c_holds_it_back():
    for learner, reached in ((PA(float("inf"), bias=0), 1), (PA(0.1, "I", 0), 0.5), (PA(0.1, "II", 0), 0.5)):
        learner.learn_one({"a": 1.0, "b": 2.0}, ["x"])
        assert learner.scores_one({"a": 1.0, "b": 2.0})["x"] == pytest.approx(reached)


def labelled(stream):
    """The documents as rows of numbers, and for one label after another whether they have it."""
    rows = np.array([[x.get(i, 0.0) for i in range(10)] for x, _ in stream])
    return rows, {c: np.array([c in y for _, y in stream]) for c in ("y0", "y1", "y2")}


def weights_of(learner, stream):
    """The weights of a learner that knew all labels before the first document."""
    learner.learn_one({}, [])
    for x, y in stream:
        learner.learn_one(x, y)
    rows = learner.arrays()["weights"]
    return {c: rows[:, learner.labels.get(c) + 1] for c in ("y0", "y1", "y2")}


@pytest.mark.parametrize(("variant", "c"), VARIANTS)
def test_scikit_learn_learns_the_same(variant, c):
    linear = pytest.importorskip("sklearn.linear_model")
    stream = streams.dense(7, 200)
    found = weights_of(PA(c, variant, bias=0), stream)
    rows, answers = labelled(stream)
    for label, y in answers.items():
        rates = {"I": "pa1", "II": "pa2"}
        theirs = linear.SGDClassifier(
            loss="hinge", penalty=None, learning_rate=rates[variant], eta0=c, fit_intercept=False, shuffle=False
        )
        for row, one in zip(rows, y, strict=True):
            theirs.partial_fit(row[None], [one], classes=[False, True])
        assert found[label] == pytest.approx(theirs.coef_[0], rel=1e-3, abs=1e-4)


@pytest.mark.parametrize(("variant", "c"), VARIANTS)
def test_river_learns_the_same(variant, c):
    linear = pytest.importorskip("river.linear_model")
    stream = streams.dense(8, 200)
    found = weights_of(PA(c, variant, bias=0), stream)
    for label in found:
        theirs = linear.PAClassifier(C=c, mode={"I": 1, "II": 2}[variant], learn_intercept=False)
        for x, y in stream:
            theirs.learn_one(x, label in y)
        assert found[label] == pytest.approx([theirs.weights[i] for i in range(10)], rel=1e-3, abs=1e-4)

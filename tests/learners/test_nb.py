import numpy as np
import pytest
from oracles import nb
from oracles.compare import agree, batch_of, said

from telex.learners import NB


@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_count_and_score(stream, request):
    agree(NB(), nb.NB(), request.getfixturevalue(stream), tolerance=1e-4)


def test_log_odds_by_hand():
    learner = NB()
    learner.learn_one({"a": 2.0, "b": 1.0}, ["x"])
    learner.learn_one({"b": 1.0, "c": -3.0}, [])
    scores, chosen, _ = said(learner.scores(batch_of([({"a": 1.0, "b": 2.0}, None)])), 0)
    expected = np.log(3 / 1) + 2 * np.log(2 / 2) + np.log(2 / 2) - 3 * np.log((3 + 3) / (1 + 3))
    assert scores["x"] == pytest.approx(expected, rel=1e-5)
    assert chosen == set()


def test_no_features_at_all():
    learner = NB()
    for y in (["x"], ["x"], []):
        learner.learn_one({}, y)
    scores, chosen, _ = said(learner.scores(batch_of([({}, None), ({"never seen": 1.0}, None)])), 0)
    assert scores["x"] == pytest.approx(np.log(3 / 2), rel=1e-6)
    assert chosen == {"x"}


def test_probabilities_follow_the_scores(zipf):
    learner = NB()
    for x, y in zipf[:100]:
        learner.learn_one(x, y)
    for x, _ in zipf[100:120]:
        probabilities = learner.predict_proba_one(x)
        on = {c for c, yes in learner.predict_one(x).items() if yes}
        assert set(probabilities) == set(learner.labels)
        for label, p in probabilities.items():
            assert 0 <= p[True] <= 1
            assert p[True] + p[False] == pytest.approx(1)
            assert (p[True] > 0.5) == (label in on)

"""Perceptrons with uneven margins, compared with a slow reading of their definition."""

import pytest
from oracles import uneven
from oracles.compare import agree

from telex.learners import Uneven

OPTIONS = [{}, {"bias": 0, "tau_plus": 3.0}, {"tau_plus": 0, "tau_minus": 0}, {"tau_minus": -0.5}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_weight_score_and_set(stream, options, request):
    agree(Uneven(**options), uneven.Uneven(**options), request.getfixturevalue(stream))


def test_a_label_moves_until_it_is_beyond_the_margin_of_its_side():
    learner, scores = Uneven(tau_plus=2.0, tau_minus=0.5, bias=0), []
    for y in [["x"]] * 4 + [[]] * 5:
        learner.learn_one({"a": 1.0}, y)
        scores.append(learner.scores_one({"a": 1.0})["x"])
    assert scores == [1, 2, 3, 3, 2, 1, 0, -1, -1]

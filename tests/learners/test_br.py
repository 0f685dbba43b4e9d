"""Binary relevance, compared with a slow reading of its definition."""

import pytest
from oracles import br
from oracles.compare import agree, batch_of, said

from telex.learners import BR

OPTIONS = [{}, {"averaged": True}, {"init": "random", "seed": 5}, {"init": "random", "averaged": True}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_weight_score_and_set(stream, options, request):
    agree(BR(**options), br.BR(**options), request.getfixturevalue(stream))


def test_ties_follow_the_seed(exact):
    agree(BR(seed=1), br.BR(seed=1), exact)
    agree(BR(seed=-1), br.BR(seed=-1), exact[:50])


def test_a_new_label_starts_as_the_one_that_never_was():
    learner = BR()
    learner.learn_one({"a": 1.0}, ["x"])
    learner.learn_one({"a": 1.0, "b": 2.0}, ["y"])
    assert learner.arrays()["weights"].tolist() == [[-2, -2, 0], [0, -4, 4]]
    scores, chosen, ranking = said(learner.scores(batch_of([({"b": 1.0}, None)])), 0)
    assert scores == {"x": -4, "y": 4}
    assert chosen == {"y"}
    assert ranking == ["y", "x"]

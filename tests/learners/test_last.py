import pytest
from oracles import baselines
from oracles.compare import agree

from telex.learners import Last


@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_score_and_set(stream, request):
    agree(Last(seed=2), baselines.Last(seed=2), request.getfixturevalue(stream))


def test_an_answer_without_labels_is_a_last_document_too():
    learner = Last()
    learner.learn_one({"a": 1}, ["x"])
    assert learner.predict_one({}) == {"x": True}
    learner.learn_one({"a": 1}, [])
    assert not any(learner.predict_one({}).values())

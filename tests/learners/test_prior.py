import random

import pytest
from oracles import baselines
from oracles.compare import agree

from telex.learners import Prior


@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_score_and_set(stream, request):
    agree(Prior(seed=2), baselines.Prior(seed=2), request.getfixturevalue(stream))


def test_half_a_label_rounds_up():
    learner = Prior()
    learner.learn_one({}, ["x"])
    learner.learn_one({}, [])
    assert [c for c, on in learner.predict_one({}).items() if on] == ["x"]
    learner.learn_one({}, [])
    assert not any(learner.predict_one({}).values())


def test_probabilities_are_the_frequencies():
    learner = Prior()
    for y in (["x"], ["x", "y"], [], []):
        learner.learn_one({}, y)
    assert learner.predict_proba_one({}) == {"x": {True: 0.5, False: 0.5}, "y": {True: 0.25, False: 0.75}}


def test_documents_of_many_labels():
    rng = random.Random(4)
    names = [f"L{i:03}" for i in range(300)]
    documents = [({"a": 1.0}, sorted(rng.sample(names, 90))) for _ in range(6)]
    agree(Prior(), baselines.Prior(), documents)

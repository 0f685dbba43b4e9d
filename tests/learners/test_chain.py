"""A chain of classifiers, compared with a slow reading of its definition and with classifiers side by side."""

import numpy as np
import pytest
from oracles import chain
from oracles.compare import agree, batch_of, said

from telex.learners import AROW, Chain, Events
from telex.learners.base import InputError

OPTIONS = [{}, {"order": "appearance"}, {"link": 1.0, "r": 10, "bias": 1, "seed": -1}, {"link": 0.125, "r": 1e-6}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("stream", ["zipf", "exact", "patchy", "dense"])
def test_every_weight_score_and_set(stream, options, request):
    agree(Chain(**options), chain.Chain(**options), request.getfixturevalue(stream))


def test_two_documents_by_hand():
    """x and y come together: y is behind x, and sees it as a feature of value 1."""
    learner = Chain(order="appearance", link=1.0, r=1.0, bias=0)
    learner.learn_one({"a": 1.0}, ["x", "y"])
    found = learner.arrays()
    assert found["weights"].tolist() == pytest.approx(np.array([[-1 / 4, 1 / 2, 1 / 3]]))  # never sees both, y sees x
    assert found["links"].tolist() == pytest.approx(np.array([[-1 / 4, 0, 1 / 3], [-1 / 4, 0, 0]]))
    assert found["link_variances"].tolist() == pytest.approx(np.array([[3 / 4, 0, 2 / 3], [3 / 4, 0, 0]]))
    assert learner.scores_one({"a": 1.0}) == pytest.approx({"x": 1 / 2, "y": 1 / 3 + 1 / 3})
    assert learner.scores_one({"a": -1.0}) == pytest.approx({"x": -1 / 2, "y": -1 / 3})  # x is not predicted
    learner.learn_one({"b": 1.0}, ["y"])  # x is not true here, so nothing of it moves
    assert learner.arrays()["links"][0].tolist() == found["links"][0].tolist()


def test_the_order_follows_the_counts_at_powers_of_two():
    learner = Chain()
    for number, label in enumerate(["x", "y", "y", "y", "z", "z", "z", "z"], 1):
        learner.learn_one({"a": 1.0}, [label])
        order = [list(learner.labels)[c] for c in learner.arrays()["chain"]]
        assert order == {1: ["x"], 2: ["x", "y"], 3: ["x", "y"], 4: ["y", "x"]}.get(
            number, ["z", "y", "x"] if number == 8 else ["y", "x", "z"]
        )
    assert learner.arrays()["counts"].tolist() == [1, 3, 4]


def test_links_of_labels_that_change_places_begin_anew():
    learner = Chain(link=1.0)
    for labels in (["x", "y"], ["x", "y"], ["y"]):
        learner.learn_one({"a": 1.0}, labels)
    x, y = learner.arrays()["links"]
    assert x[2] > 0  # x was before y
    assert y[1] == 0
    learner.learn_one({"a": 1.0}, ["y", "z"])
    found = learner.arrays()
    assert found["chain"].tolist() == [1, 0, 2]
    assert found["links"][:2, 1:3].tolist() == [[0, 0], [0, 0]]
    assert found["link_variances"][:2, 1:3].tolist() == [[0, 0], [1, 0]]


def test_one_label_alone_learns_as_by_itself():
    one, other = Chain(), AROW()
    batch = batch_of([({f"f{i % 7}": 1.0, f"g{i % 3}": 0.5}, ["x"] if i % 3 else []) for i in range(60)])
    first, second = one.progress(Events(batch)), other.progress(Events(batch))
    assert [said(first, k)[0] for k in range(60)] == [said(second, k)[0] for k in range(60)]


def test_more_labels_than_it_takes(monkeypatch):
    monkeypatch.setattr(Chain, "most_labels", 3)
    learner = Chain()
    learner.learn_one({"a": 1.0}, ["x", "y", "z"])
    with pytest.raises(InputError, match="Chain takes at most 3 labels, not 4"):
        learner.learn_one({"a": 1.0}, ["w"])
    assert learner.known == 3

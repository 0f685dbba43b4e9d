"""The assignment's curves on real documents: within 0.01 of an independent implementation's."""

import json

import pytest

from telex.adapters.reproductions.boosting_mh import LAPLACE, ROUNDS, boosting_mh, lines, reproduce
from telex.learners.base import UsageError


@pytest.fixture(scope="module")
def found(data):
    return boosting_mh("reuters21578", data / "reuters21578")


def test_the_curves(found):
    print("\n".join(lines({"reuters21578": found})))
    assert abs(found["settings"]["documents"] - 8246) <= 1
    for part in ("train", "test"):
        ours = [found["accuracy"][part][str(rounds)] for rounds in ROUNDS]
        assert ours == pytest.approx(found["independent"][part], abs=0.01)
    assert found["levels"][LAPLACE] == pytest.approx(found["independent"]["nb"], abs=0.005)
    assert found["accuracy"]["test"]["100"] < found["levels"][LAPLACE] < found["accuracy"]["test"]["200"]


def test_the_words_of_folds_and_five_mistakes_within_them(found):
    assert len(found["words"]) == 5
    assert all(len(set(words)) > 100 for words in found["words"])
    assert found["agreement"][0]["same"] > found["agreement"][-1]["same"]
    wrong = found["wrong_within"]["some"]
    assert len({one["id"] for one in wrong}) >= 5
    assert all(one["why"]["missed"] == one["labels"][0] for one in wrong)
    text = "\n".join(found["text"]["wrong"])
    assert text.count(" rather than ") == 5


def test_naive_bayes_is_as_good_as_that_of_scikit_learn(found):
    assert found["levels"][LAPLACE] == pytest.approx(found["sklearn"], abs=0.005)


def test_it_is_plain_data(found):
    assert json.loads(json.dumps(found)) == found
    assert sum(found["confusion"].values()) == pytest.approx(100 * len(found["settings"]["classes"]))


def test_newsgroups_in_small(data):
    found = boosting_mh("newsgroups20", data / "newsgroups20", folds=2, rounds=20, limit=1000)
    assert found["independent"] is None
    assert found["settings"]["documents"] == 1000
    assert found["accuracy"]["test"]["1"] < found["accuracy"]["test"]["20"] < found["levels"][LAPLACE]


def test_where_there_is_nothing(tmp_path):
    with pytest.raises(UsageError, match="there is neither of reuters21578 and newsgroups20"):
        reproduce(tmp_path)

"""The assignment's curves on real documents: within 0.01 of an independent implementation's."""

import json

import pytest

from telex.adapters.reproductions.boosting_mh import ROUNDS, boosting_mh, lines, reproduce
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
    assert found["nb"]["test"] == pytest.approx(found["independent"]["nb"], abs=0.005)
    assert found["accuracy"]["test"]["100"] < found["nb"]["test"] < found["accuracy"]["test"]["200"]


def test_naive_bayes_is_as_good_as_that_of_scikit_learn(found):
    assert found["nb"]["test"] == pytest.approx(found["sklearn"], abs=0.005)


def test_it_is_plain_data(found):
    assert json.loads(json.dumps(found)) == found
    for row in found["confusion"].values():
        assert sum(row.values()) == pytest.approx(1)


def test_newsgroups_in_small(data):
    found = boosting_mh("newsgroups20", data / "newsgroups20", folds=2, rounds=20, limit=1000)
    assert found["independent"] is None
    assert found["settings"]["documents"] == 1000
    assert found["accuracy"]["test"]["1"] < found["accuracy"]["test"]["20"] < found["nb"]["test"]


def test_where_there_is_nothing(tmp_path):
    with pytest.raises(UsageError, match="there is neither of reuters21578 and newsgroups20"):
        reproduce(tmp_path)

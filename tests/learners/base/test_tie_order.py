"""The hashes in Python against a second reading, and the rankings that come of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import ties as slow
from oracles.compare import batch_of

from telex.learners import BR, Names
from telex.learners.base import in_order
from telex.learners.base.tie_order import mix, name_hash, tie_key

WORDS = st.integers(0, 2**64 - 1)
LABELS = st.text(st.characters(codec="utf-8"), max_size=6) | st.integers() | st.tuples(st.integers(), st.text("ab"))


@given(WORDS)
def test_mix(z):
    assert mix(z) == slow.mix(z)


@given(LABELS)
def test_name_hash(label):
    assert name_hash(label) == slow.name(label)
    assert Names([label]).hashes().tolist() == [slow.name(label)]


@given(st.integers(-(2**63), 2**64 - 1), st.integers(0, 2**62), LABELS)
def test_key(seed, number, label):
    assert tie_key(seed, number, label) == slow.key(seed, number, label)


def test_a_lone_surrogate_has_a_hash():
    assert name_hash("\ud800") != name_hash("\ud801")


@given(st.lists(LABELS, unique=True, max_size=6))
def test_order_of_names(names):
    assert in_order(names) == slow.in_order(names)
    assert in_order(reversed(names)) == in_order(names)


@pytest.mark.parametrize("seed", [0, 1, 2**63, -1])
def test_equal_scores_are_ordered_by_seed_number_and_name(seed):
    learner = BR(seed=seed)
    labels = [f"L{i}" for i in range(20)]
    learner.learn_one({}, labels)
    predictions = learner.scores(batch_of([({"a": 1.0}, None)] * 5))
    orders = [[c for c, _ in predictions.ranking(k)] for k in range(5)]
    assert orders == [sorted(labels, key=lambda c: slow.key(seed, k, c)) for k in range(5)]
    assert len(set(map(tuple, orders))) == 5


@pytest.mark.parametrize("top", [0, 1, 2, 5, 9, 20, 100])
def test_the_first_labels_of_a_ranking(top):
    learner = BR()
    for i in range(20):
        learner.learn_one({f"f{i // 4}": 1.0}, [f"L{i}"])  # many equal scores, at the bar too
    predictions = learner.scores(batch_of([({f"f{k}": 1.0, "f0": 0.5}, None) for k in range(1, 5)]))
    for k in range(4):
        whole = predictions.ranking(k)
        assert predictions.ranking(k, top) == whole[:top]
        assert [s for _, s in whole] == sorted((s for _, s in whole), reverse=True)
        assert len({s for _, s in whole}) < len(whole)


def test_hashes_grow_with_the_table():
    names = Names(["a"])
    assert names.hashes().tolist() == [slow.name("a")]
    names.ids(["c", "b"])
    assert names.hashes().dtype == np.uint64
    assert names.hashes().tolist() == [slow.name(c) for c in "abc"]

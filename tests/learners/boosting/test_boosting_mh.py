"""Boosting.MH: fitted as AdaBoost.MH is, decided by the best label of all."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.boosting import Boosting

from telex.learners import AdaBoostMH, BatchBuilder, BoostingMH
from telex.learners.base import tie_key
from telex.learners.registry import learner


def batch_of(documents):
    """Documents of (terms, label), all names numbered in order."""
    builder = BatchBuilder()
    builder.feature_names.ids(f"t{k:02}" for k in range(12))
    for terms, label in documents:
        builder.add({f"t{k:02}": 1.0 for k in terms}, [f"c{label}"])
    return builder.take()


DOCUMENTS = st.lists(st.tuples(st.sets(st.integers(0, 11), max_size=6), st.integers(0, 3)), min_size=1, max_size=25)


@given(documents=DOCUMENTS, rounds=st.integers(1, 12))
def test_it_is_the_argmax_of_the_slow_reading(documents, rounds):
    batch = batch_of(documents)
    terms = sorted(set().union(*(terms for terms, _ in documents)))
    labels = sorted({label for _, label in documents})
    w = np.array([[k in had for k in terms] for had, _ in documents], bool).reshape(len(documents), -1)
    if not terms:
        w = np.zeros((len(documents), 1), bool)
    phi = np.array([[c == label for c in labels] for _, label in documents])
    slow = Boosting(w, phi, "R", multiple=False).run(rounds).scores(w)
    model = BoostingMH(rounds=rounds)
    model.fit(batch)
    predictions = model.scores(batch)
    for row in range(len(batch)):
        [said] = predictions.set_of(row)
        assert slow[row, labels.index(int(said[1:]))] == pytest.approx(slow[row].max(), abs=1e-4)
        assert said == predictions.ranking(row)[0][0]


@given(documents=DOCUMENTS)
def test_only_the_decision_is_not_that_of_adaboost(documents):
    batch, both = batch_of(documents), (BoostingMH(rounds=9), AdaBoostMH(rounds=9))
    for model in both:
        model.fit(batch)
    mine, theirs = (model.staged_scores(batch, 5) for model in both)
    columns = len(both[0].labels)
    assert mine.scores[:, :columns].tobytes() == theirs.scores[:, :columns].tobytes()
    assert (mine.relevant[:, :columns].sum(axis=1) == 1).all()


def test_equal_scores_are_decided_by_the_named_hash():
    builder = BatchBuilder()
    for name in ("gold", "wheat"):
        builder.add({"rises": 1.0}, [name])
    model = BoostingMH(rounds=3, seed=5)
    model.fit(builder.take())
    for _ in range(40):
        builder.add({}, None)
    found = model.scores(builder.take())
    said = [found.set_of(k)[0] for k in range(40)]
    assert len({float(score) for score in found.scores[0, :2]}) == 1
    assert said == [min(("gold", "wheat"), key=lambda c: tie_key(5, number, c)) for number in range(2, 42)]
    assert len(set(said)) == 2


def test_by_its_name():
    model = learner("boosting-mh:rounds=7", seed=3)
    assert repr(model) == "BoostingMH(rounds=7, variant='R', threads=0, seed=3)"
    other = BoostingMH()
    model.fit(batch_of([({0}, 0), ({1}, 1)]))
    other.load(model.save())
    assert other.scores(batch_of([({1}, 0)])).set_of(0) == ["c1"]

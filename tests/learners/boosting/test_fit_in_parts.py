"""MP-Boost in parts: each label depends on no other, so that parts of the labels put together are the whole fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import strategies
from oracles.compare import batch_of, told
from oracles.streams import zipf

from telex.learners import FitsInParts, MPBoost


def answered(documents):
    return [(x, y or []) for x, y in documents]


def in_parts(model, batch, parts):
    assert isinstance(model, FitsInParts)
    model.join_parts(batch, [model.fit_part(batch, part, parts) for part in range(parts)])
    return model


def same(one, other, batch):
    assert list(one.labels) == list(other.labels)
    for name, table in one.committee.save().items():
        assert other.committee.save()[name].tobytes() == table.tobytes()
    assert told(one.scores(batch)) == told(other.scores(batch))


@given(documents=strategies.streams, parts=st.integers(1, 7))
def test_any_parts_make_the_whole(documents, parts):
    batch = batch_of(answered(documents))
    whole = MPBoost(rounds=4)
    whole.fit(batch)
    same(in_parts(MPBoost(rounds=4), batch, parts), whole, batch)


def test_parts_are_smoothed_like_the_whole():
    batch = batch_of(answered(zipf(3, 100, 40, 10)))
    whole = MPBoost(rounds=9, eps=7.0)
    whole.fit(batch)
    same(in_parts(MPBoost(rounds=9, eps=7.0), batch, 3), whole, batch)


@pytest.mark.parametrize("variant", ["R", "RA", "D"])
def test_each_variant(variant):
    batch = batch_of(answered(zipf(3, 200, 60, 20)))
    whole = MPBoost(rounds=20, variant=variant)
    whole.fit(batch)
    same(in_parts(MPBoost(rounds=20, variant=variant), batch, 3), whole, batch)

"""Rocchio's selection, against its definition."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from oracles.compare import batch_of
from oracles.strategies import documents

from telex.learners.selection.rocchio import rocchio


def by_definition(stream, batch, per_label):
    found = set()
    for label in {c for _, y in stream for c in y}:
        inside, outside = ([x for x, y in stream if (label in y) is on] for on in (True, False))
        scores = {}
        for i, name in enumerate(batch.feature_names):
            here, there = (sum(x.get(name, 0.0) for x in some) / max(len(some), 1) for some in (inside, outside))
            scores[i] = 16 * here - 4 * there
        found |= {i for i in sorted(scores, key=lambda i: (-round(scores[i], 9), i))[:per_label] if scores[i] > 1e-9}
    return sorted(found)


@given(stream=st.lists(documents, max_size=8), per_label=st.integers(1, 3))
def test_it_is_the_best_features_of_each_label(stream, per_label):
    stream = [({name: float(round(v)) for name, v in x.items()}, y) for x, y in stream]
    batch = batch_of(stream)
    assert rocchio(batch, per_label).tolist() == by_definition(stream, batch, per_label)


def test_a_slice_is_as_good_as_the_whole():
    stream = [({"a": 1.0, "b": 1.0}, ["x"]), ({"b": 2.0, "c": 1.0}, ["y"]), ({"c": 3.0}, ["y"])]
    batch = batch_of(stream)
    assert rocchio(batch.rows(1, 3), 1).dtype == np.int32
    assert rocchio(batch.rows(1, 3), 1).tolist() == [2]
    assert rocchio(batch.rows(0, 0), 1).tolist() == []

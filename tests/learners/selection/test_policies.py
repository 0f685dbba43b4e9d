"""Which features are chosen, against the definitions; document_frequency.py and rocchio.py are tested here as well."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import selection
from oracles.compare import batch_of
from oracles.strategies import documents

from telex.learners.selection.policies import best_of_each, pooled, round_robin

LISTS = st.lists(st.lists(st.integers(0, 9), unique=True, max_size=5).map(lambda one: np.array(one, np.int32)))


@pytest.mark.parametrize("by", list(selection.SCORES))
@given(stream=st.lists(documents, max_size=9), terms=st.integers(1, 3))
def test_each_label_has_its_best(by, stream, terms):
    stream = [({name: float(round(v)) for name, v in x.items()}, y) for x, y in stream]
    batch = batch_of(stream)
    present = [label for label in batch.label_names if any(label in y for _, y in stream)]
    expected = [selection.best(stream, batch.feature_names, label, by, terms) for label in present]
    assert [one.tolist() for one in best_of_each(batch, by, terms)] == expected


@given(lists=LISTS, terms=st.integers(1, 12))
def test_labels_take_turns(lists, terms):
    assert round_robin(lists, terms).tolist() == selection.round_robin([one.tolist() for one in lists], terms)


@given(lists=LISTS)
def test_pooled_is_all_that_any_has(lists):
    assert pooled(lists).tolist() == sorted({feature for one in lists for feature in one.tolist()})
    assert round_robin(lists, 1000).tolist() == pooled(lists).tolist()


def test_equal_ones_come_by_id_not_by_name():
    batch = batch_of([({"b": 1.0}, ["x"]), ({"a": 1.0}, ["y"])])
    assert list(batch.feature_names) == ["b", "a"]
    assert [one.tolist() for one in best_of_each(batch, "ig", 1)] == [[0], [0]]


def test_a_slice_is_as_good_as_the_whole():
    batch = batch_of([({"a": 1.0, "b": 1.0}, ["x"]), ({"b": 2.0, "c": 1.0}, ["y"]), ({"c": 3.0}, ["y"])])
    [found] = best_of_each(batch.rows(1, 3), "rocchio", 1)
    assert (found.dtype, found.tolist()) == (np.int32, [2])
    assert best_of_each(batch.rows(0, 0), "rocchio", 1) == []
    assert pooled([]).dtype == round_robin([], 3).dtype == np.int32

"""Information gain against its definition, and against scikit-learn's verdict."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.compare import batch_of
from oracles.selection import information_gain as by_definition
from oracles.strategies import documents
from sklearn.feature_selection import mutual_info_classif

from telex.learners.selection.document_term_matrix import Table
from telex.learners.selection.information_gain import information_gain


def gains(batch):
    """The table of a batch, and a row of gains a label."""
    table = Table.of(batch)
    return table, np.concatenate([np.zeros((0, len(table.features))), *information_gain(table)])


@given(stream=st.lists(documents, min_size=1, max_size=12))
def test_it_is_its_definition(stream):
    batch = batch_of(stream)
    table, found = gains(batch)
    for row, label in enumerate(table.labels):
        for column, feature in enumerate(table.features):
            names = batch.feature_names[feature], batch.label_names[label]
            assert found[row, column] == pytest.approx(by_definition(stream, *names), abs=1e-6)


def test_scikit_learn_has_the_same(zipf):
    batch = batch_of(zipf)
    table, found = gains(batch)
    assert found.shape == (12, len(table.features))
    assert found.max() > 0.1
    for row in range(len(found)):
        theirs = mutual_info_classif(table.presence(), table.y[:, [row]].toarray().ravel(), discrete_features=True)
        np.testing.assert_allclose(found[row], theirs, rtol=0, atol=1e-9)


def test_many_labels_come_in_several_blocks():
    rng = np.random.default_rng(3)
    stream = [
        ({int(f): 1.0 for f in rng.integers(0, 30, 6)}, [int(c) for c in set(rng.integers(0, 70, 4).tolist())])
        for _ in range(120)
    ]
    batch = batch_of(stream)
    table = Table.of(batch)
    blocks = list(information_gain(table))
    assert [len(block) for block in blocks] == [32, 32, len(table.labels) - 64]
    for row in (0, 31, 32, 66):
        feature, label = batch.feature_names[table.features[7]], batch.label_names[table.labels[row]]
        expected = by_definition(stream, feature, label)
        assert np.concatenate(blocks)[row, 7] == pytest.approx(expected, abs=1e-6)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_what_divides_alike_gains_alike_to_the_bit(stream):
    """A term and its opposite; and one that all have gives no information."""
    batch = batch_of([({("a" if has else "b"): 1.0, "all": 2.0}, ["c"] if y else []) for has, y in stream])
    table, found = gains(batch)
    by_name = {batch.feature_names[f]: found[:, k] for k, f in enumerate(table.features)}
    for row in range(len(table.labels)):
        assert by_name["all"][row] == 0
        if {"a", "b"} <= by_name.keys():
            assert by_name["a"][row] == by_name["b"][row]


def test_no_document_and_no_label():
    assert gains(batch_of([]))[1].shape == (0, 0)
    assert gains(batch_of([({"a": 1.0}, [])]))[1].shape == (0, 1)

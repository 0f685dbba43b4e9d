"""Documents as sparse tables."""

import numpy as np
from oracles.compare import batch_of

from telex.learners.selection.document_term_matrix import Table

STREAM = [({"a": 1.0, "b": 2.0}, ["x"]), ({"b": 0.0, "c": 3.0}, ["y", "x"]), ({}, []), ({"c": -1.0}, ["z"])]


def test_a_row_a_document():
    table = Table.of(batch_of(STREAM))
    assert len(table) == 4
    assert table.x.toarray().tolist() == [[1, 2, 0], [0, 0, 3], [0, 0, 0], [0, 0, -1]]
    assert table.y.toarray().tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0], [0, 0, 1]]


def test_presence_is_a_value_other_than_0():
    assert Table.of(batch_of(STREAM)).presence().toarray().sum(axis=0).tolist() == [1, 1, 2]


def test_a_slice_has_what_its_documents_have():
    table = Table.of(batch_of(STREAM).rows(1, 3))
    assert table.features.tolist() == [1, 2]
    assert table.labels.tolist() == [0, 1]
    assert (table.features.dtype, table.labels.dtype) == (np.int32, np.int32)


def test_what_documents_with_a_label_come_to():
    [(members, inside)] = Table.of(batch_of(STREAM)).inside(Table.of(batch_of(STREAM)).x)
    assert members.ravel().tolist() == [2, 1, 1]
    assert inside.tolist() == [[1, 2, 3], [0, 0, 3], [0, 0, -1]]

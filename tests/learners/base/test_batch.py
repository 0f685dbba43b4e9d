"""Operations on batches against the same on lists of documents.

`savable` is tested in tests/learners/test_learner.py, `background` in tests/stream/checkpoints/test_preallocation.py,
`errors` where they are raised, and `array_types` by its example.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.compare import batch_of

from telex.learners import BatchBuilder, Forget, Names
from telex.learners.base import COLUMNS, Batch, InputError, columns_fit, relevant_labels

features = st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([0.5, 1.0, -2.0]), max_size=4)
labels = st.none() | st.lists(st.sampled_from("xyz"), unique=True, max_size=3).map(sorted)
documents = st.lists(st.tuples(features, labels), min_size=1, max_size=9)


def counted(some):
    """The documents as a batch with counts, which follow from the values."""
    batch = batch_of(some)
    return replace(batch, counts=3 * batch.values + 1)


made = pytest.mark.parametrize("made", [batch_of, counted])


def listed(batch):
    """Every document as plain data."""
    assert batch.counts is None or (batch.counts == 3 * batch.values + 1).all()
    found = []
    for row in range(len(batch)):
        span = slice(batch.indptr[row], batch.indptr[row + 1])
        x = dict(zip(batch.features[span].tolist(), batch.values[span].tolist(), strict=True))
        y = batch.labels_of(row) if batch.labelled[row] else None
        found.append((x, y, batch.ids[row], int(batch.numbers[row])))
    return found


@made
@given(some=documents, data=st.data())
def test_rows_taken_in_any_order_and_put_together_again(made, some, data):
    batch = made(some)
    rows = data.draw(st.lists(st.integers(0, len(some) - 1), max_size=12))
    assert listed(batch.take(np.array(rows, np.int32))) == [listed(batch)[row] for row in rows]
    start = data.draw(st.integers(0, len(some)))
    stop = data.draw(st.integers(start, len(some)))
    part = batch.rows(start, stop)
    assert listed(part) == listed(batch)[start:stop]
    together = Batch.concat([part, batch, part])
    assert (together.counts is None) == (made is batch_of or not len(together.features))
    assert listed(together) == listed(part) + listed(batch) + listed(part)


def test_counts_that_some_documents_lack_are_left_out_together():
    some = [({"a": 1.0}, [])]
    assert Batch.concat([batch_of(some), counted(some)]).counts is None
    assert Batch.concat([batch_of([({}, [])]), counted(some)]).counts.tolist() == [4]


@made
@given(some=documents, data=st.data())
def test_only_some_features_are_left(made, some, data):
    batch = made(some).rows(data.draw(st.integers(0, len(some) - 1)), len(some))
    span = slice(batch.indptr[0], batch.indptr[-1])
    kept = data.draw(st.sets(st.integers(0, 5)))
    left = batch.keep_features(np.isin(batch.features[span], list(kept)))
    assert listed(left) == [({f: v for f, v in x.items() if f in kept}, *rest) for x, *rest in listed(batch)]


@given(some=documents, sets=st.lists(st.sampled_from([(), ("z",), ("y", "q")]), min_size=9, max_size=9))
def test_other_labels_or_none(some, sets):
    batch, names = batch_of(some), Names(["q"])
    found = batch.with_labels(sets[: len(batch)], names)
    assert [sorted(found.labels_of(row)) for row in range(len(batch))] == [sorted(one) for one in sets[: len(batch)]]
    assert found.labelled.all()
    bare = batch.without_labels(names)
    assert not bare.labelled.any()
    assert [x for x, *_ in listed(found)] == [x for x, *_ in listed(bare)] == [x for x, *_ in listed(batch)]


@made
@given(some=documents)
def test_stored_columns_come_back(made, some):
    batch = made(some)
    state = batch.save()
    assert columns_fit(state, len(batch.label_names))
    again = Batch.load(state, batch.feature_names, batch.label_names)
    assert (again.counts is None) == (made is batch_of)
    assert listed(again) == listed(batch)


BROKEN = {
    "indptr": [lambda a: a[:-1], lambda a: a[::-1], lambda a: a + 1],
    "features": [lambda a: a - 9, lambda a: a.astype(np.int64)],
    "values": [lambda a: a[:-1]],
    "labels": [lambda a: a + 9, lambda a: a - 9],
    "labelled": [lambda a: a[:0]],
    "id_offsets": [lambda a: a + 1],
    "times": [lambda a: a[:-1]],
    "counts": [lambda a: a[:-1], lambda a: a.astype(np.float64)],
}


@pytest.mark.parametrize(("column", "change"), [(name, change) for name, some in BROKEN.items() for change in some])
def test_columns_that_native_code_would_read_beyond_are_refused(column, change):
    batch = counted([({"a": 1.0, "b": 2.0}, ["x"]), ({"c": 1.0}, ["y"])])
    assert set(BROKEN) <= {*COLUMNS, "counts"}
    assert columns_fit(batch.save(), 2)
    assert not columns_fit({**batch.save(), column: change(batch.save()[column])}, 2)


def test_parts_know_what_is_forgotten_before_their_rows():
    batch = replace(
        batch_of([({"a": 1.0}, [])] * 6), forget=Forget(np.array([1, 4], np.int32), np.array([0, 7], np.int32))
    )
    assert (batch.rows(3, 6).forget.rows.tolist(), batch.rows(3, 6).forget.features.tolist()) == ([1], [7])
    assert batch.rows(2, 4).forget is None
    assert batch.take(np.array([0, 1], np.int32)).forget is None


def test_what_is_no_document():
    with pytest.raises(InputError, match=r"not as the text 'sport'; try \['sport'\]"):
        relevant_labels("sport")
    for value in ("1", float("nan"), 2.0**128, None):
        with pytest.raises(InputError, match="give a finite number"):
            BatchBuilder().add({"a": value}, [])

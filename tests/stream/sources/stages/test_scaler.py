"""Scalers, beside those of river and scikit-learn; native code is in stream/native/scaling.cpp."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from river import preprocessing as river
from scipy.sparse import csr_matrix
from sklearn import preprocessing as sklearn

from telex.learners.base import BatchBuilder, Forget, Names
from telex.stream.sources.stages.scaler import SCALINGS, Scaler

WIDTH = 6
METHODS = [(method, dense) for method in SCALINGS for dense in (False, True)]
numbers = st.floats(-1e3, 1e3, width=32) | st.sampled_from([0.0, 1.0, 0.1, 3e38, 1e-40])
tables = st.lists(st.lists(numbers, min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=25)


def batch_of(table, *, zeros=False):
    builder = BatchBuilder(Names(range(WIDTH)))
    for row in table:
        builder.add({j: x for j, x in enumerate(row) if zeros or x}, [])
    return builder.take()


def matrix(batch):
    assert all((np.diff(batch.features[a:b]) > 0).all() for a, b in zip(batch.indptr, batch.indptr[1:], strict=False))
    found = np.zeros((len(batch), WIDTH), np.float32)
    entries = slice(batch.indptr[0], batch.indptr[-1])
    found[batch.row_of_entry(), batch.features[entries]] = batch.values[entries]
    return found


def running(scaler, table):
    """What a scaler of river makes of the rows, each learnt before it is scaled."""
    found = []
    for row in table:
        features = dict(enumerate(map(float, row)))
        scaler.learn_one(features)
        found.append(list(scaler.transform_one(features).values()))
    return np.array(found)


def lengths(table):
    """The root of how many features have varied up to each row, as a column."""
    varied = np.logical_or.accumulate(table != table[0]).sum(axis=1)
    return np.sqrt(np.maximum(varied, 1))[:, None]


def drawn(seed, rows=300):
    """A table with zeros, a column that begins late and one that is constant."""
    random = np.random.default_rng(seed)
    table = random.normal(3, 5, (rows, WIDTH)) * (random.random((rows, WIDTH)) < 0.6)
    table[:100, 4], table[:, 5] = 0, 2.5
    return table.astype(np.float32)


@pytest.mark.parametrize("zeros", [False, True])
def test_dense_rows_are_standardised_as_river_does(zeros):
    table = drawn(1)
    made = matrix(Scaler("standard", dense=True)(batch_of(table, zeros=zeros)))
    expected = running(river.StandardScaler(), table) / lengths(table)
    np.testing.assert_allclose(made, expected, rtol=1e-5, atol=1e-6)
    assert np.linalg.norm(made[200:], axis=1).mean() == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize("dense", [False, True])
def test_maxabs_is_that_of_river(dense):
    table = drawn(2)
    made = matrix(Scaler("maxabs", dense=dense)(batch_of(table)))
    np.testing.assert_allclose(made, running(river.MaxAbsScaler(), table), rtol=1e-6)


def test_unit_is_the_normalizer_of_sklearn():
    table = drawn(3)
    table[7] = 0
    np.testing.assert_allclose(matrix(Scaler("unit")(batch_of(table))), sklearn.normalize(table), rtol=1e-6)


@pytest.mark.parametrize(
    ("scaler", "judge"),
    [
        (Scaler("standard", dense=True), sklearn.StandardScaler()),
        (Scaler("standard"), sklearn.StandardScaler(with_mean=False)),
        (Scaler("maxabs"), sklearn.MaxAbsScaler()),
    ],
)
def test_what_is_not_learnt_is_scaled_as_sklearn_transforms_it(scaler, judge):
    table, wide = drawn(4), drawn(5).astype(np.float64)
    made = matrix(scaler(batch_of(np.vstack([table, wide])), len(table)))[len(table) :]
    sparse = not scaler.dense
    judge.fit(csr_matrix(table.astype(np.float64)) if sparse else table.astype(np.float64))
    expected = judge.transform(csr_matrix(wide)).toarray() if sparse else judge.transform(wide)
    length = lengths(table)[-1] if scaler.dense and scaler.method == "standard" else 1
    np.testing.assert_allclose(made, expected / length, rtol=1e-5, atol=1e-6)


def test_sparse_rows_keep_their_zeros():
    table = drawn(6)
    made = Scaler("standard")(given := batch_of(table))
    assert made.features.tolist() == given.features.tolist()
    last = table[-1] / np.where(table.std(axis=0) > 1e-6, table.std(axis=0), 1)
    np.testing.assert_allclose(matrix(made)[-1], last, rtol=1e-5)


@pytest.mark.parametrize(("method", "dense"), METHODS)
@given(table=tables, size=st.integers(1, 7), zeros=st.booleans())
def test_rows_are_the_same_to_the_bit_however_they_are_cut(method, dense, table, size, zeros):
    whole = batch_of(table, zeros=zeros)
    expected = matrix(Scaler(method, dense=dense)(whole))
    assert np.isfinite(expected).all()
    scaler, parts = Scaler(method, dense=dense), []
    for start in range(0, len(whole), size):
        parts.append(matrix(scaler(whole.rows(start, min(start + size, len(whole))))))
        scaler = Scaler.of(scaler.save())
    assert np.concatenate(parts).tobytes() == expected.tobytes()


@pytest.mark.parametrize("method", ["standard", "maxabs"])
@given(table=tables, size=st.integers(1, 7))
def test_dense_rows_with_all_their_values_are_as_those_without_zeros(method, table, size):
    full, short = (Scaler(method, dense=True)(batch_of(table, zeros=zeros)) for zeros in (True, False))
    scale = np.abs(table).max() or 1
    np.testing.assert_allclose(matrix(full), matrix(short), rtol=1e-4, atol=1e-4 if scale < 1e6 else 1e-2)


@pytest.mark.parametrize("method", ["standard", "maxabs"])
@pytest.mark.parametrize("dense", [False, True])
def test_a_forgotten_feature_begins_anew(method, dense):
    table = drawn(7, 40)
    table[:, 0] = np.linspace(1, 2, 40)
    gone = dataclasses.replace(
        batch_of(table), forget=Forget(np.array([20, 20], np.int32), np.array([0, 99], np.int32))
    )
    cleared = table.copy()
    cleared[:20, 0] = 0  # as if it had come with row 20
    made, expected = (matrix(Scaler(method, dense=dense)(one)) for one in (gone, batch_of(cleared)))
    np.testing.assert_allclose(made[20:], expected[20:], rtol=1e-5, atol=1e-6)
    whole, scaler = matrix(Scaler(method, dense=dense)(gone)), Scaler(method, dense=dense)
    parts = [matrix(scaler(gone.rows(start, start + 5))) for start in range(0, 40, 5)]
    assert np.concatenate(parts).tobytes() == whole.tobytes()


def test_broken_states_and_arrays_are_refused():
    state = {**Scaler("standard").save(), "documents": 1, "counts": np.array([2]), "means": np.zeros(1)}
    with pytest.raises(ValueError, match="more values than there were rows"):
        Scaler.of({**state, "squares": np.zeros(1)})
    with pytest.raises(ValueError, match="do not fit"):
        Scaler.of({**state, "squares": np.zeros(2)})
    good = batch_of([[1.0] * WIDTH])
    for column in ({"indptr": np.array([0, 99])}, {"features": np.array([-1, 1, 2, 3, 4, 5], np.int32)}):
        with pytest.raises(ValueError, match=r"fit|negative"):
            Scaler("maxabs")(dataclasses.replace(good, **column))

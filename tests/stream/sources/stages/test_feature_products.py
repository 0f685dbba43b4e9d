import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.learners.base import BatchBuilder, Forget, InputError, UsageError
from telex.stream.sources.stages.feature_products import FeatureProducts

rows = st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(-4, 4).map(float), max_size=5), max_size=8)


def batches(documents, size):
    builder = BatchBuilder()
    for i, features in enumerate(documents, 1):
        builder.add(features, [])
        if i % size == 0:
            yield builder.take()
    yield builder.take()


def told(parts):
    """Every row as {name: value}, by the table at the end."""
    return [
        {
            batch.feature_names[int(i)]: float(x)
            for i, x in zip(
                batch.features[batch.indptr[row] : batch.indptr[row + 1]],
                batch.values[batch.indptr[row] : batch.indptr[row + 1]],
                strict=True,
            )
        }
        for batch in parts
        for row in range(len(batch))
    ]


@given(rows, st.integers(1, 4))
def test_every_product_of_two_features_squares_included(documents, size):
    products = FeatureProducts()
    made = list(map(products, batches(documents, size)))
    for features, row in zip(documents, told(made), strict=True):
        plain = {frozenset(key.split("*")): value for key, value in row.items() if "*" in key}
        assert {key: value for key, value in row.items() if "*" not in key} == features
        assert plain == {frozenset((a, b)): features[a] * features[b] for a in features for b in features}
        assert len(row) == len(features) + len(plain)
    for batch in made:
        for start, end in zip(batch.indptr[:-1], batch.indptr[1:], strict=True):
            ids = batch.features[start:end].tolist()
            assert ids == sorted(set(ids))


@given(rows, st.integers(1, 4))
def test_ids_do_not_depend_on_the_cuts(documents, size):
    [whole], products = map(FeatureProducts(), [next(batches(documents, 100))]), FeatureProducts()
    cut = [products(batch) for batch in batches(documents, size)]
    assert whole.features.tolist() == [i for batch in cut for i in batch.features.tolist()]
    assert whole.values.tolist() == [x for batch in cut for x in batch.values.tolist()]
    assert list(whole.feature_names) == list(products.feature_names)


def test_a_slice_of_a_batch_will_do():
    [batch] = list(batches([{"a": 1.0}, {"a": 2.0, "b": 3.0}], 5))
    assert told([FeatureProducts()(batch.rows(1, 2))]) == [{"a": 2.0, "a*a": 4.0, "b": 3.0, "a*b": 6.0, "b*b": 9.0}]


def test_a_name_that_a_product_has_is_refused():
    [batch] = list(batches([{"a": 1.0, "a*a": 3.0}], 5))
    with pytest.raises(InputError, match=r"the same name as a product"):
        FeatureProducts()(batch)


def test_products_beyond_float32_are_its_largest_number():
    [batch] = list(batches([{"a": 1e30, "b": -1e30}], 5))
    largest = float(np.finfo(np.float32).max)
    [row] = told([FeatureProducts()(batch)])
    assert (row["a*a"], row["a*b"], row["b*b"]) == (largest, -largest, largest)


def test_features_whose_ids_change_names_are_refused():
    [batch] = list(batches([{"a": 1.0}], 5))
    one = np.zeros(1, np.int32)
    with pytest.raises(UsageError, match="needs ids that never change"):
        FeatureProducts()(dataclasses.replace(batch, forget=Forget(one, one)))


def test_too_many_features_are_refused():
    [batch] = list(batches([{str(i): 1.0 for i in range(4097)}], 5))
    with pytest.raises(InputError, match="too many for products"):
        FeatureProducts()(batch)

"""Products of two features, squares included, as further features."""

from __future__ import annotations

import dataclasses
import math
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import InputError, Names, UsageError

if TYPE_CHECKING:
    from telex.learners.base import Batch, Ids

_MOST = 4096
"""The most features that may have products, whose number grows with the square."""
_LARGEST = np.finfo(np.float32).max


class FeatureProducts:
    """Adds to each row the products of any two of its features, rounded to float32.

    Feature j, by first appearance, gets the id j(j+3)/2, and its product with i <= j the id j(j+3)/2 + 1 + i. So the
    ids 0, 1, 2, 3, 4 are a, a*a, b, a*b, b*b, and a new feature appends its ids and changes none. A product too large
    for float32 becomes the largest number of float32. Products have no counts. A batch that forgets is refused.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> builder.add({"a": 2.0, "b": 3.0}, [])
    >>> batch = FeatureProducts()(builder.take())
    >>> dict(zip([batch.feature_names[i] for i in batch.features], batch.values.tolist()))
    {'a': 2.0, 'a*a': 4.0, 'b': 3.0, 'a*b': 6.0, 'b*b': 9.0}
    """

    def __init__(self) -> None:
        self.feature_names = Names()
        self._known = 0

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with its products."""
        if batch.forget:
            raise UsageError(
                "products=true needs ids that never change; leave it out, or give vocabulary=hashed instead of bounded"
            )
        first = int(batch.indptr[0])
        features, values = batch.features[first : batch.indptr[-1]].astype(np.int64), batch.values[first:]
        self._name(batch.feature_names, int(features.max(initial=-1)) + 1)
        ends = batch.indptr - first
        ids, products = list[np.ndarray](), list[np.ndarray]()
        for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            row_ids, row_products = _row(features[start:end], values[start:end])
            ids.append(row_ids)
            products.append(row_products)
        sizes = np.array([len(row) for row in ids], np.int64)
        return dataclasses.replace(
            batch,
            indptr=np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)]),
            features=np.concatenate([np.zeros(0, np.int32), *ids]),
            values=np.concatenate([np.zeros(0, np.float32), *products]),
            counts=None,
            feature_names=self.feature_names,
        )

    def _name(self, names: Names, count: int) -> None:
        if count > _MOST:
            raise InputError(f"there are more than {_MOST:,} features, too many for products; leave out products=true")
        for j in range(self._known, count):
            new = [names[j], *(f"{names[i]}*{names[j]}" for i in range(j + 1))]
            if same := next((name for name in new if self.feature_names.get(name) >= 0), None):
                raise InputError(f"a feature has the same name as a product of two others, {same!r}; rename it")
            self.feature_names.extend(new)
        self._known = max(self._known, count)


def factors(feature: int) -> tuple[int, ...]:
    """Return the feature that an id of :class:`FeatureProducts` stands for, or the two whose product it is.

    >>> [factors(feature) for feature in range(5)]
    [(0,), (0, 0), (1,), (0, 1), (1, 1)]
    """
    later = (math.isqrt(9 + 8 * feature) - 3) // 2
    place = feature - later * (later + 3) // 2
    return (place - 1, later) if place else (later,)


def _row(features: np.ndarray, values: np.ndarray) -> tuple[Ids, np.ndarray]:
    """Return the ids and values of one row with its products, in the order of ids."""
    n = len(features)
    later, earlier = np.tril_indices(n)  # all pairs of entries, each with itself too
    starts = features * (features + 3) // 2
    ids = np.concatenate([starts, starts[later] + 1 + features[earlier]]).astype(np.int32)
    with np.errstate(over="ignore"):
        products = np.concatenate([values, np.clip(values[later] * values[earlier], -_LARGEST, _LARGEST)])
    order = np.argsort(ids, kind="stable")
    return ids[order], products[order]

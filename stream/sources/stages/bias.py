"""A bias: a feature that each document has, so that learners without an intercept have one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import Forget, InputError, Names
from telex.stream.sources.arrivals import Arrivals
from telex.stream.sources.stages.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Batch, State

BIAS = "bias"


class Bias:
    """Adds to each row the feature ``bias``, of value 1 and with the id 0; the ids of all others grow by 1.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> builder.add({"a": 2.0, "b": 3.0}, [])
    >>> batch = Bias()(builder.take())
    >>> dict(zip([batch.feature_names[i] for i in batch.features], batch.values.tolist()))
    {'bias': 1.0, 'a': 2.0, 'b': 3.0}
    """

    def __init__(self) -> None:
        self.feature_names = Names([BIAS])

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch with the bias."""
        first, rows = int(batch.indptr[0]), len(batch)
        indptr = batch.indptr - first + np.arange(rows + 1)
        given = batch.features[first : batch.indptr[-1]]
        gone, counts = batch.forget, None
        self._name(batch.feature_names, [] if gone is None else gone.features.tolist())
        others = np.ones(len(given) + rows, np.bool_)
        others[indptr[:-1]] = False
        features, values = np.zeros(len(others), np.int32), np.ones(len(others), np.float32)
        features[others], values[others] = given + np.int32(1), batch.values[first : batch.indptr[-1]]
        if batch.counts is not None:
            counts = np.ones(len(others), batch.counts.dtype)
            counts[others] = batch.counts[first : batch.indptr[-1]]
        return replace(
            batch,
            indptr=indptr,
            features=features,
            values=values,
            counts=counts,
            feature_names=self.feature_names,
            forget=None if gone is None else Forget(gone.rows, gone.features + np.int32(1)),
        )

    def _name(self, names: Names, gone: list[int]) -> None:
        known = len(self.feature_names) - 1
        for feature in gone:
            if feature < known:
                self.feature_names.replace(feature + 1, names[feature])
        new = [names[i] for i in range(known, len(names))]
        if BIAS in new:
            raise InputError(f"a feature is called {BIAS!r} already; rename it, or leave out the bias")
        self.feature_names.extend(new)


class AddBias(Stage):
    """Adds the bias to the documents."""

    name, takes, gives = "bias", "Batch", "Batch"
    summary = "add a feature of value 1"

    def __init__(self) -> None:
        self._bias = Bias()

    def each(self, item: Any) -> Iterator[Any]:
        """Yield the documents with the bias."""
        if isinstance(item, Arrivals):
            yield replace(item, documents=self._bias(item.documents))
        else:
            yield self._bias(item)

    def save(self) -> State:
        """Return that there is a bias."""
        return {BIAS: True}

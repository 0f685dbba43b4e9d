"""Vectors, such as embeddings of texts, as rows of batches; what the formats that have them share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import BatchBuilder, BrokenRecordError, Names
from telex.stream.sources import RecordCheck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Batch, Ids, Values


class DenseRows:
    """Builds batches of vectors, all of which are as long as the first; features are named by their position from 0.

    A vector of another length raises a BrokenRecordError, and so does one beyond the budget.

    >>> rows = DenseRows(Names(), Names())
    >>> rows.add("7", float("nan"), ["war"], np.array([0.5, 0.0, 2.0], np.float32), 2.0)
    >>> batch = rows.take()
    >>> list(batch.feature_names), batch.values.tolist()
    ([0, 1, 2], [0.5, 0.0, 2.0])
    """

    def __init__(self, feature_names: Names, label_names: Names, check: RecordCheck | None = None) -> None:
        self._names, self._check = feature_names, check or RecordCheck()
        self._builder = BatchBuilder(Names(), label_names)
        self._vectors = list["Values"]()
        self._ids: Ids = np.zeros(0, np.int32)

    def __len__(self) -> int:
        return len(self._vectors)

    def add(self, name: str, time: float, labels: Sequence[str] | None, vector: Values, largest: float) -> None:
        """Append a document; ``largest`` is the largest absolute value of its vector."""
        width = len(self._names)
        if width and len(vector) != width:
            raise BrokenRecordError(
                f"the length of the vector is {len(vector)}, that of those before it {width}; vectors of another "
                "length belong in another run"
            )
        self._check.terms(len(vector))
        if not largest <= self._check.budget.value:
            at = int(np.argmax(~(np.abs(vector) <= self._check.budget.value)))
            self._check.value(at, float(vector[at]))
        if not len(vector):
            raise BrokenRecordError("the vector is empty")
        if labels:
            self._check.labels(labels)
        self._builder.add({}, labels, id=name, time=time)
        self._vectors.append(vector)
        if not width:
            self._names.extend(range(len(vector)))

    def take(self) -> Batch:
        """Return the documents added so far as a batch."""
        vectors, self._vectors = self._vectors, []
        rows, width = len(vectors), len(self._names)
        if len(self._ids) != rows * width:
            self._ids = np.tile(np.arange(width, dtype=np.int32), rows)
        values = np.concatenate([np.zeros(0, np.float32), *vectors])
        indptr = np.arange(rows + 1, dtype=np.int64) * width
        return replace(
            self._builder.take(), indptr=indptr, features=self._ids, values=values, feature_names=self._names
        )

"""Documents as sparse tables, of features and of labels, from which features are scored."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.arrays import Ids, Reals
    from telex.learners.batch import Batch

_BLOCK = 32


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The documents of a batch: ``x`` has a column for each of ``features``, ``y``, of 1 and 0, for each of ``labels``.

    Both are ids that some document has, ascending; a value of 0 is left out of ``x``, its feature is not.
    """

    features: Ids
    labels: Ids
    x: Any
    y: Any

    @classmethod
    def of(cls, batch: Batch) -> Table:
        """Lay out a batch; every document of it is taken as answered."""
        sparse = importlib.import_module("scipy.sparse")
        span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
        named = slice(int(batch.label_indptr[0]), int(batch.label_indptr[-1]))
        features, columns = np.unique(batch.features[span], return_inverse=True)
        labels, of = np.unique(batch.labels[named], return_inverse=True)
        values = batch.values[span].astype(np.float64)
        x = sparse.csr_matrix((values, columns, batch.indptr - batch.indptr[0]), shape=(len(batch), len(features)))
        x.eliminate_zeros()
        answers = (np.ones(len(of)), of, batch.label_indptr - batch.label_indptr[0])
        return cls(features, labels, x, sparse.csr_matrix(answers, shape=(len(batch), len(labels))))

    def __len__(self) -> int:
        return int(self.x.shape[0])

    def presence(self) -> Any:
        """Return ``x`` with 1 for every value."""
        there = self.x.copy()
        there.data[:] = 1
        return there

    def inside(self, x: Any) -> Iterator[tuple[Reals, Reals]]:
        """Yield, some labels at a time, how many documents have each, as a column, and the sums of ``x`` over these."""
        members = self.y.T.tocsr()
        for start in range(0, len(self.labels), _BLOCK):
            some = members[start : start + _BLOCK]
            yield np.diff(some.indptr).astype(np.float64)[:, None], (some @ x).toarray()

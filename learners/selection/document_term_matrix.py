"""Documents as sparse matrices of features and of labels, from which features are scored."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Batch, Ids, Reals

_BLOCK = 32
"""How many labels are scored at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """The documents of a batch as rows of ``x``, a column per feature, and of ``y``, a column of 0 and 1 per label.

    ``features`` and ``labels`` are the ids that some document has, ascending. A value of 0 is no entry of ``x``, but
    its feature still has a column.
    """

    features: Ids
    labels: Ids
    x: Any
    y: Any

    @classmethod
    def of(cls, batch: Batch) -> Table:
        """Return the table of a batch; every document counts as answered."""
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
        """Return ``x`` with 1 in place of every value."""
        there = self.x.copy()
        there.data[:] = 1
        return there

    def inside(self, x: Any) -> Iterator[tuple[Reals, Reals]]:
        """Yield, for some labels at a time, the numbers of documents with each, and the sums of ``x`` over them.

        Both have a row per label: the numbers are a column, the sums have a column per feature.
        """
        members = self.y.T.tocsr()
        for start in range(0, len(self.labels), _BLOCK):
            some = members[start : start + _BLOCK]
            yield np.diff(some.indptr).astype(np.float64)[:, None], (some @ x).toarray()

"""Products of features without the products: documents in a space of as many features as there are documents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import Names

if TYPE_CHECKING:
    from telex.learners.base import Batch


def with_products(batch: Batch) -> Batch:
    """Return documents whose inner products are those of ``batch`` with all products of two features, squares included.

    A perceptron that begins at zero sees documents only through inner products, and so learns the same from both; with
    weights that begin at random its first scores have the same variance. From the Gram matrix G, x.y + ((x.y)^2 + sum
    of x_i^2 y_i^2) / 2, come documents with as many features as G has eigenvalues above 0: no more than documents. 294
    features have 43,365 products, and 2,407 documents need 2,346 features instead.

    The features have no meaning by themselves. Documents of other batches would need the same directions: give all of
    a collection at once.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> builder.add({"a": 1.0, "b": 2.0}, [])  # a, b, aa, ab, bb: 1, 2, 1, 2, 4
    >>> builder.add({"a": 3.0}, [])  # 3, 0, 9, 0, 0
    >>> z = with_products(builder.take()).values.reshape(2, 2).astype(float)
    >>> (z @ z.T).round(3).tolist()
    [[26.0, 12.0], [12.0, 90.0]]
    """
    n = len(batch)
    span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
    x = np.zeros((n, len(batch.feature_names)))
    x[batch.row_of_entry(), batch.features[span]] = batch.values[span]
    inner, squares = x @ x.T, x * x
    lengths, directions = np.linalg.eigh(inner + (inner * inner + squares @ squares.T) / 2)
    kept = lengths > lengths[-1] * n * np.finfo(float).eps
    z = (directions[:, kept] * np.sqrt(lengths[kept])).astype(np.float32)
    width = z.shape[1]
    return replace(
        batch,
        indptr=np.arange(n + 1, dtype=np.int64) * width,
        features=np.tile(np.arange(width, dtype=np.int32), n),
        values=z.ravel(),
        feature_names=Names([f"direction {k}" for k in range(width)]),
        counts=None,
    )

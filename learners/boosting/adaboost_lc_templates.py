"""AdaBoost.LC's templates: which features one round may move for a label, and how far."""

from __future__ import annotations

import importlib
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Ids


def check_update(update: str | Sequence[Mapping[int, float]]) -> str | list[dict[int, float]]:
    """Return ``update`` in its plain form; the error for an invalid one lists what it may be.

    >>> check_update([{0: 1, 3: 0.5}])
    [{0: 1.0, 3: 0.5}]
    """
    if isinstance(update, str):
        if update not in {"parallel", "sequential"}:
            raise UsageError(f"update is {update!r}; choose one of parallel, sequential, or give templates")
        return update
    try:
        plain = [{int(feature): float(b) for feature, b in template.items()} for template in update]
    except (AttributeError, TypeError, ValueError):
        plain = []
    if not plain:
        raise UsageError("give templates as a list of {feature id: weight}; or choose parallel or sequential")
    for template in plain:
        for feature, b in template.items():
            if not (math.isfinite(b) and b >= 0):
                raise UsageError(f"a template gives feature {feature} the weight {b}; give 0 or a finite number above")
    return plain


def templates(update: str | list[dict[int, float]], features: Ids, h: Any) -> Any:
    """Return B as sparse rows over ``features``, a row per template, for the documents ``h`` (scaled rows).

    The proof of Theorem 3.1 needs that no document has a sum of b_j |h_j| above 1. A template that exceeds this is
    divided by its largest sum. So a template of ones gets b_j = 1 / max_i sum_j |h_j(x_i)|.
    """
    sparse = importlib.import_module("scipy.sparse")
    size = len(features)
    if update == "sequential":
        return sparse.identity(size, np.float64, format="csr")
    if isinstance(update, str):
        dense = np.ones((1, size))
        rows = sparse.csr_matrix(dense)
    else:
        place = {feature: column for column, feature in enumerate(features.tolist())}
        known = [[(place[f], b) for f, b in sorted(one.items()) if f in place and b > 0] for one in update]
        indptr = np.cumsum([0, *map(len, known)])
        flat = [pair for one in known for pair in one]
        columns, values = np.array([c for c, _ in flat], np.int32), np.array([b for _, b in flat], np.float64)
        rows = sparse.csr_matrix((values, columns, indptr), shape=(len(update), size))
    sums = (abs(h) @ rows.T).tocsc()  # documents x templates
    largest = np.ones(rows.shape[0])
    np.maximum.at(largest, np.repeat(np.arange(rows.shape[0]), np.diff(sums.indptr)), sums.data)
    return sparse.diags(1 / largest, format="csr") @ rows

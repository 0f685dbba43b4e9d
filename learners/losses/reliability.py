"""Reliability: how often labels are true that are held to be so probable."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners import _core

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Batch, Ids, Offsets, Predictions

TENTHS = 10
_UNIT = 1 << 24
"""Probabilities are summed in whole units, so that sums are the same however a stream is cut."""


class Tenth(NamedTuple):
    """One tenth of the probabilities: how many there were, their mean, and the share of them whose label was true."""

    size: int
    predicted: float
    observed: float


def no_reliability() -> Offsets:
    """Return the counts before the first document."""
    return np.zeros(3 * TENTHS, np.int64)


def count_reliability(predictions: Predictions, columns: Ids, batch: Batch) -> Offsets | None:
    """Count, for each tenth, the probabilities of known labels, their sum, and how many labels were true.

    ``columns`` maps the labels of ``batch``, which has the answers. None without probabilities.
    """
    if predictions.probabilities is None:
        return None
    return _core.reliability(
        _core.Predicted(
            predictions.scores,
            predictions.relevant.view(np.uint8),
            predictions.known,
            predictions.rows,
            columns,
            predictions.keys,
            predictions.seed,
            predictions.numbers,
            batch.label_indptr,
            batch.labels,
            batch.labelled.view(np.uint8),
        ),
        predictions.probabilities,
    )


def tenths(counts: Offsets) -> Iterator[Tenth | None]:
    """Yield the tenths from the lowest; None where there was no such probability.

    >>> counts = no_reliability()
    >>> counts[[1, 11, 21]] = 4, 4 * 2**24 // 8, 1
    >>> list(tenths(counts))[:3]
    [None, Tenth(size=4, predicted=0.125, observed=0.25), None]
    """
    for size, total, true in counts.reshape(3, TENTHS).T.tolist():
        yield Tenth(size, total / _UNIT / size, true / size) if size else None

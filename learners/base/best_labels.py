"""What a learner says of many documents at once: their sets, and their best labels with scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base.names import in_order
from telex.learners.base.tie_order import mix, mixed

if TYPE_CHECKING:
    from collections.abc import Hashable

    from telex.learners.base.arrays import Offsets
    from telex.learners.base.predictions import Predictions


def sets(predictions: Predictions) -> list[list[Hashable]]:
    """Return for each ask what ``predictions.set_of(k)`` has, in sorted order."""
    known = np.arange(predictions.relevant.shape[1]) < predictions.known[:, None]
    rows, columns = np.nonzero(predictions.relevant & known)
    labels = [predictions.labels[column] for column in columns.tolist()]
    return [in_order(some) for some in _by_row(labels, rows, len(predictions))]


def best(
    predictions: Predictions, top: int, start: int = 0, stop: int | None = None
) -> list[list[tuple[Hashable, float]]]:
    """Return ``predictions.ranking(k, top)`` for the asks from ``start`` to ``stop``, all of them by default."""
    asks = slice(start, stop)
    scores, numbers = predictions.scores[asks], predictions.numbers[asks].astype(np.uint64)
    there = np.arange(scores.shape[1]) < predictions.known[asks, None]
    if not top:
        return [[] for _ in scores]
    if top < scores.shape[1]:
        lowered = np.where(there, scores, np.float32(-np.inf))
        there &= scores >= np.partition(lowered, -top)[:, -top, None]
    rows, columns = np.nonzero(there)
    found = scores[rows, columns]
    keys = mixed(predictions.keys[columns] ^ mixed(np.uint64(mix(predictions.seed % 2**64)) ^ numbers)[rows])
    order = np.lexsort((columns, keys, -found, rows))
    begins = np.searchsorted(rows, np.arange(len(scores)))
    order = order[np.arange(len(rows)) - begins[rows] < top]
    labels = [predictions.labels[column] for column in columns[order].tolist()]
    return _by_row(list(zip(labels, found[order].tolist(), strict=True)), rows[order], len(scores))


def _by_row(items: list[Any], rows: Offsets, count: int) -> list[list[Any]]:
    """Cut a list into those of each row, which ascend."""
    cuts = np.searchsorted(rows, np.arange(count + 1)).tolist()
    return [items[cuts[row] : cuts[row + 1]] for row in range(count)]

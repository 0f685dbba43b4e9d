"""The choice of features by their scores for each label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from telex.learners.selection.document_frequency import document_frequency
from telex.learners.selection.document_term_matrix import Table
from telex.learners.selection.information_gain import information_gain
from telex.learners.selection.rocchio import rocchio

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telex.learners.base import Batch, Ids, Offsets

By = Literal["ig", "rocchio", "df"]
SCORES = {"ig": information_gain, "rocchio": rocchio, "df": document_frequency}


def best_of_each(batch: Batch, by: By, terms: int) -> list[Ids]:
    """Return, for each label that some document has, the ids of its up to ``terms`` best features, the best first.

    Labels come in ascending order of their ids. Only features with a score above 0 are chosen; equal scores are ordered
    by feature id.

    >>> from telex.learners import BatchBuilder
    >>> stream = BatchBuilder()
    >>> for text, label in [("the gold", "metal"), ("the wheat", "grain"), ("the gold", "metal"), ("the oat", "grain")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> [[batch.feature_names[f] for f in one] for one in best_of_each(batch, "ig", 2)]
    [['gold', 'wheat'], ['gold', 'wheat']]
    >>> [[batch.feature_names[f] for f in one] for one in best_of_each(batch, "rocchio", 2)]
    [['gold', 'the'], ['the', 'wheat']]
    """
    table = Table.of(batch)
    best = []
    for scores in SCORES[by](table):
        order = np.argsort(-scores, axis=1, kind="stable")[:, :terms]
        chosen = np.take_along_axis(scores, order, axis=1) > 0
        best += [table.features[places[there]] for places, there in zip(order, chosen, strict=True)]
    return best


def pooled(best: Iterable[Ids]) -> Ids:
    """Return all features chosen for any label, ascending."""
    return np.unique(np.concatenate([np.zeros(0, np.int32), *best]))


def round_robin(best: Sequence[Ids], terms: int) -> Ids:
    """Return ``terms`` features, ascending: labels take turns, each with its next best feature.

    A feature that several labels choose counts once; the last turn ends as soon as there are enough.

    >>> round_robin([np.array([7, 2, 5], np.int32), np.array([7, 1], np.int32)], 3).tolist()
    [1, 2, 7]
    """
    # Sorted by turn, the first features of all labels come first, then the second ones: 7 7 2 1 5 in the example.
    turns: Offsets = np.concatenate([np.zeros(0, np.int64), *(np.arange(len(one)) for one in best)])
    features = np.concatenate([np.zeros(0, np.int32), *best])[np.argsort(turns, kind="stable")]
    _, first = np.unique(features, return_index=True)
    return np.sort(features[np.sort(first)[:terms]])

"""An answer, and the documents as learners see them when their answers come."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import Batch
from telex.stream.delayed_labels.pending import documents

if TYPE_CHECKING:
    from telex.learners.base import LabelSet, LastForgotten, Offsets
    from telex.stream.delayed_labels.pending import Waiting


class Told(NamedTuple):
    """An answer to the document at ``place``, given after ``now`` documents; corrections are not ``scored``."""

    place: int
    labels: LabelSet
    scored: bool
    now: int


def as_they_are(
    places: Offsets, now: Offsets, batch: Batch, base: int, *, waiting: Waiting, gone: LastForgotten
) -> Batch:
    """Return the documents at ``places``, without features whose ids were given to other terms by then.

    ``now`` says how many documents had come when each was answered. Documents from ``base`` on are in ``batch``, older
    ones in ``waiting``.
    """
    parts, order = [], []
    old, new = np.flatnonzero(places < base), np.flatnonzero(places >= base)
    if len(old):
        parts.append(documents(waiting.find(places[old]), batch.feature_names, batch.label_names))
        order.append(old)
    if len(new):
        asked = batch.take((places[new] - base).astype(np.int32))
        parts.append(asked.without_labels(batch.label_names))
        order.append(new)
    answered = Batch.concat(parts)
    if len(order) > 1:
        # The old ones stand in front now. order lists where each belongs: [0, 2] and [1] give the rows 0, 2, 1.
        answered = answered.take(np.argsort(np.concatenate(order), kind="stable").astype(np.int32))
    if not gone:
        return answered
    span = slice(int(answered.indptr[0]), int(answered.indptr[-1]))
    rows = answered.row_of_entry()
    return answered.keep_features(gone.unchanged(answered.features[span], places[rows], now[rows] - 1))

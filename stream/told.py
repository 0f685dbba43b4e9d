"""An answer, and the documents as learners see them when their answers come."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.batch import Batch
from telex.stream.waiting import documents

if TYPE_CHECKING:
    from telex.learners.arrays import Offsets
    from telex.learners.recycled_ids import GoneSince
    from telex.stream.label_sets import Labels
    from telex.stream.waiting import Waiting


class Told(NamedTuple):
    """An answer to the document at ``place``, given after ``now`` documents; corrections are not ``scored``."""

    place: int
    labels: Labels
    scored: bool
    now: int


def as_they_are(places: Offsets, now: Offsets, batch: Batch, base: int, *, waiting: Waiting, gone: GoneSince) -> Batch:
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
    found = Batch.concat(parts)
    if len(order) > 1:
        found = found.take(np.argsort(np.concatenate(order), kind="stable").astype(np.int32))
    if not gone:
        return found
    span = slice(int(found.indptr[0]), int(found.indptr[-1]))
    rows = found.row_of_entry()
    return found.keep_features(gone.stands(found.features[span], places[rows], now[rows] - 1))

"""An answer with the place of its document, and documents as learners see them when their answers come."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import Batch
from telex.stream.delayed_labels.pending import documents

if TYPE_CHECKING:
    from telex.learners.base import LabelSet, LastForgotten, Offsets
    from telex.stream.delayed_labels.pending import PendingDocuments


class Answered(NamedTuple):
    """An answer to the document at ``place``, which came after ``moment`` documents; corrections are not ``scored``."""

    place: int
    labels: LabelSet
    scored: bool
    moment: int


def answered_documents(
    places: Offsets, moments: Offsets, batch: Batch, base: int, *, pending: PendingDocuments, forgotten: LastForgotten
) -> Batch:
    """Return the documents at ``places``, without features whose ids belong to other terms by then.

    ``moments`` has, for each, how many documents had come when it was answered. Documents from ``base`` on are in
    ``batch``, older ones in ``pending``.
    """
    parts, order = [], []
    old, new = np.flatnonzero(places < base), np.flatnonzero(places >= base)
    if len(old):
        parts.append(documents(pending.find(places[old]), batch.feature_names, batch.label_names))
        order.append(old)
    if len(new):
        asked = batch.take((places[new] - base).astype(np.int32))
        parts.append(asked.without_labels(batch.label_names))
        order.append(new)
    answered = Batch.concat(parts)
    if len(order) > 1:
        # The old ones come first now. order says where each row belongs: old [0, 2] and new [1] give [0, 2, 1].
        answered = answered.take(np.argsort(np.concatenate(order), kind="stable").astype(np.int32))
    if not forgotten:
        return answered
    span = slice(int(answered.indptr[0]), int(answered.indptr[-1]))
    rows = answered.row_of_entry()
    return answered.keep_features(forgotten.unchanged(answered.features[span], places[rows], moments[rows] - 1))

"""A window of documents as boosting sees it: the terms that are present, and the true labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import InputError, Names, in_order

if TYPE_CHECKING:
    from telex.learners.base import Batch, Ids, Offsets

_TABLE = 1 << 26
"""Ids below this are numbered by a table of all ids; larger ones by sorting."""


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """Documents as compressed rows of terms (by their places in ``terms``) and of labels (by column).

    A term is present if the document has a value other than 0 for it. ``order`` decides ties: it is each term's place
    among all terms, by name if the batch has names, else by id.
    """

    terms: Ids
    order: Ids
    labels: Names
    indptr: Offsets
    places: Ids
    label_indptr: Offsets
    columns: Ids

    @classmethod
    def of(cls, batch: Batch, *, every_label: bool = False) -> Presence:
        """Return the presence of a batch; labels that no document has are left out, unless ``every_label``."""
        span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
        there = batch.values[span] != 0
        ids, indptr = batch.features[span], batch.indptr - batch.indptr[0]
        if not there.all():
            indptr = np.concatenate([np.zeros(1, np.int64), np.cumsum(there)])[indptr]
            ids = ids[there]
        if len(ids) and ids.min() < 0:
            raise InputError("a feature id of the batch is below 0; use BatchBuilder, which numbers features from 0")
        terms, places = _numbered(ids)
        answers = slice(int(batch.label_indptr[0]), int(batch.label_indptr[-1]))
        known: Ids = np.arange(len(batch.label_names), dtype=np.int32)
        numbers: Ids = batch.labels[answers]
        if not every_label:
            known, places_of_labels = np.unique(numbers, return_inverse=True)
            numbers = places_of_labels.astype(np.int32)
        label_indptr = batch.label_indptr - batch.label_indptr[0]
        rows = np.repeat(np.arange(len(batch)), np.diff(label_indptr))
        columns = numbers[np.lexsort((numbers, rows))]
        labels = Names(batch.label_names[i] for i in known.tolist())
        return cls(terms, _order(terms, batch.feature_names), labels, indptr, places, label_indptr, columns)


def _numbered(ids: Ids) -> tuple[Ids, Ids]:
    """Return the distinct ids, ascending, and the place of each among them."""
    if not len(ids) or ids.max() >= _TABLE:
        terms, places = np.unique(ids, return_inverse=True)
        return terms, places.astype(np.int32)
    seen = np.zeros(int(ids.max()) + 1, np.bool_)
    seen[ids] = True
    numbers = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    return np.flatnonzero(seen).astype(np.int32), numbers[ids]


def _order(terms: Ids, names: Names) -> Ids:
    order = np.arange(len(terms), dtype=np.int32)
    if len(terms) and terms[-1] < len(names):
        place = {names[i]: k for k, i in enumerate(terms.tolist())}
        order[[place[name] for name in in_order(place)]] = order.copy()
    return order

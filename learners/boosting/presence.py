"""A window of documents as boosting sees it: which terms are present, which labels are right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.errors import InputError
from telex.learners.names import Names, in_order

if TYPE_CHECKING:
    from telex.learners.arrays import Ids, Offsets
    from telex.learners.batch import Batch

_TABLE = 1 << 26
"""Ids below are counted in a table of all of them; larger ones are sorted."""


@dataclass(frozen=True, slots=True, eq=False)
class Presence:
    """Documents in compressed rows of ``terms`` (by place, ascending) and of ``labels`` (by column, ascending).

    A term is present where the document has a value for it other than 0. ``order`` is each term's place among all, by
    name where the batch names them, else by id; it decides ties.
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
        """Look through the documents of ``batch``; labels that none of them has are left out, or kept on demand."""
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
        found: Ids = batch.labels[answers]
        if not every_label:
            known, numbers = np.unique(found, return_inverse=True)
            found = numbers.astype(np.int32)
        label_indptr = batch.label_indptr - batch.label_indptr[0]
        rows = np.repeat(np.arange(len(batch)), np.diff(label_indptr))
        columns = found[np.lexsort((found, rows))]
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

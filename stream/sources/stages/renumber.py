"""Batches renumbered from their source's tables of names to other tables."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import InputError, Names

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from telex.learners.base import Batch, Ids, State


class Renumbering:
    """Renumbers the features and labels of a source's batches by given tables, which grow by new names.

    If the tables are not ``growing``, new features are left out instead; new labels are always added.

    New names are added in the order of the source's ids, up to the highest id met. So they get the ids that they would
    have if the stream behind the tables had continued with this one, however it is cut into batches.

    >>> from telex.learners.base import BatchBuilder
    >>> source = BatchBuilder()
    >>> source.add({"cup": 1.0, "gold": 2.0}, ["sport"])
    >>> batch = Renumbering(Names(["gold"]), Names(["war"]))(source.take())
    >>> batch.features.tolist(), batch.values.tolist(), list(batch.feature_names), batch.labels.tolist()
    ([0, 1], [2.0, 1.0], ['gold', 'cup'], [1])
    """

    def __init__(self, feature_names: Names, label_names: Names, *, growing: bool = True) -> None:
        self.feature_names, self.label_names, self._growing = feature_names, label_names, growing
        self._source: Names | None = None
        self._features = self._labels = np.zeros(0, np.int32)

    def __call__(self, batch: Batch) -> Batch:
        """Return the batch in the ids of the tables."""
        if batch.forget:
            raise InputError("a batch that forgets features cannot be renumbered; give batches of another source")
        if self._source is not batch.feature_names:
            self._source, self._features, self._labels = batch.feature_names, np.zeros(0, np.int32), self._labels[:0]
        features = batch.features[batch.indptr[0] : batch.indptr[-1]]
        first = int(batch.label_indptr[0])
        labels = batch.labels[first : batch.label_indptr[-1]]
        known = self.feature_names.id if self._growing else self.feature_names.get
        self._features = _extended(self._features, features, batch.feature_names, known)
        self._labels = _extended(self._labels, labels, batch.label_names, self.label_names.id)
        return replace(
            _with_features(batch, self._features[features], self.feature_names),
            label_indptr=batch.label_indptr - first,
            labels=self._labels[labels],
            label_names=self.label_names,
        )

    def save(self) -> State:
        """Return the tables, with the names added so far, as plain data."""
        return {"features": self.feature_names.save(), "labels": self.label_names.save()}

    @classmethod
    def of(cls, state: State) -> Renumbering:
        """Restore what :meth:`save` returned."""
        return cls(Names.of(state["features"]), Names.of(state["labels"]))


def _with_features(batch: Batch, ids: Ids, names: Names) -> Batch:
    """Return the batch with ``ids`` for its feature entries, sorted again in each row; entries with -1 are left out."""
    remaining = batch.keep_features(ids >= 0)
    known = ids[ids >= 0]
    order = np.lexsort((known, remaining.row_of_entry()))
    counts = None if remaining.counts is None else remaining.counts[order]
    values = remaining.values[order]
    return replace(remaining, features=known[order], values=values, counts=counts, feature_names=names)


def _extended(known: Ids, met: Ids, source: Names, id_of: Callable[[Hashable], int]) -> Ids:
    """Return the new ids by the source's ids, extended up to the highest one in ``met``."""
    count = int(met.max(initial=-1)) + 1
    new = [id_of(source[i]) for i in range(len(known), count)]
    return np.concatenate([known, np.array(new, np.int32)]) if new else known

"""Label sets of batches, closed upwards along a tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import Names, in_order, row_starts
from telex.learners.trees.marked_nodes import among

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telex.learners.base import Batch, Ids, Offsets
    from telex.learners.trees.tree import Tree


class Closed(NamedTuple):
    """A batch whose label sets are closed, how many documents were not before, and how many labels they got."""

    batch: Batch
    documents: int
    labels: int


class ClosedSets:
    """Adds to each label of a document its ancestors in a tree; a label that the tree lacks is a root.

    The batches that it returns share a table of ``names`` of its own: where a thread reads ahead, the ids of the
    source's table would depend on how far it is.

    >>> from telex.learners.base import BatchBuilder
    >>> from telex.learners.trees import Tree
    >>> builder = BatchBuilder()
    >>> builder.add({}, ["gas"])
    >>> batch, documents, labels = ClosedSets(Tree.of([("crude", "energy"), ("gas", "energy")])).close(builder.take())
    >>> batch.labels_of(0), documents, labels
    (['energy', 'gas'], 1, 1)
    """

    def __init__(self, tree: Tree, names: Names | None = None) -> None:
        self.names = Names() if names is None else names
        self._tree = tree
        self._parents = np.zeros(0, np.int64)
        self._source: Names | None = None
        self._own = np.zeros(0, np.int64)

    def close(self, batch: Batch) -> Closed:
        """Return the batch with closed sets, numbered by ``names``."""
        first, last = int(batch.label_indptr[0]), int(batch.label_indptr[-1])
        labels = self._renumbered(batch.labels[first:last], batch.label_names)
        self._extend_parents()
        sizes = np.diff(batch.label_indptr)
        rows = np.repeat(np.arange(len(batch)), sizes)
        width = len(self.names)
        given, above = rows * width + labels, self._parents[labels]
        has = above >= 0
        if among(rows[has] * width + above[has], given, len(batch) * width).all():
            starts = batch.label_indptr - first
            names = self.names
            return Closed(replace(batch, label_indptr=starts, labels=labels.astype(np.int32), label_names=names), 0, 0)
        found = [given]
        while has.any():
            rows, above = rows[has], above[has]
            found.append(rows * width + above)
            above = self._parents[above]
            has = above >= 0
        return self._closed(batch, np.unique(np.concatenate(found)), sizes)

    def closed(self, labels: Sequence[Hashable]) -> list[Hashable]:
        """Return one set of labels with the ancestors that were missing."""
        self._tree = self._tree.with_labels(labels)
        return self._tree.closed(dict.fromkeys(labels))

    def _closed(self, batch: Batch, pairs: Offsets, before: Offsets) -> Closed:
        rows, labels = np.divmod(pairs, len(self.names))
        sizes = np.bincount(rows, minlength=len(batch))
        order = np.lexsort((self._ranks(labels), rows))
        closed = replace(
            batch,
            label_indptr=row_starts(sizes),
            labels=labels[order].astype(np.int32),
            label_names=self.names,
        )
        return Closed(closed, int(np.count_nonzero(sizes > before)), int((sizes - before).sum()))

    def _ranks(self, labels: Offsets) -> Offsets:
        """Return the place of each label among them all in the order of names."""
        ids, which = np.unique(labels, return_inverse=True)
        named = {self.names[i]: k for k, i in enumerate(ids.tolist())}
        ranks = np.empty(len(ids), np.int64)
        ranks[[named[name] for name in in_order(named)]] = np.arange(len(ids))
        return ranks[which]

    def _renumbered(self, labels: Ids, source: Names) -> Offsets:
        """Return the ids here of a source's labels; new ones are numbered as they come, before their ancestors."""
        if source is not self._source:
            self._source, self._own = source, np.zeros(0, np.int64)
        if (missing := int(labels.max(initial=-1)) + 1 - len(self._own)) > 0:
            self._own = np.concatenate([self._own, np.full(missing, -1, np.int64)])
        new = {i: source[i] for i in labels[self._own[labels] < 0].tolist()}
        if new:
            self._tree = self._tree.with_labels(new.values())
            for i, name in new.items():
                self._own[i], *_ = [self.names.id(one) for one in self._tree.path(name)]
        return self._own[labels]

    def _extend_parents(self) -> None:
        """Look up the parents of new names, those of predictions among them."""
        start = len(self._parents)
        if start == len(self.names):
            return
        self._tree = self._tree.with_labels(self.names[i] for i in range(start, len(self.names)))
        parents: list[int] = []
        while start + len(parents) < len(self.names):
            path = self._tree.path(self.names[start + len(parents)])
            parents.append(self.names.id(path[1]) if len(path) > 1 else -1)
        self._parents = np.concatenate([self._parents, np.array(parents, np.int64)])

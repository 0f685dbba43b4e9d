"""A window of documents on a tree: features by their places, and labels with their ancestors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Batch, Bytes, Ids, Offsets, Values
    from telex.learners.trees import Tree


@dataclass(frozen=True, slots=True, eq=False)
class TreeWindow:
    """Documents as compressed rows of ``places`` in ``features``, ascending, and whether each node is a document's.

    ``tree`` has the labels of the documents and their ancestors; labels that the given tree lacks are roots.
    ``relevant`` has a row a document and a column a node, closed upwards. With ``bias`` the last place, which is no
    feature's, has the value 1 in each document.
    """

    tree: Tree
    features: Ids
    indptr: Offsets
    places: Ids
    values: Values
    relevant: Bytes

    @classmethod
    def of(cls, batch: Batch, tree: Tree, *, bias: bool = False) -> TreeWindow:
        """Return the window of a batch in which every document has an answer."""
        span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
        features, places = np.unique(batch.features[span], return_inverse=True)
        rows = placed(
            batch.indptr - batch.indptr[0], places.astype(np.int32), batch.values[span], len(features) if bias else -1
        )
        answers = slice(int(batch.label_indptr[0]), int(batch.label_indptr[-1]))
        ids, columns = np.unique(batch.labels[answers], return_inverse=True)
        names = [batch.label_names[i] for i in ids.tolist()]
        tree = tree.with_labels(names).only(names)
        relevant = np.zeros((len(batch), len(tree)), np.uint8)
        nodes = np.array([tree.place[name] for name in names], np.int64)
        relevant[np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr)), nodes[columns]] = 1
        for level in reversed(tree.levels[1:]):
            for node in level.tolist():
                relevant[:, tree.parents[node]] |= relevant[:, node]
        return cls(tree, features.astype(np.int32), *rows, relevant)


def known_rows(batch: Batch, features: Ids, *, bias: bool = False) -> tuple[Offsets, Ids, Values]:
    """Return the rows of a batch by the places of ``features``; what is not among them is left out."""
    span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
    found = np.searchsorted(features, batch.features[span])
    known = found < len(features)
    known[known] = features[found[known]] == batch.features[span][known]
    indptr = np.append(0, np.cumsum(known))[batch.indptr - batch.indptr[0]]
    places, values = found[known].astype(np.int32), batch.values[span][known]
    return placed(indptr.astype(np.int64), places, values, len(features) if bias else -1)


def placed(indptr: Offsets, places: Ids, values: Values, bias: int) -> tuple[Offsets, Ids, Values]:
    """Return rows with the place ``bias`` at the end of each, whose value is 1; as they are if it is -1."""
    if bias < 0:
        return indptr, places, np.ascontiguousarray(values)
    ends = indptr[1:]
    more = indptr + np.arange(len(indptr))
    return more, np.insert(places, ends, np.int32(bias)), np.insert(values, ends, np.float32(1))

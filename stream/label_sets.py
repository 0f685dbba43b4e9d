"""Sets of labels by name: given to documents, and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.batch import Batch
from telex.learners.names import Names

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from telex.learners.arrays import Flags, Ids, Offsets
    from telex.stream.state import State

Labels = tuple["Hashable", ...]
_NONE = np.zeros(0, np.int32)


def without_labels(batch: Batch, names: Names) -> Batch:
    """Return the documents as ones of which nobody has said anything, over the table ``names``."""
    rows = len(batch)
    return _labelled(batch, np.zeros(rows + 1, np.int64), _NONE, np.zeros(rows, np.bool_), names)


def with_labels(batch: Batch, sets: Sequence[Labels], names: Names) -> Batch:
    """Return the documents with a set of labels each."""
    ids = [names.ids(one) for one in sets]
    indptr = np.zeros(len(ids) + 1, np.int64)
    np.cumsum([len(one) for one in ids], out=indptr[1:])
    labels = np.array([label for one in ids for label in one], np.int32)
    return _labelled(batch, indptr, labels, np.ones(len(ids), np.bool_), names)


def _labelled(batch: Batch, indptr: Offsets, labels: Ids, labelled: Flags, names: Names) -> Batch:
    return Batch(  # by hand: dataclasses.replace takes many times as long, which tells with one document at a time
        batch.indptr,
        batch.features,
        batch.values,
        indptr,
        labels,
        labelled,
        batch.ids,
        batch.times,
        batch.numbers,
        batch.feature_names,
        names,
        batch.forget,
    )


def sets_state(sets: Sequence[Labels]) -> State:
    """Return sets as plain data.

    >>> sets_of(sets_state([("war", "trade"), ()]))
    [('war', 'trade'), ()]
    """
    names = Names()
    ids = [names.id(label) for one in sets for label in one]
    sizes = np.array([len(one) for one in sets], np.int64)
    return {"names": names.save(), "ids": np.array(ids, np.int32), "sizes": sizes}


def sets_of(state: State) -> list[Labels]:
    """Return the sets that :func:`sets_state` told of."""
    names, ids = list(Names.of(state["names"])), state["ids"].tolist()
    found, start = [], 0
    for size in state["sizes"].tolist():
        found.append(tuple(names[i] for i in ids[start : start + size]))
        start += size
    return found

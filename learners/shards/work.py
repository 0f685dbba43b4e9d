"""What all shards get of one call: documents as arrays, whose labels are columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import row_starts

if TYPE_CHECKING:
    from telex.learners.base import Bytes, Flags, Ids, Keys, Offsets, Values


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """The arguments of the native core's batch: see :class:`~telex.learners.base.Batch`."""

    indptr: Offsets
    features: Ids
    values: Values
    label_indptr: Offsets
    labels: Ids
    labelled: Bytes
    numbers: Offsets
    hashes: Keys
    columns: Ids
    forget_rows: Ids | None
    forget_features: Ids | None
    counts: Values | None
    parents: Ids | None = None
    inner: Bytes | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Asks and answers for every shard; without ``steps`` each document is asked, and nothing is learnt.

    ``labels`` are the columns of the labels of the documents that are answered. ``hashes`` are those of the labels that
    are new, whose columns follow the ``known`` ones in this order.
    """

    indptr: Offsets
    features: Ids
    values: Values
    counts: Values | None
    label_indptr: Offsets
    labels: Ids
    numbers: Offsets
    forget_rows: Ids | None
    forget_features: Ids | None
    steps: Ids | None
    known: int
    hashes: Keys

    @property
    def asks(self) -> int:
        """How many documents are asked."""
        return len(self.indptr) - 1 if self.steps is None else int(np.count_nonzero(self.steps >= 0))


@dataclass(frozen=True, slots=True, eq=False)
class Reply:
    """What a shard has to say of the documents asked, a row an ask; its memory, and the processor time that it took."""

    scores: Values
    relevant: Bytes
    bytes: int
    seconds: float


def work_of(documents: Documents, steps: Ids | None, known: int) -> tuple[Work, Ids]:
    """Return the work of a call, and how many labels are known at each ask.

    New labels get their columns in ``documents.columns``, in the order in which they are answered.
    """
    d, rows = documents, len(documents.indptr) - 1
    order = dict[int, int]()  # each new label, and the step that brings it
    answered = np.zeros(rows, np.bool_)
    if steps is not None:
        at = np.flatnonzero(steps < 0)
        mine = ~steps[at]
        answered[mine] = True
        starts, sizes = d.label_indptr[mine], np.diff(d.label_indptr)[mine]
        entries = np.arange(sizes.sum()) + np.repeat(starts - row_starts(sizes)[:-1], sizes)
        ids, places = d.labels[entries], np.repeat(at, sizes)
        fresh = d.columns[ids] < 0
        for label, place in zip(ids[fresh].tolist(), places[fresh].tolist(), strict=True):
            order.setdefault(label, place)
    new = np.array(list(order), np.intp)
    d.columns[new] = np.arange(known, known + len(new), dtype=np.int32)
    asks = np.arange(rows) if steps is None else np.flatnonzero(steps >= 0)
    counts = known + np.searchsorted(np.array(list(order.values()), np.int64), asks).astype(np.int32)
    indptr, labels = _labels_of(d, answered)
    inside = slice(int(d.indptr[0]), int(d.indptr[-1]))
    work = Work(
        d.indptr - d.indptr[0],
        d.features[inside],
        d.values[inside],
        None if d.counts is None else d.counts[inside],
        indptr,
        labels,
        d.numbers,
        d.forget_rows,
        d.forget_features,
        steps,
        known,
        d.hashes[new],
    )
    return work, counts


def undelayed(labelled: Bytes | Flags) -> Ids:
    """Return the steps that ask each document, and answer it at once if it is labelled.

    >>> undelayed(np.array([1, 0, 1])).tolist()
    [0, -1, 1, 2, -3]
    """
    both = np.repeat(np.arange(len(labelled), dtype=np.int32), 1 + (labelled != 0))
    both[np.flatnonzero(np.diff(both, prepend=-1) == 0)] ^= -1
    return both


def _labels_of(documents: Documents, answered: Flags) -> tuple[Offsets, Ids]:
    """Return the columns of the labels of the documents that are answered, as compressed rows."""
    sizes = np.diff(documents.label_indptr)
    kept = np.repeat(answered, sizes)
    labels = documents.labels[documents.label_indptr[0] : documents.label_indptr[-1]][kept]
    return row_starts(np.where(answered, sizes, 0)), documents.columns[labels]

"""Counts of each label's hits and mistakes, and the measures computed from them: precision, recall, F1."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Ids, Offsets

MEASURES = {
    "micro_precision": "True positives among all predicted labels of all documents.",
    "micro_recall": "True positives among all true labels of all documents.",
    "micro_f1": "Harmonic mean of micro precision and recall, 1 where all three counts are 0.",
    "macro_f1": "Mean over labels of F1, where a label without any count has F1 = 1.",
    "macro_f1_present": "Mean of F1 over those labels only that have a count.",
}


def no_counts() -> Offsets:
    """Return the table that :func:`tally` starts from."""
    return np.zeros(0, np.int64)


def tally(counts: Offsets, marks: Ids) -> Offsets:
    """Return ``counts`` with ``marks`` (see :class:`~telex.learners.losses.judged.Judged`) added.

    The table is flat: entry ``4 * label + kind``, as long as the largest label asks for. Integers, so any
    order of adding, and subtracting what was added, is exact.

    >>> counts = tally(no_counts(), np.array([0, 6, 6]))
    >>> counts.reshape(-1, 4)[:, :3].tolist()
    [[1, 0, 0], [0, 0, 2]]
    """
    found = np.bincount(marks, minlength=len(counts))
    found = np.concatenate([found, np.zeros(-len(found) % 4, found.dtype)]) if len(found) % 4 else found
    found[: len(counts)] += counts
    return found


def less(counts: Offsets, earlier: Offsets) -> Offsets:
    """Return ``counts`` without those of ``earlier``, an older table of the same labels."""
    rest = counts.copy()
    rest[: len(earlier)] -= earlier
    return rest


def columns(counts: Offsets) -> Offsets:
    """Return the rows tp, fp, fn of a table, one column a label."""
    return counts.reshape(-1, 4).T[:3]


def measures(counts: Offsets, labels: int) -> tuple[float, ...]:
    """Return the figures named in ``MEASURES``, NaN where undefined, over ``labels`` labels.

    ``labels`` counts those without an entry too: each of them has F1 = 1 in ``macro_f1``. A ratio 0/0 other
    than F1 is undefined.

    >>> measures(tally(no_counts(), np.array([0, 0, 6])), labels=4)
    (1.0, 0.6666666666666666, 0.8, 0.75, 0.5)
    """
    tp, fp, fn = columns(counts)
    hits, added, missed = int(tp.sum()), int(fp.sum()), int(fn.sum())
    weight = 2 * tp + fp + fn
    present = weight > 0
    f1 = 2 * tp[present] / weight[present]
    # fsum is exact whatever the order, so that the mean depends neither on label ids nor on the machine.
    total = math.fsum(f1)
    return (
        _ratio(hits, hits + added),
        _ratio(hits, hits + missed),
        _ratio(2 * hits, 2 * hits + added + missed, empty=1.0),
        _ratio(math.fsum((*f1, labels - len(f1))), labels),
        _ratio(total, len(f1)),
    )


def _ratio(part: float, whole: int, empty: float = math.nan) -> float:
    return part / whole if whole else empty

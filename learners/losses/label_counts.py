"""Counts of each label's hits and mistakes, and the measures computed from them: precision, recall, F1."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Ids, Offsets


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure computed from the counts of all documents; its facts are those of a ``Loss``."""

    name: str
    summary: str
    order: int
    priority: int | None = None
    best: float = 1.0
    bounded: bool = True
    binary: bool = False
    unit: str = "ratio"
    same_as: str | None = None


MEASURES = {
    measure.name: measure
    for measure in (
        Measure("micro_precision", "True positives among all predicted labels of all documents.", 2010),
        Measure("micro_recall", "True positives among all true labels of all documents.", 2020),
        Measure("micro_f1", "Harmonic mean of micro precision and recall.", 2030, 30),
        Measure("macro_f1", "Mean over labels of F1, where a label without any count has F1 = 1.", 2040, 50),
        Measure("macro_f1_present", "Mean of F1 over those labels only that have a count.", 2050),
    )
}


def no_counts() -> Offsets:
    """Return the table that :func:`tally` starts from."""
    return np.zeros(0, np.int64)


def tally(counts: Offsets, marks: Ids) -> Offsets:
    """Return ``counts`` with ``marks`` (see :class:`~telex.learners.losses.judged.Judged`) added.

    The table is flat: entry ``4 * label + kind``, up to the largest label met. It holds integers, so adding in any
    order is exact, and so is subtracting.

    >>> counts = tally(no_counts(), np.array([0, 6, 6]))
    >>> counts.reshape(-1, 4)[:, :3].tolist()
    [[1, 0, 0], [0, 0, 2]]
    """
    found = np.bincount(marks, minlength=len(counts))
    found = np.concatenate([found, np.zeros(-len(found) % 4, found.dtype)]) if len(found) % 4 else found
    found[: len(counts)] += counts
    return found


def subtract(counts: Offsets, earlier: Offsets) -> Offsets:
    """Return ``counts`` minus those of ``earlier``, an older table of the same labels."""
    rest = counts.copy()
    rest[: len(earlier)] -= earlier
    return rest


def columns(counts: Offsets) -> Offsets:
    """Return the rows tp, fp, fn of a table, one column a label."""
    return counts.reshape(-1, 4).T[:3]


def measures(counts: Offsets, labels: int) -> tuple[float, ...]:
    """Return the values of ``MEASURES`` over ``labels`` labels, NaN where undefined.

    ``labels`` includes those without an entry: each has F1 = 1 in ``macro_f1``. A ratio 0/0 is undefined.

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
        _ratio(2 * hits, 2 * hits + added + missed),
        _ratio(math.fsum((*f1, labels - len(f1))), labels),
        _ratio(total, len(f1)),
    )


def _ratio(part: float, whole: int) -> float:
    return part / whole if whole else math.nan

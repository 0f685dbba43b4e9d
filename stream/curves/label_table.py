"""The table of labels: counts, precision, recall and F1 of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.losses import label_counts as counts

if TYPE_CHECKING:
    from telex.stream.curves.curve import Curve
    from telex.stream.run import Section

COLUMNS = ("label", "tp", "fp", "fn", "support", "precision", "recall", "f1", "first_seen")


def label_table(section: Section, curve: Curve) -> dict[str, Any]:
    """Return a row for each label that was met, in the order of ids, as columns of plain arrays.

    ``support`` is the number of documents that have the label; ``first_seen`` is the first of them, counted from 1 (0:
    no document had it). Precision and recall are NaN where undefined. F1 is 1 for a label that no document had and
    that was never predicted.
    """
    known = max(len(section.first_seen), len(curve.counts) // 4)
    padded = np.zeros(4 * known, np.int64)
    padded[: len(curve.counts)] = curve.counts
    tp, fp, fn = counts.columns(padded)
    first = np.zeros(known, np.int64)
    first[: len(section.first_seen)] = section.first_seen
    met = np.flatnonzero((tp + fp + fn > 0) | (first > 0))
    tp, fp, fn, first = tp[met], fp[met], fn[met], first[met]
    with np.errstate(invalid="ignore"):
        precision, recall, f1 = tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)
    f1[tp + fp + fn == 0] = 1.0
    columns = ([section.label_names[i] for i in met.tolist()], tp, fp, fn, tp + fn, precision, recall, f1, first)
    return dict(zip(COLUMNS, columns, strict=True))

"""Accuracy: whether the label ranked first is right, where a document has just one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class Accuracy(Loss):
    """1 where the label ranked first is the true one, else 0; of documents with exactly one label."""

    name = "accuracy"
    best = 1.0
    bounded = True
    binary = True
    unit = "ratio"
    order = 55
    priority = None
    optional = True

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1, NaN where a document has no label or several, or there is nothing to rank."""
        return np.where((judged.relevant == 1) & judged.ranked(), judged.best == 1, np.nan)

"""Example-based F1: how far each predicted set agrees with the true one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged


class ExampleF1(Loss):
    """F1 of the predicted set of each document, 1 where it and the true one are empty (Godbole and Sarawagi 2004)."""

    name = "example_f1"
    best = 1.0
    bounded = True
    unit = "ratio"
    order = 84
    priority = None

    def of(self, judged: Judged) -> Reals:
        """Return F1: twice the hits over the sizes of both sets."""
        labels = 2 * judged.tp + judged.fp + judged.fn
        return np.where(labels > 0, 2 * judged.tp / np.maximum(labels, 1), 1.0)

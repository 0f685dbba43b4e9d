"""Brier score: how far the probabilities of labels are from what is true."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals, Values
    from telex.learners.losses.judged import Judged


class Brier(Loss):
    """Mean over the known labels of the squared error of the probability (Brier 1950)."""

    name = "brier"
    bounded = True
    unit = "ratio"
    order = 87
    priority = 131
    optional = True

    def of(self, judged: Judged) -> Reals:
        """Return the mean, NaN where no label was known or the learner gives no probabilities."""
        if judged.certainty is None:
            return np.full(len(judged), np.nan)
        known = ~np.isnan(judged.certainty)
        errors = np.where(known, self.error(judged.certainty), 0.0)
        # accumulate adds strictly in order, so that labels that others of the batch brought change nothing.
        sums, counts = np.add.accumulate(errors, axis=1)[:, -1], np.count_nonzero(known, axis=1)
        return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)

    def error(self, certainty: Values) -> Reals:
        """Return the error of each probability that was given to what is true."""
        return (1.0 - certainty.astype(float)) ** 2

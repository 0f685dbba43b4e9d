"""Log loss: how much the truth surprises a learner with probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners import _core
from telex.learners.losses.brier import Brier

if TYPE_CHECKING:
    from telex.learners.base import Reals, Values


class LogLoss(Brier):
    """Mean over the known labels of -ln p, p being the probability of what is true of the label, at least 2^-23."""

    name = "log_loss"
    bounded = False
    unit = "nats"
    order = 88
    priority = 130

    def error(self, certainty: Values) -> Reals:
        """Return the error of each probability that was given to what is true."""
        least = np.finfo(np.float32).eps  # as in scikit-learn, so that a single mistake is not infinite
        return -_core.logs(np.maximum(certainty, least).ravel()).reshape(certainty.shape).astype(float)

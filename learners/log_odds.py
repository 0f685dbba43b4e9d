"""What learners have whose scores are log odds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners import _core
from telex.learners.native_learner import NativeLearner

if TYPE_CHECKING:
    from telex.learners.base import Batch, Ids, Predictions


class LogOdds(NativeLearner):
    """A learner of the native core whose scores are log odds, so that it has probabilities."""

    def _predictions(self, batch: Batch, rows: Ids, columns: Ids, arrays: tuple[Any, Any, Any]) -> Predictions:
        predictions = super()._predictions(batch, rows, columns, arrays)
        probabilities = np.empty_like(predictions.scores)
        _core.probabilities_of(predictions.scores, probabilities)
        return replace(predictions, probabilities=probabilities)

"""What learners have whose scores are log odds."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from telex.learners.native_learner import NativeLearner

if TYPE_CHECKING:
    from collections.abc import Mapping


class LogOdds(NativeLearner):
    """A learner of the native core whose scores are log odds, so that it has probabilities."""

    def predict_proba_one(self, x: Mapping[Any, float], **_: Any) -> dict[Any, dict[bool, float]]:
        """Return each known label's probability: the log odds through the logistic function."""
        p = {label: 1 / (1 + math.exp(-max(min(s, 700.0), -700.0))) for label, s in self.scores_one(x).items()}
        return {label: {False: 1 - q, True: q} for label, q in p.items()}

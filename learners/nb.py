"""Multinomial naive Bayes, each label against the rest."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, ClassVar

from telex.learners.native_learner import NativeLearner

if TYPE_CHECKING:
    from collections.abc import Mapping


class NB(NativeLearner):
    """Multinomial naive Bayes, a model of each label and of the rest, with Laplace smoothing.

    Feature values count as occurrences, even if they are tf-idf weights: the papers found that better for text than
    plain counts. Negative values count as 0. The score is the log odds; a label is predicted if they are above 0.

    Parameters
    ----------
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import NB
    >>> model = NB()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.predict_one({"tariff": 2.0})
    {'sport': False, 'trade': True}
    >>> round(model.predict_proba_one({"tariff": 2.0})["trade"][True], 3)
    0.8
    """

    stored_name: ClassVar[str] = "nb"
    kernel: ClassVar[str] = "nb"

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def predict_proba_one(self, x: Mapping[Any, float], **_: Any) -> dict[Any, dict[bool, float]]:
        """Return each known label's probability: the log odds through the logistic function."""
        p = {label: 1 / (1 + math.exp(-max(min(s, 700.0), -700.0))) for label, s in self.scores_one(x).items()}
        return {label: {False: 1 - q, True: q} for label, q in p.items()}

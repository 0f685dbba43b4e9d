"""Multinomial naive Bayes, each label against the rest."""

from __future__ import annotations

from typing import ClassVar

from telex.learners.log_odds import LogOdds


class NB(LogOdds):
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

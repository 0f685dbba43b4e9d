"""Logistic regression, learnt online."""

from __future__ import annotations

from typing import ClassVar, Literal

from telex.learners.log_odds import LogOdds


class Logistic(LogOdds):
    """Logistic regression by stochastic gradient descent, one classifier per label: scores are log odds [^1].

    Every label moves with every document, by as much as its probability is wrong. A label is predicted if its score is
    positive, that is, if it is more probable than not. A label that appears late has the same weights, to the bit, as
    if it had been known from the start.

    Parameters
    ----------
    eta
        The size of the steps. Where documents are vectors of length 1, about 10 is good for ``adagrad`` and, on texts,
        for ``constant`` (on dense features .3 to 1), about 100 for ``sqrt``.
    steps
        ``adagrad``: a weight moves the less, the more it has moved. ``sqrt``: the t-th document moves all weights by
        eta / sqrt(t). ``constant``: each document moves them by eta.
    bias
        The value of one more feature that each document has; 0: none. About that of a frequent word is good.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import Logistic
    >>> model = Logistic()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> round(model.predict_proba_one({"tariff": 1.0})["trade"][True], 3)
    0.993

    References
    ----------
    [^1]: J. Duchi, E. Hazan, Y. Singer: Adaptive Subgradient Methods for Online Learning and Stochastic Optimization,
       JMLR 12, 2011.
    """

    stored_name: ClassVar[str] = "logistic"
    kernel: ClassVar[str] = "logistic"

    def __init__(
        self,
        eta: float = 10.0,
        steps: Literal["adagrad", "sqrt", "constant"] = "adagrad",
        bias: float = 0.1,
        seed: int = 0,
    ) -> None:
        self.eta = eta
        self.steps = steps
        self.bias = bias
        self.seed = seed

"""Adaptive regularisation of weight vectors."""

from __future__ import annotations

from typing import ClassVar

from telex.learners.native_learner import NativeLearner


class AROW(NativeLearner):
    """Adaptive regularisation of weights: a mean and a variance for each weight, one classifier per label [^1].

    A label moves while its score is on the wrong side or within a margin of 1: far along features seldom learnt from,
    little along those that it has learnt often. The score of a label is its inner product with the means; a label is
    predicted if its score is positive. A label that appears late has the same means and variances, to the bit, as if
    it had been known from the start.

    Parameters
    ----------
    r
        Regularisation: the larger, the smaller the steps.
    bias
        The value of one more feature that each document has; 0: none. About that of a frequent word is good.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import AROW
    >>> model = AROW()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.predict_one({"tariff": 1.0})
    {'sport': False, 'trade': True}

    References
    ----------
    [^1]: K. Crammer, A. Kulesza, M. Dredze: Adaptive Regularization of Weight Vectors, NIPS 2009.
    """

    stored_name: ClassVar[str] = "arow"
    kernel: ClassVar[str] = "arow"

    def __init__(self, r: float = 0.1, bias: float = 0.1, seed: int = 0) -> None:
        self.r = r
        self.bias = bias
        self.seed = seed

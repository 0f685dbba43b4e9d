"""Perceptrons with uneven margins."""

from __future__ import annotations

from typing import ClassVar

from telex.learners.native_learner import NativeLearner


class Uneven(NativeLearner):
    """Perceptrons with uneven margins: a label that few documents have keeps a larger distance from those that do [^1].

    A label moves by one document while its score is not beyond the margin of its side. The score of a label is its
    inner product; a label is predicted if its score is positive. A label that appears late has the same weights, to
    the bit, as if it had been known from the start.

    Parameters
    ----------
    tau_plus
        The margin of documents that have the label.
    tau_minus
        The margin of those that have it not. Steps are by whole documents, so a margin of 1 is wide for vectors of
        length 1.
    bias
        The value of one more feature that each document has; 0: none. About that of a frequent word is good.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import Uneven
    >>> model = Uneven()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.predict_one({"tariff": 1.0})
    {'sport': False, 'trade': True}

    References
    ----------
    [^1]: Y. Li, H. Zaragoza, R. Herbrich, J. Shawe-Taylor, J. Kandola: The Perceptron Algorithm with Uneven Margins,
       ICML 2002.
    """

    stored_name: ClassVar[str] = "uneven"
    kernel: ClassVar[str] = "uneven"

    def __init__(self, tau_plus: float = 1.0, tau_minus: float = 0.3, bias: float = 0.1, seed: int = 0) -> None:
        self.tau_plus = tau_plus
        self.tau_minus = tau_minus
        self.bias = bias
        self.seed = seed

"""Binary relevance: one perceptron a label."""

from __future__ import annotations

from typing import ClassVar, Literal

from telex.learners.native_learner import NativeLearner


class BR(NativeLearner):
    """Binary relevance: K independent perceptrons, no bias, no learning rate [^1].

    The score of a label is its inner product, its set is where that is not negative. A label that appears late ends
    with the weights, to the bit, that it would have had if it had been known from the start: one more perceptron
    learns what a label that never was would have learnt, and a new label begins as its copy.

    Parameters
    ----------
    init
        Initial weights: ``zero``, or ``random`` as in the paper.
    averaged
        Predict with the mean of all weights so far, learn with the newest.
    seed
        Orders equal scores, and draws random weights.

    Examples
    --------
    >>> from telex.learners import BR
    >>> model = BR()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.predict_one({"final": 1.0})
    {'sport': True, 'trade': False}

    References
    ----------
    [^1]: E. Loza Mencía, J. Fürnkranz: Pairwise Learning of Multilabel Classifications with Perceptrons, IJCNN 2008.
    """

    stored_name: ClassVar[str] = "br"
    kernel: ClassVar[str] = "br"

    def __init__(self, init: Literal["zero", "random"] = "zero", averaged: bool = False, seed: int = 0) -> None:
        self.init = init
        self.averaged = averaged
        self.seed = seed

"""Binary relevance: one perceptron per label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from telex.learners.operations import CountsOperations

if TYPE_CHECKING:
    from collections.abc import Mapping


class BR(CountsOperations):
    """Binary relevance: K independent perceptrons, no bias, no learning rate [^1].

    The score of a label is its inner product; a label is predicted if its score is not negative. A label that appears
    late has the same weights, to the bit, as if it had been known from the start: one more perceptron learns what a
    label that no document has would have learnt, and a new label begins as a copy of it.

    Parameters
    ----------
    init
        Initial weights: ``zero``, or ``random`` as in the paper.
    init_scale
        Random weights are in [-init_scale, init_scale); the papers do not say, and 1 ruins the first sets.
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
    earlier: ClassVar[Mapping[str, Any]] = {"init_scale": 1.0}
    kernel: ClassVar[str] = "br"

    def __init__(
        self, init: Literal["zero", "random"] = "zero", init_scale: float = 0.05, averaged: bool = False, seed: int = 0
    ) -> None:
        self.init = init
        self.init_scale = init_scale
        self.averaged = averaged
        self.seed = seed

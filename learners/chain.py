"""A classifier chain."""

from __future__ import annotations

from typing import ClassVar, Literal

from telex.learners.native_learner import NativeLearner


class Chain(NativeLearner):
    """A chain of classifiers: each label sees those before it in the chain as features [^1].

    They are the true labels when a document is learnt, and the predicted ones when it is asked. So sets fit together
    better than those of classifiers side by side, and more of them are right as a whole; rankings are worse, as one
    wrong label misleads those behind it. A label that appears late has the same weights, to the bit, as if it had been
    known from the start: a new label is the last of the chain. Takes at most 4,096 labels, as each may be a feature of
    each other.

    Parameters
    ----------
    model
        The classifier of each label: ``arow``.
    order
        Labels that more documents had come first (``frequency``), as counted whenever the number of documents learnt is
        a power of two; or labels that came first come first (``appearance``).
    link
        The value of a label as a feature.
    r
        Regularisation: the larger, the smaller the steps.
    bias
        The value of one more feature that each document has; 0: none. About that of a frequent word is good.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import Chain
    >>> model = Chain()
    >>> for _ in range(3):
    ...     model.learn_one({"cup": 1.0}, ["sport", "football"])
    ...     model.learn_one({"tariff": 1.0}, ["trade"])
    >>> model.predict_one({"cup": 1.0})
    {'football': True, 'sport': True, 'trade': False}

    References
    ----------
    [^1]: J. Read, B. Pfahringer, G. Holmes, E. Frank: Classifier Chains for Multi-label Classification, Machine
        Learning 85(3), 2011.
    """

    stored_name: ClassVar[str] = "chain"
    kernel: ClassVar[str] = "chain"
    most_labels: ClassVar[int] = 4096

    def __init__(
        self,
        model: Literal["arow"] = "arow",
        order: Literal["frequency", "appearance"] = "frequency",
        *,
        link: float = 0.5,
        r: float = 0.1,
        bias: float = 0.1,
        seed: int = 0,
    ) -> None:
        self.model = model
        self.order = order
        self.link = link
        self.r = r
        self.bias = bias
        self.seed = seed

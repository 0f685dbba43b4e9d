"""Online probabilistic label trees."""

from __future__ import annotations

from typing import ClassVar, Literal

from telex.learners.log_odds import LogOdds


class PLT(LogOdds):
    """A probabilistic label tree, for thousands of labels: a document costs log K of them [^1].

    The labels are the leaves of a tree. Each node has a logistic classifier that learns only from documents which have
    a label below its parent; the probability of a label is the product along its path. A document is predicted by a
    search that looks into the most probable nodes first: it gives the exact log odds of the ``top`` best labels and of
    all that are more probable than not, which are predicted. The labels below a node that it has not looked into share
    that node's probability evenly, and never rank above those. Memory goes to the features that documents of a node
    have. A new label takes an empty place beside similar labels, with the weights, to the bit, that it would have if
    the whole tree had been known from the start.

    Writing a score for every label costs K still, though little.

    Parameters
    ----------
    top
        How many of the best labels have exact scores, at least.
    arity
        How many children a node has at most, 2 to 64. Memory goes up by steps of 16.
    eta
        The size of the steps, as in ``logistic``.
    steps
        ``adagrad``, ``sqrt`` or ``constant``, as in ``logistic``; the last two need half the memory.
    bias
        The value of one more feature that each document has; 0: none. About that of a frequent word is good.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import PLT
    >>> model = PLT()
    >>> for _ in range(3):
    ...     model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    ...     model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.predict_one({"tariff": 1.0})
    {'sport': False, 'trade': True}

    References
    ----------
    [^1]: K. Jasinska-Kobus, M. Wydmuch, D. Thiruvenkatachari, K. Dembczyński: Online Probabilistic Label Trees,
       AISTATS 2021.
    """

    stored_name: ClassVar[str] = "plt"
    kernel: ClassVar[str] = "plt"

    def __init__(
        self,
        top: int = 20,
        arity: int = 32,
        eta: float = 10.0,
        steps: Literal["adagrad", "sqrt", "constant"] = "adagrad",
        *,
        bias: float = 0.1,
        seed: int = 0,
    ) -> None:
        self.top = top
        self.arity = arity
        self.eta = eta
        self.steps = steps
        self.bias = bias
        self.seed = seed

    def _too_large(self, labels: int, terms: int) -> str:
        return (
            f"PLT has weights for the terms that the documents of each node have, of {labels:,} labels and {terms:,} "
            "terms; take plt:arity=16 or plt:steps=sqrt, which need half as much, or give it fewer terms (--text "
            "vocabulary=bounded,size=20000) or more memory (--memory-limit)"
        )

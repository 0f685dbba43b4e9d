"""Multilabel pairwise perceptrons."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from telex.learners.native_learner import NativeLearner

if TYPE_CHECKING:
    from telex.learners.base import Offsets, Reals


class MLPP(NativeLearner):
    """One perceptron per pair of labels, each trained on documents that have exactly one of the two [^1].

    All pairs vote. A virtual label, whose duels with the labels are the perceptrons of binary relevance, cuts the
    ranking into a set. Memory is (labels squared / 2) floats per feature: 4,096 labels at most, in practice a few
    hundred.

    Parameters
    ----------
    decode
        ``votes`` counts the duels that a label wins, ``weighted`` sums their margins, ``votes+weight`` orders equal
        votes by the margins (better than the paper's random choice on RCV1).
    init
        Initial weights: ``zero``, or ``random`` as in the paper.
    averaged
        Predict with the mean of all weights so far, learn with the newest; twice the memory.
    threads
        The number of threads, which share the pairs; 0 takes up to four if that is faster. The result is the same to
        the bit.
    label_limit
        With more labels than this a run sets the learner aside, which is then no failure.
    seed
        Orders equal scores, and draws random weights.

    Examples
    --------
    >>> from telex.learners import MLPP
    >>> model = MLPP()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.scores_one({"tariff": 1.0})
    {'trade': 1.0, 'sport': 0.0}

    References
    ----------
    [^1]: E. Loza Mencía, J. Fürnkranz: Pairwise Learning of Multilabel Classifications with Perceptrons, IJCNN 2008.
    """

    stored_name: ClassVar[str] = "mlpp"
    kernel: ClassVar[str] = "mlpp"
    most_labels: ClassVar[int] = 4096

    def __init__(
        self,
        decode: Literal["votes", "weighted", "votes+weight"] = "votes",
        init: Literal["zero", "random"] = "zero",
        averaged: bool = False,
        threads: int = 0,
        label_limit: int | None = None,
        seed: int = 0,
    ) -> None:
        self.decode = decode
        self.init = init
        self.averaged = averaged
        self.threads = threads
        self.label_limit = label_limit
        self.seed = seed

    def work(self, features: Offsets, known: Offsets) -> Reals:
        """Return about how many multiplications documents of so many features take: one for each pair of labels."""
        return (features + 2.0) * (known * (known + 1) / 2)

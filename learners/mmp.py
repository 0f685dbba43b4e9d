"""The multiclass multilabel perceptron."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from telex.learners.operations import CountsOperations

if TYPE_CHECKING:
    from collections.abc import Mapping


class MMP(CountsOperations):
    """One prototype per label, trained together to rank relevant labels above irrelevant ones [^1] [^2].

    A wrong ranking moves only the labels that are ranked wrongly: relevant ones up, by the loss in total, and
    irrelevant ones down by as much. A threshold prototype, moved by the same rule on its own, cuts the ranking into a
    set.

    With ``update=arow`` it ranks with a margin: labels move until relevant ones are above irrelevant ones by 1, and
    move less along features that they are sure of, as in AROW [^3]. That takes twice the memory.

    Parameters
    ----------
    loss
        The weight of a wrong ranking: ``iserr``, ``errsetsize``, ``margin`` or ``avgp``.
    penalty
        How the weight is shared among the wrong pairs: ``uniform``, ``proportional`` to the difference of the scores,
        ``random``, or all on the ``worst`` pair.
    update
        ``perceptron``, as in the papers, or ``arow``. The latter has a loss of its own: leave ``loss``, ``penalty`` and
        ``init`` as they are, and ``averaged`` out.
    r
        How slowly ``arow`` becomes sure. The default was chosen on made-up news.
    init
        Initial weights: ``zero``, or ``random`` as in the paper.
    init_scale
        Random weights are in [-init_scale, init_scale); the papers do not say, and 1 ruins the first sets.
    averaged
        Predict with the mean of all weights so far, learn with the newest.
    seed
        Orders equal scores, draws random penalties and weights.

    Examples
    --------
    >>> from telex.learners import MMP
    >>> model = MMP()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.scores_one({"tariff": 1.0})
    {'trade': 1.0, 'sport': -1.0}

    References
    ----------
    [^1]: K. Crammer, Y. Singer: A Family of Additive Online Algorithms for Category Ranking, JMLR 3, 2003.
    [^2]: E. Loza Mencía, J. Fürnkranz: Pairwise Learning of Multilabel Classifications with Perceptrons, IJCNN 2008.
    [^3]: K. Crammer, A. Kulesza, M. Dredze: Adaptive Regularization of Weight Vectors, NIPS 2009.
    """

    stored_name: ClassVar[str] = "mmp"
    earlier: ClassVar[Mapping[str, Any]] = {"update": "perceptron", "r": 1.0, "init_scale": 1.0}
    kernel: ClassVar[str] = "mmp"

    def __init__(
        self,
        loss: Literal["iserr", "errsetsize", "margin", "avgp"] = "iserr",
        penalty: Literal["uniform", "proportional", "random", "worst"] = "uniform",
        *,
        update: Literal["perceptron", "arow"] = "perceptron",
        r: float = 1.0,
        init: Literal["zero", "random"] = "zero",
        init_scale: float = 0.05,
        averaged: bool = False,
        seed: int = 0,
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.update = update
        self.r = r
        self.init = init
        self.init_scale = init_scale
        self.averaged = averaged
        self.seed = seed

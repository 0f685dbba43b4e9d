"""Naive Bayes, each label against the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from telex.learners.log_odds import LogOdds

if TYPE_CHECKING:
    from collections.abc import Mapping


class NB(LogOdds):
    """Naive Bayes, a model of each label and one of the rest.

    The score is the log odds of the label; a label is predicted if they are above 0. A text counts by its terms, and a
    document that comes as features by its values; negative ones count as 0.

    Parameters
    ----------
    variant
        How a feature speaks for a label. ``multinomial``: by its share in documents with the label, against its share
        in the rest, ``alpha`` added to each count. ``dirichlet``: likewise, but as much as that is added in total in
        the shares that features have in all documents [^1], so that a label that has few documents has no opinion of
        words it never met. ``complement``: by its share in all documents against the rest. ``normalised``: likewise,
        the weights divided so that they have the same sum for each label [^2]. Labels that are not exclusive gain
        nothing from the last two.
    alpha
        What is added to each count; for ``dirichlet`` the mean of it.
    counts
        What a document counts. ``terms``: how often each term is there. ``unit``: log(1 + that), at unit length [^2];
        to predict, times the number of features to the power of 1/4. ``weights``: its values, usually tf-idf.
        Where documents came as features, their values take the place of the counts of terms.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import NB
    >>> model = NB(variant="multinomial", alpha=1, counts="weights")
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.predict_one({"tariff": 2.0})
    {'sport': False, 'trade': True}
    >>> round(model.predict_proba_one({"tariff": 2.0})["trade"][True], 3)
    0.8

    References
    ----------
    [^1]: C. Zhai, J. Lafferty: A Study of Smoothing Methods for Language Models Applied to Information Retrieval,
        ACM TOIS 22, 2004.
    [^2]: J. Rennie, L. Shih, J. Teevan, D. Karger: Tackling the Poor Assumptions of Naive Bayes Text Classifiers,
        ICML 2003.
    """

    stored_name: ClassVar[str] = "nb"
    kernel: ClassVar[str] = "nb"
    earlier: ClassVar[Mapping[str, Any]] = {"variant": "multinomial", "alpha": 1.0, "counts": "weights"}

    def __init__(
        self,
        variant: Literal["dirichlet", "multinomial", "complement", "normalised"] = "dirichlet",
        alpha: float = 0.05,
        counts: Literal["unit", "terms", "weights"] = "unit",
        seed: int = 0,
    ) -> None:
        self.variant = variant
        self.alpha = alpha
        self.counts = counts
        self.seed = seed

"""Smoothed Boosting.MH: AdaBoost.MH for documents with exactly one label."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from telex.learners.boosting.adaboost_mh import AdaBoostMH

if TYPE_CHECKING:
    from telex.learners.base import Batch, Predictions


class BoostingMH(AdaBoostMH):
    """AdaBoost.MH that predicts exactly one label: telex crossval --learner boosting-mh:rounds=500 [^1].

    It is fitted like :class:`AdaBoostMH`, with smoothed values. Only the decision differs: it predicts the label with
    the highest score, the first by the named hash if several are equal, even if the score is not above 0. A document
    with several labels or none is learnt as it is, but one label is predicted.

    Parameters
    ----------
    rounds
        The number of rounds.
    variant
        ``R`` is the paper's; ``RA`` and ``D`` are those of :class:`AdaBoostMH`.
    threads
        The number of threads, which share terms and labels, or documents to score; 0 takes up to four. The result is
        the same to the bit.
    eps
        Smooths the values: 1 adds 1 / (documents x labels), the weight of a pair at the start, to each sum of weights,
        as in the papers, 2 twice that. ``cv`` takes .01, .1, 1, 10 or 100, by the wrong labels in three folds of the
        documents that are fitted; a fit then takes about ten times as long.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import BatchBuilder
    >>> stream, model = BatchBuilder(), BoostingMH(rounds=5)
    >>> for text, label in [("gold rises", "metal"), ("wheat rises", "grain"), ("gold falls", "metal")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> model.fit(stream.take())
    >>> stream.add({"never met": 1.0}, None)
    >>> model.scores(stream.take()).set_of(0)
    ['grain']

    References
    ----------
    [^1]: Multi-class boosting, assignment 2 of COS424, Princeton 2008; the algorithm is that of R. E. Schapire,
          Y. Singer: BoosTexter: A boosting-based system for text categorization, Machine Learning 2000.
    """

    stored_name: ClassVar[str] = "boosting-mh"

    def _scores(self, batch: Batch, rounds: int | None) -> Predictions:
        """Predict every document; the set is the label ranked first."""
        return super()._scores(batch, rounds).best()

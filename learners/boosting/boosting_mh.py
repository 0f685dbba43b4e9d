"""Smoothed Boosting.MH: AdaBoost.MH where each document has one label."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from telex.learners.boosting.adaboost_mh import AdaBoostMH

if TYPE_CHECKING:
    from telex.learners.batch import Batch
    from telex.learners.predictions import Predictions


class BoostingMH(AdaBoostMH):
    """AdaBoost.MH that decides for one label, the best of all: telex crossval --learner boosting-mh:rounds=500 [^1].

    It is fitted as :class:`AdaBoostMH` is; its values are smoothed by 1 over the number of documents times labels, the
    weight that each has at the start. What differs is the decision: the label with the highest score, of equal ones
    the first by the named hash, whether or not the score is above 0. A document with several labels, or with none, is
    learnt as it is, but one label is predicted.

    Parameters
    ----------
    rounds
        How many rounds.
    variant
        ``R`` is the paper's; ``RA`` and ``D`` are those of :class:`AdaBoostMH`.
    threads
        Threads that share terms and labels, or documents to be scored; 0 takes up to four. The result is the same to
        the bit.
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

    def scores(self, batch: Batch, rounds: int | None = None) -> Predictions:
        """Predict every document, after all rounds or the first ``rounds``; the set is the label ranked first."""
        return super().scores(batch, rounds).best()

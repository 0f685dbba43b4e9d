"""AdaBoost.MH: boosting with one pivot term per round for all labels."""

from __future__ import annotations

from typing import ClassVar

from telex.learners.boosting.stump_booster import StumpBooster


class AdaBoostMH(StumpBooster):
    """Boosted decision stumps, a term per round; fitted on a window: refit:model=adaboost-mh,model.rounds=200 [^1].

    In each round one term divides the documents, for all labels. A term is present in a document or absent; its weight
    has no effect. A label's score is the sum of the values of all rounds, and a label is predicted if its score is
    above 0. :class:`MPBoost`, which has a term of its own for each label, is better after any number of rounds.

    Parameters
    ----------
    rounds
        The number of rounds; the papers mostly use 1,000. For a model that is refitted again and again, 200 are enough.
    variant
        ``R`` has real values for presence and absence, ``RA`` abstains if the pivot is absent, ``D`` has signs only,
        with one weight per round.
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
    >>> stream, model = BatchBuilder(), AdaBoostMH(rounds=5)
    >>> for text, label in [("gold rises", "metal"), ("wheat rises", "grain"), ("gold falls", "metal")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> model.fit(batch)
    >>> [model.scores(batch).set_of(k) for k in range(3)]
    [['metal'], ['grain'], ['metal']]

    References
    ----------
    [^1]: R. E. Schapire, Y. Singer: BoosTexter: A boosting-based system for text categorization, Machine Learning 2000.
    """

    stored_name: ClassVar[str] = "adaboost-mh"
    multiple: ClassVar[bool] = False

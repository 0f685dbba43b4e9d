"""AdaBoost.MH: boosting with one pivot for all categories."""

from __future__ import annotations

from typing import ClassVar

from telex.learners.boosting.boosted import Boosted


class AdaBoostMH(Boosted):
    """Boosted decision stumps, a term a round; fitted on a window: refit:model=adaboost-mh,model.rounds=200 [^1].

    Each round, one term divides the documents of all labels. A term is present in a document or not; its weight counts
    for nothing. A label's score is what all rounds say of the document, summed; the set is where that is above 0.
    :class:`MPBoost`, with a term of its own for each label, is better in every round.

    Parameters
    ----------
    rounds
        How many rounds; 1,000 are the papers' usual. A model that is refitted again and again is served with 200.
    variant
        ``R`` real values for presence and absence, ``RA`` abstains where the pivot is absent, ``D`` the signs alone,
        with one weight a round.
    threads
        Threads that share terms and labels, or documents to be scored; 0 takes up to four. The result is the same to
        the bit.
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

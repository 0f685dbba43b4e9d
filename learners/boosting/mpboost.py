"""MP-Boost: boosting with a pivot a category."""

from __future__ import annotations

from typing import ClassVar

from telex.learners.boosting.boosted import Boosted


class MPBoost(Boosted):
    """Boosted decision stumps, a term a label and round; fitted on a window: refit:model=mpboost,model.rounds=200 [^1].

    Each round, each label chooses the term that divides its documents best. A term is present in a document or not; its
    weight counts for nothing. This is AdaBoost.MH with multiple pivots: far better after few rounds, somewhat better
    after many, and as fast. A label's score is what its rounds say of the document, summed; the set is where that is
    above 0.

    Parameters
    ----------
    rounds
        How many rounds; the paper's best is at 1,000 or before. A model that is refitted again and again is served
        with 100 or 200: a tenth of the time, and F1 about .01 lower.
    variant
        ``R`` real values for presence and absence, ``RA`` abstains where the pivot is absent, ``D`` the signs alone,
        with one weight a round and label.
    threads
        Threads that share labels, or documents to be scored; 0 takes up to four. The result is the same to the bit.
    seed
        Orders equal scores.

    Examples
    --------
    >>> from telex.learners import BatchBuilder
    >>> stream, model = BatchBuilder(), MPBoost(rounds=5)
    >>> for text, label in [("gold rises", "metal"), ("wheat rises", "grain"), ("gold falls", "metal")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> model.fit(batch)
    >>> [model.scores(batch).set_of(k) for k in range(3)]
    [['metal'], ['grain'], ['metal']]
    >>> [batch.feature_names[stump.pivot] for stump in model.rounds_of("grain")[:2]]
    ['gold', 'gold']

    References
    ----------
    [^1]: A. Esuli, T. Fagni, F. Sebastiani: MP-Boost: A Multiple-Pivot Boosting Algorithm and its Application to Text
          Categorization, SPIRE 2006.
    """

    multiple: ClassVar[bool] = True

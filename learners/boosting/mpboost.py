"""MP-Boost: boosting with a pivot a category."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from telex.learners import _boosting
from telex.learners.boosting.boosted import VARIANTS, Boosted
from telex.learners.boosting.committee import Committee
from telex.learners.boosting.presence import Presence
from telex.learners.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.arrays import Ids
    from telex.learners.batch import Batch


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

    stored_name: ClassVar[str] = "mpboost"
    multiple: ClassVar[bool] = True

    def fit_own(self, batch: Batch, own: Sequence[Ids]) -> None:
        """Forget all, and learn every document of ``batch``: each label by terms of its own alone.

        ``own`` are feature ids, of each label that some document has, in ascending order of the labels' ids. Where each
        has all terms it is as good as :meth:`fit`, to the bit.
        """
        seen = Presence.of(batch)
        if len(own) != len(seen.labels):
            raise InputError(f"there are terms for {len(own)} labels, and the batch has {len(seen.labels)}; give each")
        committee = Committee.none(self.rounds if own else 0, len(own), multiple=True)
        team = ThreadPoolExecutor(self._team())
        try:
            for column, alone in enumerate(team.map(partial(self._fit_alone, seen), range(len(own)), own)):
                committee.pivots[:, column] = alone.pivots[:, 0]
                committee.absent[:, column] = alone.absent[:, 0]
                committee.present[:, column] = alone.present[:, 0]
        finally:
            team.shutdown(cancel_futures=True)  # after Ctrl-C the other labels are not waited for
        self.take(seen.labels, committee)

    def _fit_alone(self, seen: Presence, column: int, own: Ids) -> Committee:
        """Return the rounds of one label, of its own terms, with the eps that it has among all."""
        n, rounds = len(seen.indptr) - 1, Committee.none(self.rounds, 1, multiple=True)
        kept = np.flatnonzero(np.isin(seen.terms, own))
        place = np.full(len(seen.terms), -1, np.int32)
        place[kept] = np.arange(len(kept))
        places = place[seen.places]
        there = np.concatenate([np.zeros(1, np.int64), np.cumsum(places >= 0)])
        right = np.concatenate([np.zeros(1, np.int64), np.cumsum(seen.columns == column)])
        eps = 1 / (n * len(seen.labels))
        _boosting.fit(
            True, VARIANTS.index(self.variant), there[seen.indptr], places[places >= 0],
            seen.order[kept] if len(kept) else np.zeros(1, np.int32), right[seen.label_indptr],
            np.zeros(int(right[-1]), np.int32), eps, np.full((1, n), eps),
            rounds.pivots, rounds.absent, rounds.present, 1, 0,
        )  # fmt: skip
        terms = seen.terms[kept] if len(kept) else np.full(1, -1, np.int32)
        return Committee(terms[rounds.pivots], rounds.absent, rounds.present)

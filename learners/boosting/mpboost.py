"""MP-Boost: boosting with a pivot term per round and label."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from telex.learners import _boosting
from telex.learners.base import InputError, row_starts
from telex.learners.boosting.committee import Committee
from telex.learners.boosting.presence import Presence
from telex.learners.boosting.stump_booster import VARIANTS, StumpBooster
from telex.learners.boosting.validated_eps import fixed_eps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Batch, Ids


class MPBoost(StumpBooster):
    """Boosted decision stumps, a term per label and round; on a window: refit:model=mpboost,model.rounds=200 [^1].

    In each round each label chooses the term that divides its documents best. A term is present in a document or
    absent; its weight has no effect. This is AdaBoost.MH with multiple pivots: far better after few rounds, somewhat
    better after many, and as fast. A label's score is the sum of the values of its rounds, and a label is predicted if
    its score is above 0.

    Parameters
    ----------
    rounds
        The number of rounds; the paper's best results come at 1,000 or before. For a model that is refitted again and
        again, 100 or 200 are enough: a tenth of the time, and F1 about .01 lower.
    variant
        ``R`` has real values for presence and absence, ``RA`` abstains if the pivot is absent, ``D`` has signs only,
        with one weight per round and label.
    threads
        The number of threads, which share labels, or documents to score; 0 takes up to four. The result is the same to
        the bit.
    eps
        Smooths the values: 1 adds 1 / (documents x labels), the weight of a pair at the start, to each sum of weights,
        as in the papers, 2 twice that. ``cv`` takes .01, .1, 1, 10 or 100, by the wrong labels in three folds of the
        documents that are fitted; a fit then takes about ten times as long.
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
        """Forget everything, and learn every document of ``batch``, each label by its own terms only.

        ``own`` has feature ids for each label that some document has, in ascending order of the labels' ids. If each
        label has all terms, the result is that of :meth:`fit`, to the bit.
        """
        presence = Presence.of(batch)
        if len(own) != (known := len(presence.labels)):
            raise InputError(
                f"there are terms for {len(own)} labels, but the batch has {known} labels; give each its own"
            )
        committee = Committee.none(self.rounds if own else 0, len(own), multiple=True)
        team = ThreadPoolExecutor(self._team())
        try:
            for column, alone in enumerate(team.map(partial(self._fit_alone, presence), range(len(own)), own)):
                committee.pivots[:, column] = alone.pivots[:, 0]
                committee.absent[:, column] = alone.absent[:, 0]
                committee.present[:, column] = alone.present[:, 0]
        finally:
            team.shutdown(cancel_futures=True)  # after Ctrl-C do not wait for the other labels
        self.set_committee(presence.labels, committee)

    def fit_part(self, batch: Batch, part: int, parts: int) -> Committee:
        """Return the rounds of each ``parts``-th label, from the label ``part`` on; the learner does not change."""
        presence = Presence.of(batch)
        n, m = len(batch), len(presence.labels)
        mine = presence.columns % parts == part
        label_indptr = row_starts(mine)[presence.label_indptr]
        own = replace(presence, label_indptr=label_indptr, columns=presence.columns[mine] // parts)
        weights = np.full((len(range(part, m, parts)), n), 1 / max(1, n * m))
        return self.boost_rounds(own, weights, self.rounds, m)

    def join_parts(self, batch: Batch, found: Sequence[Committee]) -> None:
        """Become what :meth:`fit` makes, of the results of all parts."""
        labels = Presence.of(batch).labels
        committee = Committee.none(self.rounds if len(labels) else 0, len(labels), multiple=True)
        for part, one in enumerate(found):
            if one.pivots.shape[1]:
                mine = slice(part, None, len(found))
                committee.pivots[:, mine], committee.absent[:, mine] = one.pivots, one.absent
                committee.present[:, mine] = one.present
        self.set_committee(labels, committee)

    def _fit_alone(self, presence: Presence, column: int, own: Ids) -> Committee:
        """Return the rounds of one label, with its own terms, and with the eps that it has among all labels."""
        n, rounds = len(presence.indptr) - 1, Committee.none(self.rounds, 1, multiple=True)
        # Compressed rows of the label's terms only: renumber the terms, and count the entries that stay.
        used = np.flatnonzero(np.isin(presence.terms, own))
        place = np.full(len(presence.terms), -1, np.int32)
        place[used] = np.arange(len(used))
        places = place[presence.places]
        there = np.concatenate([np.zeros(1, np.int64), np.cumsum(places >= 0)])
        right = np.concatenate([np.zeros(1, np.int64), np.cumsum(presence.columns == column)])
        weight = 1 / (n * len(presence.labels))
        _boosting.fit(
            True, VARIANTS.index(self.variant), there[presence.indptr], places[places >= 0],
            presence.order[used] if len(used) else np.zeros(1, np.int32), right[presence.label_indptr],
            np.zeros(int(right[-1]), np.int32), fixed_eps(self.eps) * weight, np.full((1, n), weight),
            rounds.pivots, rounds.absent, rounds.present, 1, 0,
        )  # fmt: skip
        terms = presence.terms[used] if len(used) else np.full(1, -1, np.int32)
        return Committee(terms[rounds.pivots], rounds.absent, rounds.present)

"""A committee in which each fit drops the oldest rounds and boosts new ones on top of the rest."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import InputError, Names, UsageError
from telex.learners.boosting.committee import Committee
from telex.learners.boosting.document_weights import document_weights
from telex.learners.boosting.presence import Presence
from telex.learners.boosting.stump_booster import StumpBooster
from telex.learners.boosting.validated_eps import fixed_eps

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Batch, Ids, Predictions, Reasons
    from telex.learners.batch_learner import BatchLearner


class SlidingCommittee:
    """A committee to which each ``fit`` adds ``add`` rounds, and from which it drops the oldest beyond ``rounds``.

    ``boost`` makes the new rounds on the documents of the batch, weighted by the scores of the rounds that stay
    (:func:`~telex.learners.boosting.document_weights.document_weights`, ``bounded`` or not). A new label gets a column
    in which older rounds have the value 0. Each batch must number its labels by the same table, which may have grown.

    >>> from telex.learners import BatchBuilder, MPBoost
    >>> stream, model = BatchBuilder(), SlidingCommittee(MPBoost(), add=2, rounds=6)
    >>> for text, label in [("gold rises", "metal"), ("wheat rises", "grain"), ("gold falls", "metal")]:
    ...     stream.add(dict.fromkeys(text.split(), 1.0), [label])
    >>> batch = stream.take()
    >>> for _ in range(3):
    ...     model.fit(batch)
    >>> len(model.committee), model.scores(batch).set_of(1)
    (6, ['grain'])
    """

    def __init__(self, boost: BatchLearner, *, add: int, rounds: int, bounded: bool = True) -> None:
        if not isinstance(boost, StumpBooster):
            raise UsageError(
                f"{type(boost).__name__} has no rounds of stumps that could be added one by one; try boost=mpboost or "
                "boost=adaboost-mh"
            )
        fixed_eps(boost.eps)
        if not 1 <= add <= rounds:
            raise UsageError(f"add is {add} of {rounds} rounds; give 1 to {rounds}")
        self.add, self.rounds, self.bounded = add, rounds, bounded
        self._boost = copy.copy(boost)

    @property
    def labels(self) -> Names:
        """The labels of all batches fitted so far, by column."""
        return self._boost.labels

    @property
    def committee(self) -> Committee:
        """The rounds, the oldest first."""
        return self._boost.committee

    def fit(self, batch: Batch) -> None:
        """Drop the oldest rounds, and add new ones fitted on ``batch``."""
        if not self.labels.starts(batch.label_names):
            raise InputError("the batch numbers labels by another table than those before; give batches of one table")
        labels, presence = Names(batch.label_names), Presence.of(batch, every_label=True)
        multiple = self._boost.multiple
        dropped = max(0, len(self.committee) + self.add - self.rounds)
        left = widen(self.committee, dropped, len(labels), multiple=multiple)
        weights = document_weights(presence, left, multiple=multiple, bounded=self.bounded)
        self._boost.set_committee(labels, concat(left, self._boost.boost_rounds(presence, weights, self.add)))

    def copy_for_next_fit(self, recycled: Ids) -> SlidingCommittee:
        """Return a copy for the next fit, in which the ``recycled`` feature ids, now of other terms, are not pivots.

        A round that had such a pivot treats every document as one without it. This object does not change.
        """
        new = copy.copy(self)
        new._boost = copy.copy(self._boost)
        pivots = np.where(np.isin(self.committee.pivots, recycled), np.int32(-1), self.committee.pivots)
        new._boost.set_committee(self.labels, replace(self.committee, pivots=pivots))
        return new

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all labels known at the last fit."""
        return self._boost.scores(batch)

    def reasons(self, batch: Batch, row: int) -> Reasons:
        """Return what the presence of each feature of a document adds to each label; the base is the bias."""
        return self._boost.reasons(batch, row)

    def save(self) -> dict[str, Any]:
        """Return the labels and rounds as plain data, features by id; each fit computes weights anew."""
        return self._boost.save()

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned."""
        self._boost.load(state)
        if len(self.committee) > self.rounds:
            raise InputError(f"a saved committee has more than its {self.rounds} rounds; take another checkpoint")


def widen(committee: Committee, first: int, labels: int, *, multiple: bool) -> Committee:
    """Return the rounds from ``first`` on, with the value 0 for labels that they did not know."""
    rounds, known = committee.absent[first:].shape
    wide = Committee.none(rounds, labels, multiple=multiple)
    wide.pivots[:, : committee.pivots.shape[1]] = committee.pivots[first:]
    wide.absent[:, :known] = committee.absent[first:]
    wide.present[:, :known] = committee.present[first:]
    return wide


def concat(older: Committee, newer: Committee) -> Committee:
    """Return the rounds of two committees over the same labels."""
    return Committee(
        np.concatenate([older.pivots, newer.pivots]),
        np.concatenate([older.absent, newer.absent]),
        np.concatenate([older.present, newer.present]),
    )

"""The words that boosted learners choose, fold by fold, and how far the folds agree on them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.boosting import AdaBoostLC, StumpBooster
from telex.learners.selection import Selected

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from telex.learners.base import Ids, Names, Reals


@dataclass(frozen=True, slots=True, eq=False)
class ChosenWords:
    """The word of each round on one fold, and its values for each label.

    ``places`` has the word of a round as a place in ``words``, -1 where there was none: a column for all labels, or one
    for each (``by_label``). A document with the word adds ``present`` to the score of a label, one without it
    ``absent``.
    """

    labels: list[Hashable]
    words: list[str]
    by_label: bool
    places: Ids
    absent: Reals
    present: Reals

    @classmethod
    def of(cls, learner: object, feature_names: Names) -> ChosenWords | None:
        """Return what a learner that has been fitted chose, None for one that does not choose a word in each round."""
        while isinstance(learner, Selected):
            learner = learner.model
        if isinstance(learner, StumpBooster):
            committee, by_label = learner.committee, learner.multiple
            chosen, absent, present = committee.pivots, committee.absent, committee.present
        elif isinstance(learner, AdaBoostLC) and (learner.update == "sequential" or learner.pivots.size):
            chosen, absent, present, by_label = learner.pivots, np.zeros_like(learner.steps), learner.steps, True
        else:
            return None
        pivots, rounds = np.unique(chosen, return_inverse=True)
        known = int(np.searchsorted(pivots, 0))  # -1 is no word, and comes first
        words = [str(feature_names[pivot]) for pivot in pivots[known:].tolist()]
        places = (rounds.reshape(chosen.shape) - known).astype(np.int32)
        return cls(list(learner.labels), words, by_label, places, absent, present)

    def sequences(self) -> dict[Hashable, list[str | None]]:
        """Return the words in the order of the rounds, by label; under None if one word is for all labels."""
        columns = self.labels if self.by_label else [None]
        named = [*self.words, None]  # the place -1 is the last
        return {
            label: [named[place] for place in column]
            for label, column in zip(columns, self.places.T.tolist(), strict=False)
        }

    def rows(self) -> Iterator[tuple[int, Hashable, str | None, float, float]]:
        """Yield round, label, word and the values without and with the word, round by round."""
        named = [*self.words, None]
        width = self.places.shape[1]
        values = zip(self.places.tolist(), self.absent.tolist(), self.present.tolist(), strict=True)
        for number, (places, absent, present) in enumerate(values, 1):
            for column, label in enumerate(self.labels):
                yield number, label, named[places[column % width]], absent[column], present[column]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the folds agree after a number of rounds.

    ``same`` is the share of the rounds so far in which two folds chose the same word; ``shared`` is the share that two
    folds have in common of the words that either has chosen so far. Both are means over the pairs of folds, and over
    labels where each label has words of its own. Of all words chosen so far ``in_every_fold`` were chosen in each fold,
    and ``in_any_fold`` in one at least; a word of two labels counts twice.
    """

    rounds: int
    same: float
    shared: float
    in_every_fold: int
    in_any_fold: int


def agreements(folds: Sequence[ChosenWords], points: Sequence[int]) -> list[Agreement]:
    """Return how far two folds or more agree after each of some numbers of rounds; nothing for a single fold.

    >>> def chosen(*places):
    ...     rounds, values = np.array(places, np.int32)[:, None], np.zeros((len(places), 1))
    ...     return ChosenWords(["metal"], ["gold", "ounce", "silver"], False, rounds, values, values)
    >>> for one in agreements([chosen(0, 1, 0), chosen(0, 2, 1)], (1, 3)):
    ...     print(one)
    Agreement(rounds=1, same=1.0, shared=1.0, in_every_fold=1, in_any_fold=1)
    Agreement(rounds=3, same=0.3333333333333333, shared=0.6666666666666666, in_every_fold=2, in_any_fold=3)
    """
    chosen = [one.sequences() for one in folds]
    pairs = [(a[label], b[label]) for a, b in combinations(chosen, 2) for label in a if a[label] and b.get(label)]
    found = []
    for rounds in points if pairs else ():
        so_far = [(a[:rounds], b[:rounds]) for a, b in pairs]
        sets = [{(label, word) for label, words in one.items() for word in words[:rounds] if word} for one in chosen]
        same = fmean(sum(x == y is not None for x, y in zip(a, b, strict=False)) / len(a) for a, b in so_far)
        shared = fmean(len({*a} & {*b} - {None}) / (len({*a, *b} - {None}) or 1) for a, b in so_far)
        found.append(Agreement(rounds, same, shared, len(set.intersection(*sets)), len(set.union(*sets))))
    return found


def words_figures(folds: Sequence[ChosenWords], points: Sequence[int]) -> dict[str, Any]:
    """Return as plain data whether each label has words of its own, and how far the folds agree."""
    return {
        "by_label": any(one.by_label for one in folds),
        "agreement": [asdict(one) for one in agreements(folds, points)],
    }

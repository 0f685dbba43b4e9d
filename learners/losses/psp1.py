"""Propensity-scored precision at 1, and the base class of those further down."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners.base import Offsets, Reals
    from telex.learners.losses.judged import Judged

_A, _B = 0.55, 1.5


class Psp1(Loss):
    """Precision of the first one of the ranking, in which rare labels count more (Jain, Prabhu and Varma 2016).

    A relevant label counts 1 / p, where p is how likely a label is to be given that was true so often among the
    documents before. The sum over the first ``k`` is divided by the largest that there could be.

    >>> [round(1 / propensity(1000, seen), 2) for seen in (0, 10, 1000)]
    [8.82, 3.55, 1.22]
    """

    name = "psp1"
    k = 1
    best = 1.0
    bounded = True
    unit = "ratio"
    order = 66
    priority = 126
    optional = True

    def of(self, judged: Judged) -> Reals:
        """Return the share, NaN where there is nothing to rank, as if no other document had come before."""
        return self._shares(judged, lambda *_: 1.0)

    def following(self, judged: Judged, documents: int, counts: Offsets) -> Reals:
        """Return the share of documents that follow others."""
        seen: dict[int, int] = {}

        def worth(place: int, label: int) -> float:
            times = seen.get(label, _times(counts, label))
            seen[label] = times + 1
            return 1 / propensity(documents + place, times)

        return self._shares(judged, worth)

    def _shares(self, judged: Judged, worth: Callable[[int, int], float]) -> Reals:
        found = np.full(len(judged), np.nan)
        if judged.compared is None:
            return found
        predictions, _, batch = judged.compared
        asks = np.flatnonzero(batch.labelled[predictions.rows]).tolist()
        tops, ranked = predictions.rankings(self.k), judged.ranked().tolist()
        for place, (ask, row) in enumerate(zip(asks, predictions.rows[asks].tolist(), strict=True)):
            truth = batch.labels[batch.label_indptr[row] : batch.label_indptr[row + 1]].tolist()
            worths = [worth(place, label) for label in truth]
            if ranked[place]:
                names = [batch.label_names[label] for label in truth]
                hits = self._first(tops[ask], names, int(predictions.known[ask]))
                most = sum(sorted(worths, reverse=True)[: self.k])
                found[place] = min(1.0, sum(one for one, hit in zip(worths, hits, strict=True) if hit) / most)
        return found

    def _first(self, top: list[tuple[object, float]], truth: list[object], known: int) -> list[bool]:
        """Return which true labels are among the first ``k``; those that the learner did not know come last."""
        names = {label for label, _ in top}
        hits = [label in names for label in truth]
        if known < self.k:  # the ranking has all known labels, and room behind them
            new = [place for place, hit in enumerate(hits) if not hit][: self.k - known]
            hits = [hit or place in new for place, hit in enumerate(hits)]
        return hits


def propensity(documents: int, seen: int) -> float:
    """Return how likely a relevant label is to be given that ``seen`` of so many documents had."""
    scale = max(0.0, math.log(documents) - 1) * math.pow(_B + 1, _A) if documents else 0.0
    return 1 / (1 + scale * math.pow(seen + _B, -_A))


def _times(counts: Offsets, label: int) -> int:
    """Return how many of the documents before had the label: hits and misses."""
    return int(counts[4 * label] + counts[4 * label + 2]) if 4 * label < len(counts) else 0

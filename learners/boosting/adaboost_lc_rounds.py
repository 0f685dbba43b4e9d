"""The rounds of AdaBoost.LC, with the symbols of figure 2 of its paper."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection

    from telex.learners.base import Flags, Ids, Reals
    from telex.learners.boosting.coverings import CoverSets


@dataclass(frozen=True, slots=True, eq=False)
class BoostedWeights:
    """The result: ``alpha`` (features x labels), and the mean loss before the first round and after each round.

    ``guaranteed[t]`` is bound (8) of the paper's proof for the step that was taken: losses[t] - losses[t + 1] is at
    least that. Bound (9), which Theorem 3.1 states, holds only without smoothing. ``stages`` has alpha after those
    rounds that were asked for. Where each template is a single feature, ``pivots`` and ``steps`` (rounds x labels) have
    the place of the one that a round moved, and by how much; otherwise they have no rows.
    """

    alpha: Reals
    losses: Reals
    guaranteed: Reals
    stages: dict[int, Reals]
    pivots: Ids
    steps: Reals


def boost(
    h: Any, cover: CoverSets, relevant: Flags, b: Any, *, rounds: int, eps: float, stages: Collection[int] = ()
) -> BoostedWeights:
    """Boost over documents ``h`` (sparse rows, values from -1 to 1) with the templates ``b`` (sparse rows).

    Sums over documents are in their order. Every round computes f anew from alpha, so that it is the score, to the bit,
    that the model will give the document.
    """
    n, k = relevant.shape
    alpha = np.zeros((h.shape[1], k))
    losses, guaranteed = np.zeros(rounds + 1), np.zeros(rounds)
    kept: dict[int, Reals] = {}
    single = rounds if n and b.shape[0] and (np.diff(b.indptr) == 1).all() else 0
    pivots, steps = np.zeros((single, k), np.int32), np.zeros((single, k))
    boosted = BoostedWeights(alpha, losses, guaranteed, kept, pivots, steps)
    if not n:
        return boosted
    statistics = _Statistics(h, relevant)
    for t in range(rounds):
        if t in stages:
            kept[t] = alpha.copy()
        q, loss = cover.weigh(h @ alpha)
        losses[t] = loss / n
        right, wrong = statistics.of(q)
        ratio = np.sqrt((right + eps) / (wrong + eps))
        d = np.log(ratio)
        gain = right * (1 - 1 / ratio) + wrong * (1 - ratio)
        if b.shape[0] == 1 and not single:
            # No choice of templates: avoid copies of arrays that may have some hundred megabytes.
            column = b.toarray().T
            alpha += column * d
            guaranteed[t] = (column * gain).sum() / n
        elif k and b.shape[0]:
            chosen = b[np.argmax(b @ (np.sqrt(right) - np.sqrt(wrong)) ** 2, axis=0)]  # labels x features
            label = np.repeat(np.arange(k), np.diff(chosen.indptr))
            moved = chosen.data * d[chosen.indices, label]
            alpha[chosen.indices, label] += moved
            if single:
                pivots[t], steps[t] = chosen.indices, moved
            guaranteed[t] = (chosen.data * gain[chosen.indices, label]).sum() / n
    losses[rounds] = cover.weigh(h @ alpha)[1] / n
    return boosted


class _Statistics:
    """W+ and W- of every feature and label. Each is a sum of its own and no difference of sums, so that 0 is exact."""

    def __init__(self, h: Any, relevant: Flags) -> None:
        self._relevant = relevant
        self._above = h.maximum(0).T.tocsr()
        below = (-h).maximum(0).T.tocsr()
        self._below = below if below.nnz else None
        rows, self._columns = np.nonzero(relevant)
        self._indptr = np.searchsorted(rows, np.arange(len(relevant) + 1))
        self._sparse = importlib.import_module("scipy.sparse")

    def of(self, q: Reals) -> tuple[Reals, Reals]:
        # A document has few relevant labels, so their part of q is sparse.
        yes = self._sparse.csr_matrix((q[self._relevant], self._columns, self._indptr), shape=q.shape)
        no = np.where(self._relevant, 0.0, q)
        right, wrong = (self._above @ yes).toarray(), self._above @ no
        if self._below is not None:
            right += self._below @ no
            wrong += (self._below @ yes).toarray()
        return right, wrong

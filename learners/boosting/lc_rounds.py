"""The rounds of AdaBoost.LC, in the letters of its figure 2."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Flags, Reals
    from telex.learners.boosting.cover_sets import CoverSets


@dataclass(frozen=True, slots=True, eq=False)
class Boosted:
    """``alpha`` (features x labels), the mean loss before the first round and after each, and what each had to gain.

    ``guaranteed[t]`` is bound (8) of the paper's proof, with the step that was taken: losses[t] - losses[t + 1] is no
    less. Bound (9), the one that Theorem 3.1 prints, holds only where nothing is smoothed.
    """

    alpha: Reals
    losses: Reals
    guaranteed: Reals


def boost(h: Any, cover: CoverSets, relevant: Flags, b: Any, *, rounds: int, eps: float) -> Boosted:
    """Boost over documents ``h`` (sparse rows, values from -1 to 1) with the templates ``b`` (sparse rows).

    All sums over documents are in their order; f is computed anew from alpha in every round, so that it is, to the
    bit, what the model will say of the document.
    """
    n, k = relevant.shape
    alpha = np.zeros((h.shape[1], k))
    losses, guaranteed = np.zeros(rounds + 1), np.zeros(rounds)
    if not n:
        return Boosted(alpha, losses, guaranteed)
    statistics = _Statistics(h, relevant)
    for t in range(rounds):
        q, loss = cover.weigh(h @ alpha)
        losses[t] = loss / n
        right, wrong = statistics.of(q)
        ratio = np.sqrt((right + eps) / (wrong + eps))
        d = np.log(ratio)
        gain = right * (1 - 1 / ratio) + wrong * (1 - ratio)
        if b.shape[0] == 1:  # nothing to choose: no copies of what may be some hundred megabytes
            column = b.toarray().T
            alpha += column * d
            guaranteed[t] = (column * gain).sum() / n
        elif k and b.shape[0]:
            chosen = b[np.argmax(b @ (np.sqrt(right) - np.sqrt(wrong)) ** 2, axis=0)]  # labels x features
            label = np.repeat(np.arange(k), np.diff(chosen.indptr))
            alpha[chosen.indices, label] += chosen.data * d[chosen.indices, label]
            guaranteed[t] = (chosen.data * gain[chosen.indices, label]).sum() / n
    losses[rounds] = cover.weigh(h @ alpha)[1] / n
    return Boosted(alpha, losses, guaranteed)


class _Statistics:
    """W+ and W- of every feature and label, each summed for itself: no difference of sums, so 0 is exactly 0."""

    def __init__(self, h: Any, relevant: Flags) -> None:
        self._relevant = relevant
        self._above = h.maximum(0).T.tocsr()
        below = (-h).maximum(0).T.tocsr()
        self._below = below if below.nnz else None
        rows, self._columns = np.nonzero(relevant)
        self._indptr = np.searchsorted(rows, np.arange(len(relevant) + 1))
        self._sparse = importlib.import_module("scipy.sparse")

    def of(self, q: Reals) -> tuple[Reals, Reals]:
        # A document has few relevant labels: their part is sparse.
        yes = self._sparse.csr_matrix((q[self._relevant], self._columns, self._indptr), shape=q.shape)
        no = np.where(self._relevant, 0.0, q)
        right, wrong = (self._above @ yes).toarray(), self._above @ no
        if self._below is not None:
            right += self._below @ no
            wrong += (self._below @ yes).toarray()
        return right, wrong

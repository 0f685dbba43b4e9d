"""Normalised discounted cumulative gain at 3, and the base class of that at 5."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.losses.loss import Loss

if TYPE_CHECKING:
    from telex.learners.base import Reals
    from telex.learners.losses.judged import Judged

_DISCOUNTS = (1.0, 0.6309297535714575, 0.5, 0.43067655807339306, 0.38685280723454163)
"""1 / log2(1 + rank), written out: logarithms may differ from machine to machine."""
_MOST = np.array([1.0, *np.add.accumulate(_DISCOUNTS)])
"""The gain of the best ranking by the number of relevant labels; that of none is never used."""


class NDCG3(Loss):
    """Discounted gain of the first three of the ranking, over that of the best (Järvelin and Kekäläinen 2002)."""

    name = "ndcg3"
    k = 3
    best = 1.0
    bounded = True
    unit = "ratio"
    order = 64
    priority = 124
    optional = True

    def of(self, judged: Judged) -> Reals:
        """Return the gain of the first ``k`` places, NaN where there is nothing to rank."""
        gain = np.zeros(len(judged))
        for place, discount in zip(judged.first(self.k).T, _DISCOUNTS, strict=False):
            gain += np.where(place, discount, 0.0)
        most = _MOST[np.minimum(judged.relevant, self.k)]
        return np.where(judged.ranked(), gain / most, np.nan)

"""Normalised discounted cumulative gain at 5."""

from __future__ import annotations

from telex.learners.losses.ndcg3 import NDCG3


class NDCG5(NDCG3):
    """Discounted gain of the first five of the ranking, over that of the best (Järvelin and Kekäläinen 2002)."""

    name = "ndcg5"
    k = 5
    order = 65
    priority = 125

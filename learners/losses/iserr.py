"""Is-error: whether the ranking was imperfect at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telex.learners.arrays import Reals
    from telex.learners.losses.judged import Judged


class IsErr:
    """1 where some relevant label stands below some irrelevant one, else 0 (Loza Mencía and Fürnkranz 2008, II-C)."""

    name = "iserr"
    best = 0.0
    bounded = True

    def of(self, judged: Judged) -> Reals:
        """Return 0 or 1 for each document; 0 where there is nothing to rank."""
        return (judged.ranked() & (judged.worst > judged.relevant)).astype(float)

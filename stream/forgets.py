"""What the batch of one call forgets, by the asks and answers before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Flags, Ids, Offsets


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Features forgotten, and how many asks and answers there had been by then."""

    features: Ids
    asked: Offsets
    answered: Offsets


class Forgets:
    """What is forgotten in one call: ``features[i]`` before step ``before[i]``, of which some are ``asks``.

    ``asked`` and ``answered`` count the steps before the call.

    >>> forgets = Forgets(np.array([1]), np.array([7], np.int32), np.array([True, False]), 100, 90)
    >>> forgets.between(0, 2)
    Forgotten(features=array([7], dtype=int32), asked=array([101]), answered=array([90]))
    """

    def __init__(self, before: Offsets, features: Ids, asks: Flags, asked: int, answered: int) -> None:
        self._before = before
        counts = np.concatenate([np.zeros(1, np.int64), np.cumsum(asks)])
        self._all = Forgotten(features, asked + counts[before], answered + before - counts[before])

    def between(self, start: int, stop: int) -> Forgotten:
        """Return what is forgotten before the steps ``start`` to ``stop``."""
        first, last = np.searchsorted(self._before, (start, stop)).tolist()
        return Forgotten(self._all.features[first:last], self._all.asked[first:last], self._all.answered[first:last])

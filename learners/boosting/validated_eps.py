"""Smoothing chosen by cross-validation on the documents that are fitted, as Schapire and Singer did."""

from __future__ import annotations

import copy
import math
from typing import TYPE_CHECKING, Literal, Protocol, TypeVar

import numpy as np

from telex.learners.base import UsageError

if TYPE_CHECKING:
    from telex.learners.base import Batch

    Eps = float | Literal["cv"]

CANDIDATES = (1.0, 0.1, 10.0, 0.01, 100.0)
"""Those nearest to the usual value come first: of equally good ones the first is chosen."""
FOLDS = 3


class Smoothed(Protocol):
    """A boosted learner with an ``eps``, and a count of what it gets wrong."""

    eps: Eps

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``."""
        ...

    def errors(self, batch: Batch) -> float:
        """Return how many errors it makes on documents with answers, as it counts them."""
        ...


_Smoothed = TypeVar("_Smoothed", bound=Smoothed)


def check_eps(eps: Eps) -> None:
    """Raise a UsageError unless it is a finite number above 0, or ``cv``."""
    if eps != "cv" and not (isinstance(eps, (int, float)) and math.isfinite(eps) and eps > 0):
        raise UsageError(
            f"eps is {eps}; give a finite number above 0, for without it a perfect feature would get an infinite "
            "weight, or cv, which tries some"
        )


def fixed_eps(eps: Eps) -> float:
    """Return an eps that is a number; ``cv`` is a UsageError, where there is no whole fit that could choose one."""
    if isinstance(eps, str):
        raise UsageError("eps=cv chooses in a fit of all labels on all documents, which this is not; give a number")
    return eps


def validated_eps(model: _Smoothed, batch: Batch) -> float:
    """Return the one of CANDIDATES with the fewest errors out of fold; document i is in fold i mod 3.

    The model itself does not change. A batch of fewer than six documents is too small, and gets 1.
    """
    if len(batch) < 2 * FOLDS:
        return CANDIDATES[0]
    fold = np.arange(len(batch)) % FOLDS
    parts = [
        (batch.take(np.flatnonzero(fold != k).astype(np.int32)), batch.take(np.flatnonzero(fold == k).astype(np.int32)))
        for k in range(FOLDS)
    ]

    def errors(eps: float) -> float:
        own, found = copy.copy(model), 0.0
        own.eps = eps
        for train, test in parts:
            own.fit(train)
            found += own.errors(test)
        return found

    return min(CANDIDATES, key=errors)

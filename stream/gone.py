"""Which features have come to mean something else since a model was fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Flags, Ids, Offsets

_NEVER = np.iinfo(np.int64).max


class Gone:
    """Remembers the first moment at which a feature was forgotten; moments count upwards.

    >>> gone = Gone()
    >>> gone.note(np.array([7], np.int32), np.array([100]))
    >>> gone.stands(np.array([7, 7, 8], np.int32), np.array([99, 100, 100])).tolist()
    [True, False, True]
    """

    __slots__ = ("_first",)

    def __init__(self) -> None:
        self._first = np.zeros(0, np.int64)

    def __bool__(self) -> bool:
        return len(self._first) > 0

    def save(self) -> Offsets:
        """Return the first moment of each feature that has one, by id."""
        return self._first.copy()

    def load(self, first: Offsets) -> None:
        """Remember what was saved."""
        self._first = first.astype(np.int64)

    def features(self) -> Ids:
        """Return the features that were forgotten, ascending."""
        return np.flatnonzero(self._first < _NEVER).astype(np.int32)

    def note(self, features: Ids, moments: Offsets) -> None:
        """Note that each of ``features`` was forgotten before its moment."""
        if len(features):
            self._first = grown(self._first, int(features.max()) + 1, _NEVER)
            np.minimum.at(self._first, features, moments)

    def stands(self, features: Ids, moments: Offsets) -> Flags:
        """Tell which features still are what they were, each at its moment."""
        first = np.full(len(features), _NEVER)
        seen = features < len(self._first)
        first[seen] = self._first[features[seen]]
        return first > moments


def grown(array: Offsets, size: int, fill: int) -> Offsets:
    """Return the array with room for ``size`` entries, doubled where it is too short."""
    if size <= len(array):
        return array
    return np.concatenate([array, np.full(max(size, 2 * len(array)) - len(array), fill, np.int64)])

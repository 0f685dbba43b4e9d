"""Feature ids that a vocabulary of bounded size gives to other terms, and when.

:class:`Forget` says it of the rows of a batch, :class:`ForgetSteps` of the steps of a call. Two objects remember it:
:class:`FirstForgotten` since a model was fitted (was the id ever given away?), :class:`LastForgotten` since each
document came.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base.arrays import Flags, Ids, Offsets

_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class Forget:
    """What learners forget as they follow a batch: before row ``rows[i]``, all they have learnt of ``features[i]``.

    ``rows`` ascend and count from the batch's first row. Several features may leave before one row, and one feature
    before several rows. From that row on the learner must treat the feature as new.

    >>> gone = Forget(np.array([2, 5], np.int32), np.array([40, 7], np.int32))
    >>> part = gone.rows_of(3, 9)
    >>> len(gone), part.rows.tolist(), part.features.tolist()
    (2, [2], [7])
    """

    rows: Ids
    features: Ids

    def __len__(self) -> int:
        return len(self.rows)

    def rows_of(self, start: int, stop: int) -> Forget | None:
        """Return what is forgotten before the rows ``start`` to ``stop``, or None if nothing is."""
        # Not numpy's searchsorted, which releases the interpreter's lock: costly if another thread reads ahead.
        first, last = bisect_left(self.rows, start), bisect_left(self.rows, stop)
        return Forget(self.rows[first:last] - np.int32(start), self.features[first:last]) if first < last else None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Features forgotten, and how many asks and answers there had been by then."""

    features: Ids
    asked: Offsets
    answered: Offsets


class ForgetSteps:
    """What is forgotten in one call: ``features[i]`` before step ``before[i]``, of which some are ``asks``.

    ``asked`` and ``answered`` count the steps before the call.

    >>> forgets = ForgetSteps(np.array([1]), np.array([7], np.int32), np.array([True, False]), 100, 90)
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


class FirstForgotten:
    """Remembers the first moment at which a feature was forgotten; moments count upwards.

    >>> gone = FirstForgotten()
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


class LastForgotten:
    """Remembers, for each feature, the last document before which it was forgotten.

    >>> gone = LastForgotten()
    >>> gone.note(np.array([7], np.int32), np.array([100]))
    >>> gone.stands(np.array([7, 7, 8], np.int32), np.array([99, 100, 99]), np.array([200, 200, 200])).tolist()
    [False, True, True]
    """

    def __init__(self) -> None:
        self._last = np.zeros(0, np.int64)
        self._features, self._places = np.zeros(0, np.int32), np.zeros(0, np.int64)
        self._keys = np.zeros(0, np.int64)  # of the newest: a feature, and a place counted from the first of them
        self._newly = np.zeros(0, np.bool_)  # by feature: whether it is among the newest

    def __bool__(self) -> bool:
        """Whether anything was ever forgotten."""
        return len(self._last) > 0 or len(self._keys) > 0

    def note(self, features: Ids, places: Offsets) -> None:
        """Note that each of ``features`` was forgotten before the document at its place; places ascend."""
        self._settle()
        self._features, self._places = features, places
        self._keys = np.sort(features.astype(np.int64) << 32 | places - places[0])
        if (size := int(features.max()) + 1) > len(self._newly):
            self._newly = np.concatenate([self._newly, np.zeros(max(size, 2 * len(self._newly)), np.bool_)])
        self._newly[features] = True

    def stands(self, features: Ids, since: Offsets, until: Offsets) -> Flags:
        """Tell which features are at the place ``until`` what they were at ``since``.

        ``until`` may be in the midst of what was noted last, and not before it.
        """
        last = np.zeros(len(features), np.int64)
        inside = features < len(self._last)
        last[inside] = self._last[features[inside]]
        stands: Flags = last <= since
        if len(self._keys):
            perhaps = np.flatnonzero(features < len(self._newly))
            perhaps = perhaps[self._newly[features[perhaps]]]
            first, features = self._places[0], features[perhaps]
            wanted = (features.astype(np.int64) << 32) + (until[perhaps] - first)
            at = np.searchsorted(self._keys, wanted, side="right") - 1
            newest = self._keys[np.maximum(at, 0)]
            same = (at >= 0) & (newest >> 32 == features)
            stands[perhaps] &= ~(same & ((newest & 0xFFFFFFFF) + first > since[perhaps]))
        return stands

    def save(self) -> dict[str, Any]:
        """Return what is remembered."""
        self._settle()
        return {"last": self._last.copy()}

    def load(self, state: dict[str, Any]) -> None:
        """Remember what :meth:`save` told of."""
        self._last = state["last"].astype(np.int64)

    def _settle(self) -> None:
        if len(self._keys):
            self._last = grown(self._last, int(self._features.max()) + 1, 0)
            np.maximum.at(self._last, self._features, self._places)
            self._newly[self._features] = False
            self._keys = self._keys[:0]


def grown(array: Offsets, size: int, fill: int) -> Offsets:
    """Return the array with room for ``size`` entries, doubled where it is too short."""
    if size <= len(array):
        return array
    return np.concatenate([array, np.full(max(size, 2 * len(array)) - len(array), fill, np.int64)])

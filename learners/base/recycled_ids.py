"""Feature ids that a bounded vocabulary gives to other terms, and when.

:class:`Forget` lists them by the rows of a batch, :class:`ForgetSteps` by the steps of a call. Two objects remember
them: :class:`FirstForgotten` since a model was fitted (has the id ever been recycled?), :class:`LastForgotten` since
each document arrived.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base.array_types import Flags, Ids, Offsets

_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True, slots=True, eq=False)
class Forget:
    """What learners forget within a batch: before row ``rows[i]``, all that they have learnt about ``features[i]``.

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
    """What one call forgets: ``features[i]`` before step ``before[i]``.

    ``asks`` marks the steps that are asks, the others being answers. ``asked`` and ``answered`` count the steps before
    the call.

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
    >>> gone.unchanged(np.array([7, 7, 8], np.int32), np.array([99, 100, 100])).tolist()
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
        """Restore what :meth:`save` returned."""
        self._first = first.astype(np.int64)

    def features(self) -> Ids:
        """Return the features that were forgotten, ascending."""
        return np.flatnonzero(self._first < _NEVER).astype(np.int32)

    def note(self, features: Ids, moments: Offsets) -> None:
        """Record that each of ``features`` was forgotten before its moment."""
        if len(features):
            self._first = with_room(self._first, int(features.max()) + 1, _NEVER)
            np.minimum.at(self._first, features, moments)

    def unchanged(self, features: Ids, moments: Offsets) -> Flags:
        """Return which ids still mean the same term, each at its moment."""
        first = np.full(len(features), _NEVER)
        seen = features < len(self._first)
        first[seen] = self._first[features[seen]]
        return first > moments


class LastForgotten:
    """Remembers, for each feature, the last document before which it was forgotten.

    >>> gone = LastForgotten()
    >>> gone.note(np.array([7], np.int32), np.array([100]))
    >>> gone.unchanged(np.array([7, 7, 8], np.int32), np.array([99, 100, 99]), np.array([200, 200, 200])).tolist()
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
        """Record that each of ``features`` was forgotten before the document at its place; places ascend."""
        self._settle()
        self._features, self._places = features, places
        self._keys = np.sort(features.astype(np.int64) << 32 | places - places[0])
        if (size := int(features.max()) + 1) > len(self._newly):
            self._newly = np.concatenate([self._newly, np.zeros(max(size, 2 * len(self._newly)), np.bool_)])
        self._newly[features] = True

    def unchanged(self, features: Ids, since: Offsets, until: Offsets) -> Flags:
        """Return which ids mean the same term at the place ``until`` as at ``since``.

        ``until`` may lie within the places of the last call of :meth:`note`, but not before them.
        """
        last = np.zeros(len(features), np.int64)
        inside = features < len(self._last)
        last[inside] = self._last[features[inside]]
        unchanged: Flags = last <= since
        if len(self._keys):
            perhaps = np.flatnonzero(features < len(self._newly))
            perhaps = perhaps[self._newly[features[perhaps]]]
            first, features = self._places[0], features[perhaps]
            wanted = (features.astype(np.int64) << 32) + (until[perhaps] - first)
            at = np.searchsorted(self._keys, wanted, side="right") - 1
            newest = self._keys[np.maximum(at, 0)]
            same = (at >= 0) & (newest >> 32 == features)
            unchanged[perhaps] &= ~(same & ((newest & 0xFFFFFFFF) + first > since[perhaps]))
        return unchanged

    def save(self) -> dict[str, Any]:
        """Return the last moments as plain data."""
        self._settle()
        return {"last": self._last.copy()}

    def load(self, state: dict[str, Any]) -> None:
        """Restore what :meth:`save` returned."""
        self._last = state["last"].astype(np.int64)

    def _settle(self) -> None:
        if len(self._keys):
            self._last = with_room(self._last, int(self._features.max()) + 1, 0)
            np.maximum.at(self._last, self._features, self._places)
            self._newly[self._features] = False
            self._keys = self._keys[:0]


def with_room(array: Offsets, size: int, fill: int) -> Offsets:
    """Return the array, or a longer copy filled with ``fill``, so that it has at least ``size`` entries."""
    if size <= len(array):
        return array
    return np.concatenate([array, np.full(max(size, 2 * len(array)) - len(array), fill, np.int64)])

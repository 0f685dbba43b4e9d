"""Which features of a document have been given to another term since it came."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.stream.gone import grown

if TYPE_CHECKING:
    from telex.learners.arrays import Flags, Ids, Offsets
    from telex.stream.state import State


class GoneSince:
    """Remembers, for each feature, the last document before which it was forgotten.

    >>> gone = GoneSince()
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

    def save(self) -> State:
        """Return what is remembered."""
        self._settle()
        return {"last": self._last.copy()}

    def load(self, state: State) -> None:
        """Remember what :meth:`save` told of."""
        self._last = state["last"].astype(np.int64)

    def _settle(self) -> None:
        if len(self._keys):
            self._last = grown(self._last, int(self._features.max()) + 1, 0)
            np.maximum.at(self._last, self._features, self._places)
            self._newly[self._features] = False
            self._keys = self._keys[:0]

"""Thinning: which points of a curve to keep if there are more than a page can show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from telex.learners.base import without_nan

if TYPE_CHECKING:
    from telex.learners.base import Offsets, Reals

MOST, LEAST = 250, 20
"""The most and the fewest stretches of a curve: more are narrower than a pixel, fewer make no curve."""


def thin(values: Reals, stretches: int = MOST) -> Offsets:
    """Return the points to keep: the first, lowest, highest and last of each of ``stretches`` equally long stretches.

    No extreme is lost, and a line through the kept points fills the same pixels as one through all, as long as a
    stretch is narrower than a pixel or two. With up to four points per stretch all are kept. Undefined values are
    neither lowest nor highest.

    >>> thin(np.array([5.0, 1.0, 2.0, 9.0, 4.0, 4.0, 4.0, 4.0, 4.0, 4.0]), stretches=2).tolist()
    [0, 1, 3, 4, 5, 9]
    """
    count = len(values)
    if count <= 4 * stretches:
        return np.arange(count)
    width = -(-count // stretches)
    begins = np.arange(0, count, width)
    ends = np.minimum(begins + width, count) - 1
    low, high = (np.full(len(begins) * width, far) for far in (np.inf, -np.inf))
    known = np.flatnonzero(~np.isnan(values))
    low[known] = high[known] = values[known]
    lowest, highest = low.reshape(-1, width).argmin(axis=1), high.reshape(-1, width).argmax(axis=1)
    return np.unique(np.minimum(np.concatenate([begins, begins + lowest, begins + highest, ends]), count - 1))


def rounded(values: Reals) -> list[float | None]:
    """Return values with one digit more than the page shows on hover; None if undefined.

    >>> rounded(np.array([0.123456, 42.0, np.nan]))
    [0.12346, 42.0, None]
    """
    return [without_nan(float(f"{x:.5g}")) for x in values.tolist()]

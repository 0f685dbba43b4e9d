"""A curve in a line of text, bounded in size however long the curve grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


class History:
    """The values of a curve so far, evenly thinned out to at most ``size``, with the first and the newest.

    >>> history = History(4)
    >>> for value in range(9):
    ...     history.add(float(value))
    >>> history.values
    [0.0, 4.0, 8.0]
    """

    def __init__(self, size: int = 64) -> None:
        self._size = size
        self._step = 1
        self._count = 0
        self._kept: list[float | None] = []
        self._newest: float | None = None

    def add(self, value: float | None) -> None:
        """Add the next value, None if it is undefined."""
        if self._count % self._step == 0:
            if len(self._kept) == self._size - 1:
                self._kept = self._kept[::2]
                self._step *= 2
            if self._count % self._step == 0:
                self._kept.append(value)
        self._newest = value
        self._count += 1

    @property
    def values(self) -> list[float | None]:
        """The stored values, in order."""
        on_step = (self._count - 1) % self._step == 0
        return self._kept if on_step else [*self._kept, self._newest]


def sparkline(values: Sequence[float | None], width: int, low: float, high: float) -> str:
    """Return a line of at most ``width`` bars between ``low`` and ``high``, with a blank for an undefined value.

    If there are more values than places, each place shows the nearest value.

    >>> sparkline([1.0, 0.75, None, 0.25, 0.0], 8, low=0.0, high=1.0)
    '█▆ ▃▁'
    >>> sparkline([1.0, 0.75, 0.5, 0.25, 0.0], 3, low=0.0, high=1.0)
    '█▅▁'
    """
    count = min(width, len(values))
    places = [round(i * (len(values) - 1) / max(1, count - 1)) for i in range(count)]
    span = (high - low) or 1.0
    top = len(_BARS) - 1
    heights = [None if (value := values[i]) is None else round((value - low) / span * top) for i in places]
    return "".join(" " if height is None else _BARS[min(top, max(0, height))] for height in heights)

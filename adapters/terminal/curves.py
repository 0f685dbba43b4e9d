"""Learning curves drawn with characters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.terminal.text_tables import figure_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Reals

_BOX, _ASCII = ("│", "┤", "└", "─", "┬"), ("|", "+", "`", "-", "+")
_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "red")
_LEFT = 7
"""The columns to the left of the axis."""


@dataclass(frozen=True)
class PlottedCurve:
    """Heights at ascending places; undefined heights are NaN."""

    x: Reals
    y: Reals


class Drawing:
    """Curves in ``width`` x ``height`` characters, each drawn with a letter of its name; the name is at its end.

    ``box`` draws the axes with box characters; otherwise all is ASCII. Where curves meet, the first named one is
    visible. Values above ``ceiling`` are not drawn; ``hidden`` names the curves that are not visible at all.

    >>> places = np.array([1, 3])
    >>> up, down = (PlottedCurve(places, np.array(heights)) for heights in ([0.0, 0.4], [0.4, 0.2]))
    >>> print(Drawing({"br": up, "mmp": down}, width=36, height=5, box=False))
     0.400 +mmmmmm              bbb br
           |      mmmmmmmmbbbbbb
     0.200 +         bbbbb   mmmmmm mmp
           |   bbbbbb
     0.000 +bbb
           `+---------------------+
            1                     3
    """

    def __init__(
        self,
        curves: Mapping[str, PlottedCurve],
        *,
        width: int = 80,
        height: int = 16,
        box: bool = True,
        ceiling: float = np.inf,
    ) -> None:
        curves = {
            name: PlottedCurve(curve.x, np.where(curve.y > ceiling, np.nan, curve.y)) for name, curve in curves.items()
        }
        self.hidden = [name for name, curve in curves.items() if np.isnan(curve.y).all()]
        curves = {name: curve for name, curve in curves.items() if name not in self.hidden}
        self.names = list(curves)
        self.letters = _letters(self.names)
        self._width = max(10, width - _LEFT - max(map(len, self.names), default=0) - 3)
        self._height = height
        self._axes = _BOX if box else _ASCII
        self._begin = min((float(curve.x[0]) for curve in curves.values()), default=0.0)
        self._end = max((float(curve.x[-1]) for curve in curves.values()), default=1.0)
        self._low = min((float(np.nanmin(curve.y)) for curve in curves.values()), default=0.0)
        self._high = max((float(np.nanmax(curve.y)) for curve in curves.values()), default=1.0)
        self._cells = np.full((height, self._width), -1)
        last = [self._draw(i, curve) for i, curve in reversed(list(enumerate(curves.values())))][::-1]
        self._ends = _apart(last, height)

    def _draw(self, i: int, curve: PlottedCurve) -> int:
        """Fill a curve's cells; return the row in which it ends."""
        places = np.linspace(self._begin, self._end, self._width)
        heights = np.interp(places, curve.x, curve.y)
        known = np.isfinite(heights)
        span = (self._high - self._low) or 1.0
        rows = np.rint((self._high - np.where(known, heights, self._high)) / span * (self._height - 1)).astype(int)
        self._cells[rows[known], np.flatnonzero(known)] = i
        return int(rows[known][-1]) if known.any() else 0

    def lines(self) -> list[list[tuple[str, str]]]:
        """Return the lines as pieces of text, each with the name of its colour, empty for none."""
        side, tick, corner, flat, mark = self._axes
        labelled = {0, (self._height - 1) // 2, self._height - 1}
        lines = []
        for row in range(self._height):
            value = self._high - (self._high - self._low) * row / (self._height - 1)
            start = f"{figure_text(value) if row in labelled else '':>{_LEFT - 1}} {tick if row in labelled else side}"
            pieces = [(start, "")]
            pieces += [(self.letters[i], self._colour(i)) if i >= 0 else (" ", "") for i in self._cells[row].tolist()]
            pieces += [(f" {self.names[i]}", self._colour(i)) for i, end in enumerate(self._ends) if end == row]
            lines.append(pieces)
        lines.append([(" " * _LEFT + corner + mark + flat * (self._width - 2) + mark, "")])
        first, last = f"{self._begin:,.0f}", f"{self._end:,.0f}"
        lines.append([(" " * (_LEFT + 1) + first + last.rjust(self._width - len(first)), "")])
        return lines

    def _colour(self, i: int) -> str:
        return _COLOURS[i % len(_COLOURS)]

    def __str__(self) -> str:
        return "\n".join("".join(text for text, _ in line).rstrip() for line in self.lines())


def _letters(names: Sequence[str]) -> list[str]:
    """Give each name its own letter: the first free letter of the name, else any."""
    letters: list[str] = []
    for name in names:
        wanted = [c for c in name if c.isascii() and c.isalnum()] + list("abcdefghijklmnopqrstuvwxyz0123456789*")
        letters.append(next((c for c in wanted if c not in letters), "*"))
    return letters


def _apart(rows: Sequence[int], height: int) -> list[int]:
    """Move rows as little as possible, keeping their order, so that no two are the same if there is room."""
    order = sorted(range(len(rows)), key=lambda i: rows[i])
    placed = [0] * len(rows)
    free = 0
    for i in order:
        placed[i] = free = max(rows[i], free)
        free += 1
    limit = height - 1
    for i in reversed(order):
        placed[i] = max(0, min(placed[i], limit))
        limit = placed[i] - 1
    return placed

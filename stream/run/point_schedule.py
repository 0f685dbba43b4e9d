"""At which documents a curve has a point."""

from __future__ import annotations

from typing import Literal

from telex.learners.base import UsageError

Points = Literal["geometric"] | int

_DECADE = (10, 11, 12, 13, 14, 16, 18, 20, 22, 24, 27, 30, 33, 36, 40, 45, 50, 55, 60, 66, 73, 80, 90)


def check_points(points: object) -> Points:
    """Return ``points`` if it is a schedule: ``"geometric"``, or a number of documents (also as a text)."""
    if points == "geometric":
        return "geometric"
    try:
        step = int(str(points))
    except ValueError:
        step = 0
    if step < 1:
        raise UsageError(f"points are 'geometric' or a number of documents, not {points!r}; try geometric or 1000")
    return step


def next_point(points: Points, documents: int) -> int:
    """Return the first document after ``documents`` at which there is a point.

    ``geometric`` is one fixed sequence, the same for every run: 1 to 10, then the 23 numbers from 10 to 90 of
    the example, each about a tenth further, then those times 10, 100 and so on. A number N gives a point every
    N documents.

    >>> point, geometric = 0, []
    >>> while point < 120:
    ...     geometric.append(point := next_point("geometric", point))
    >>> geometric[8:]
    [9, 10, 11, 12, 13, 14, 16, 18, 20, 22, 24, 27, 30, 33, 36, 40, 45, 50, 55, 60, 66, 73, 80, 90, 100, 110,
    120]
    >>> next_point(250, 250)
    500
    """
    if points != "geometric":
        return documents - documents % points + points
    if documents < 10:
        return documents + 1
    scale: int = 10 ** (len(str(documents)) - 2)
    return next((step * scale for step in _DECADE if step * scale > documents), 100 * scale)

"""Columns of figures as text: how many fit, how they are aligned, and which value is marked as the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from telex.learners.losses import figures_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from telex.learners.losses import Loss

SHOWN_ALWAYS = 5
"""How many columns of figures a table shows before it uses room for anything else."""
MARK = "*"


def aims(losses: Iterable[Loss]) -> dict[str, float]:
    """Return the best value of each figure by its name: of these losses, and of the measures."""
    return {figure.name: figure.best for figure in figures_of(losses)}


def fitting(widths: Iterable[int], room: int) -> int:
    """Return how many columns of these widths fit into the room; the first one always does.

    >>> fitting([10, 10, 10], 25), fitting([10, 10], 5)
    (2, 1)
    """
    left, count = room, 0
    for width in widths:
        left -= width
        if left < 0:
            break
        count += 1
    return max(1, count)


def column(values: Sequence[float | None], aim: float | None = None) -> list[str]:
    """Return figures as cells with equally many digits after the point, a dash for an undefined one.

    ``aim`` is the best possible value: those nearest to it are marked, unless all are alike.

    >>> column([10.93, 6.893, 127.03, None], aim=0.0)
    ['10.93', '*6.89', '127.03', '-']
    >>> column([0.5, 0.5]), column([0.5, 0.5], aim=1.0)
    (['0.500', '0.500'], ['0.500', '0.500'])
    """
    known = [value for value in values if value is not None]
    largest = max(map(abs, known), default=0.0)
    digits = 3 if largest < 10 else 2 if largest < 1000 else 1
    far = [abs(value - aim) for value in known] if aim is not None else []
    nearest = min(far) if far and min(far) < max(far) else None
    marks = [MARK if aim is not None and abs(value - aim) == nearest else "" for value in known]
    cells = iter([f"{mark}{value:.{digits}f}" for mark, value in zip(marks, known, strict=True)])
    return ["-" if value is None else next(cells) for value in values]


def columns(
    learners: Mapping[str, Mapping[str, float | None]], names: Sequence[str], aims: Mapping[str, float]
) -> list[list[str]]:
    """Return a row for each learner: its figures of those names, the best of each column marked."""
    found = [column([figures[name] for figures in learners.values()], aims.get(name)) for name in names]
    return [list(row) for row in zip(*found, strict=True)]


def shortened(name: str, width: int, dots: str = "…") -> str:
    """Return a name, its middle left out where it is too long: specifications differ at both ends.

    >>> shortened("refit:model=sklearn:LinearSVC,every=5000", 20), shortened("mmp", 20)
    ('refit:mode…very=5000', 'mmp')
    """
    if len(name) <= width:
        return name
    begin = (width - len(dots) + 1) // 2
    return f"{name[:begin]}{dots}{name[len(name) - (width - len(dots) - begin) :]}"

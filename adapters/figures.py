"""Learners' figures as columns of text: aligned, the best of each marked, those that matter least left out first."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from telex.stream.run import Run

READ_FIRST = ("iserr", "avgp", "micro_f1", "errsetsize", "macro_f1", "oneerr", "coverage", "margin", "hamming")
"""Losses in the order in which a person wants them: where there is no room, the last is left out first."""
SHOWN_ALWAYS = 5
"""So many of them stand beside each other where there is room for anything more."""
MARK = "*"


def aims(run: Run) -> dict[str, float]:
    """Return the best value of each figure of a run: of a loss what it says, of a measure of counts 1."""
    return dict.fromkeys(run.names, 1.0) | {loss.name: loss.best for loss in run.losses}


def reading_order(run: Run) -> list[str]:
    """Return the figures of a run in the order in which they are read, losses that are not ours first."""
    losses = [loss.name for loss in run.losses]
    found = [name for name in READ_FIRST if name in run.names]
    return found if found and found[0] in losses else [*losses, *(name for name in found if name not in losses)]


def fitting(widths: Iterable[int], room: int) -> int:
    """Return how many columns, of those widths, fit into so much room; the first one always does.

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
    """Return figures with as many digits behind the point as the largest may have, a dash where one is undefined.

    With ``aim``, the value that none can beat, those nearest to it are marked; nothing is where all are alike.

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
    """Return one row a learner: its figures of those names, the best of each column marked."""
    found = [column([figures[name] for figures in learners.values()], aims.get(name)) for name in names]
    return [list(row) for row in zip(*found, strict=True)]


def shortened(name: str, width: int, dots: str = "…") -> str:
    """Return a name with its middle left out where it is too long: specifications differ at both ends.

    >>> shortened("refit:model=sklearn:LinearSVC,every=5000", 20), shortened("mmp", 20)
    ('refit:mode…very=5000', 'mmp')
    """
    if len(name) <= width:
        return name
    begin = (width - len(dots) + 1) // 2
    return f"{name[:begin]}{dots}{name[len(name) - (width - len(dots) - begin) :]}"

"""Figure 2 of MP-Boost's paper: micro and macro F1 of AdaBoost.MH and MP-Boost along the rounds, to be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.mpboost.committees import (
    ROUNDS,
    collections,
    committees,
    f1,
    settings,
    settings_line,
)
from telex.adapters.reproductions.mpboost.printed import ALGORITHMS, FIGURES, printed_table2
from telex.adapters.terminal import text_table

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

TITLE = "curves of micro and macro F1 of AdaBoost.MH and MP-Boost over the rounds (Reuters-21578, RCV1; a minute)"
TAKES = {"rounds": 1000}
_F1 = FIGURES[:2]
_POINTS = 60


def reproduce(
    data: str | os.PathLike[str], progress: Callable[[str], None] = lambda _: None, *, rounds: int = TAKES["rounds"]
) -> dict[str, Any]:
    """Return F1 of the test documents at some sixty numbers of rounds up to ``rounds``, by collection.

    They are as far apart as on a logarithmic axis, as the paper draws it. ``paper`` has the figures of its table 2,
    which are those of its curves.
    """
    along = sorted(
        {*np.geomspace(1, rounds, _POINTS).round().astype(int).tolist(), *(s for s in ROUNDS if s <= rounds)}
    )
    found = {}
    for name, parts in collections(data, progress):
        ours: dict[str, dict[str, list[float]]] = {figure: {} for figure in _F1}
        for fit in committees(name, parts, lambda _: [rounds], progress, sets=["full"]):
            progress(f"{name}: F1 of {fit.algorithm} after 1 to {rounds:,} rounds")
            for step in along:
                for figure, value in f1(fit.model, parts, step).items():
                    ours[figure].setdefault(fit.algorithm, []).append(value)
        printed = printed_table2()[name]
        paper = {
            figure: {
                one: {s: v for s, v in printed[figure]["full"][one].items() if int(s) <= rounds} for one in ALGORITHMS
            }
            for figure in _F1
        }
        found[name] = {"settings": settings(name, parts, rounds), "rounds": along, "ours": ours, "paper": paper}
    return found


def lines(found: dict[str, Any]) -> list[str]:
    """Return the curves where the paper prints them too, with the settings, and what holds of what it says."""
    text = []
    for name, one in found.items():
        text += ["", settings_line(one)]
        for figure, ours in one["ours"].items():
            paper, heading = one["paper"][figure], ["rounds"]
            for algorithm in ours:
                heading += [algorithm, "paper"]
            rows = (
                [
                    step,
                    *(
                        f"{value:.3f}"
                        for algorithm in ours
                        for value in (ours[algorithm][one["rounds"].index(int(step))], paper[algorithm][step])
                    ),
                ]
                for step in paper[ALGORITHMS[0]]
            )
            text += ["", figure, text_table(heading, rows)]
            worse = _not_better(one, figure)
            text.append(
                f"{name}, {figure}: MP-Boost is better at {len(one['rounds']) - len(worse)} of {len(one['rounds'])} S "
                f"that were measured; {_overtakes(one, figure)}"
            )
    return [*text[1:], "", "the paper's curves are without figures; those beside ours are of its table 2"]


def misses(found: dict[str, Any]) -> list[str]:
    """Say after which rounds MP-Boost is not better."""
    return [
        f"{name}: {figure} of MP-Boost is not better after {', '.join(map(str, worse))} rounds; in the paper it is "
        "after any number."
        for name, one in found.items()
        for figure in _F1
        if (worse := _not_better(one, figure))
    ]


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw a row for each collection, micro F1 beside macro F1: both algorithms, and the paper's table dashed."""
    from telex.adapters.plots import lines_picture  # noqa: PLC0415 - matplotlib is an extra

    panels = {
        f"{figure}, {name}": {
            head: line
            for algorithm, heights in ours.items()
            for head, line in (
                (algorithm, (one["rounds"], heights)),
                (f"{algorithm}, paper", _printed(one["paper"][figure][algorithm])),
            )
        }
        for name, one in found.items()
        for figure, ours in one["ours"].items()
    }
    return lines_picture(panels, path, columns=len(_F1), along="rounds", scale="log", overwrite=overwrite)


def _printed(paper: dict[str, float]) -> tuple[list[int], list[float]]:
    return [int(step) for step in paper], list(paper.values())


def _not_better(one: dict[str, Any], figure: str) -> list[int]:
    base, other = (one["ours"][figure][algorithm] for algorithm in ALGORITHMS)
    return [step for step, a, b in zip(one["rounds"], base, other, strict=True) if b <= a]


def _overtakes(one: dict[str, Any], figure: str) -> str:
    """Return after how many rounds MP-Boost has what AdaBoost.MH has at its best."""
    base, other = (one["ours"][figure][algorithm] for algorithm in ALGORITHMS)
    step = next((step for step, value in zip(one["rounds"], other, strict=True) if value > max(base)), None)
    best = f"the best of AdaBoost.MH, {max(base):.3f} after {one['rounds'][int(np.argmax(base))]:,}"
    return f"it never has more than {best}" if step is None else f"after {step} rounds it has more than {best}"

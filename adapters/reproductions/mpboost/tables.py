"""Both tables of MP-Boost's paper: the figures of all committees after some rounds, the paper's beside ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.reproductions.mpboost.committees import (
    ROUNDS,
    TITLES,
    collections,
    committees,
    settings,
    settings_line,
)
from telex.adapters.reproductions.mpboost.printed import ALGORITHMS, RELATIVE
from telex.adapters.terminal import text_table

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from telex.adapters.reproductions.modapte import Parts
    from telex.adapters.reproductions.mpboost.committees import Fit
    from telex.adapters.reproductions.mpboost.printed import Printed

    Figures = Callable[[Fit, Parts, int], dict[str, float]]

_REDUCED_ROUNDS = 1000
"""On reduced sets the paper ends there."""


def tables(
    data: str | os.PathLike[str],
    progress: Callable[[str], None],
    rounds: int,
    paper: Mapping[str, Printed],
    figures: Figures,
    *,
    timed: bool = False,
) -> dict[str, Any]:
    """Return, for each collection, the ``figures`` of all committees after 5, 10, .. rounds, beside the paper's.

    Where ``timed``, the figures of both algorithms are compared too, and committees of all these rounds are fitted.
    """

    def steps(terms: str) -> list[int]:
        most = rounds if terms == "full" else min(rounds, _REDUCED_ROUNDS)
        return [step for step in ROUNDS if step <= most] or [most]

    found = {}
    for name, parts in collections(data, progress):
        ours: Printed = {}
        counts = {}
        for fit in committees(name, parts, steps, progress, timed=timed):
            counts[fit.terms] = fit.size
            for step in steps(fit.terms):
                for figure, value in figures(fit, parts, step).items():
                    columns = ours.setdefault(figure, {}).setdefault(fit.terms, {})
                    columns.setdefault(fit.algorithm, {})[str(step)] = value
        for sets in ours.values() if timed else ():
            for columns in sets.values():
                if len(columns) == len(ALGORITHMS):
                    columns[RELATIVE] = relative(*columns.values())
        found[name] = {"settings": settings(name, parts, rounds), "terms": counts, "ours": ours, "paper": paper[name]}
    return found


def relative(base: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """Return by how many percent ``other`` is more than ``base``, after each of the rounds in which that is not 0.

    >>> relative({"5": 0.5, "10": 0.0}, {"5": 0.6, "10": 0.1})
    {'5': 20.0}
    """
    return {step: round(100 * (other[step] - value) / value, 10) for step, value in base.items() if value}


def tables_text(found: dict[str, Any], digits: Mapping[str, tuple[int, int]]) -> list[str]:
    """Return the settings, and a table for each figure and feature set, with the paper's columns beside ours.

    ``digits`` says how many ours have, and the paper's, for each figure.
    """
    text = [settings_line(found)]
    for name, sets in found["ours"].items():
        for terms, ours in sets.items():
            paper = found["paper"][name].get(terms, {})
            columns = [
                column
                for one, of in ours.items()
                for column, there in (
                    ((one, of, _digits(one, digits[name][0])), True),
                    (("paper", paper.get(one, {}), _digits(one, digits[name][1])), one in paper),
                )
                if there
            ]
            rows = (
                [step, *(f"{of[step]:.{places}f}" if step in of else "" for _, of, places in columns)]
                for step in next(iter(ours.values()))
            )
            heading = ["rounds", *(head for head, _, _ in columns)]
            text += ["", f"{name}, {TITLES[terms]} ({found['terms'][terms]:,} terms)", text_table(heading, rows)]
    return text


def tables_picture(
    found: dict[str, Any], path: str | os.PathLike[str], *, columns: int, overwrite: bool = False
) -> Path:
    """Draw a panel for each figure, feature set and collection of the paper: both algorithms, the paper's dashed."""
    from telex.adapters.plots import lines_picture  # noqa: PLC0415 - matplotlib is an extra

    panels = {
        f"{figure}\n{TITLES[terms]}, {name}": {
            f"{algorithm}{of}": ([int(step) for step in line], list(line.values()))
            for algorithm in ALGORITHMS
            for of, table in (("", one["ours"][figure][terms]), (", paper", printed))
            for line in (table[algorithm],)
        }
        for name, one in found.items()
        for figure, sets in one["paper"].items()
        for terms, printed in sets.items()
    }
    seconds = [title for title in panels if "seconds" in title]
    return lines_picture(panels, path, columns=columns, along="rounds", scale="log", log=seconds, overwrite=overwrite)


def _digits(column: str, digits: int) -> int:
    return 1 if column == RELATIVE else digits

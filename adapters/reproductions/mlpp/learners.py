"""What the reproductions of MLPP's paper have in common: its learners, its losses, and how tables show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.terminal import text_table
from telex.learners import BR, MLPP, MMP, NB

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from pathlib import Path

    Figures = Mapping[str, Mapping[str, float]]

LOSSES = ("iserr", "errsetsize", "margin", "avgp")
SCALE = 0.05
"""Weights begin at random in [-SCALE, SCALE); the paper says that they are random, and not how large."""
_PERCENT = ("iserr", "avgp")


def paper_learners(seed: int = 0) -> dict[str, Any]:
    """Return the paper's four learners in its own forms, none of which is the default.

    >>> list(paper_learners())
    ['mlpp', 'mmp', 'br', 'nb']
    """
    random: dict[str, Any] = {"init": "random", "init_scale": SCALE, "seed": seed}
    return {
        "mlpp": MLPP(update="perceptron", ties="first", **random),
        "mmp": MMP(loss="iserr", penalty="uniform", **random),
        "br": BR(**random),
        "nb": NB("multinomial", 1, "weights", seed),
    }


def in_print(means: Mapping[str, float | None]) -> dict[str, float]:
    """Return the four losses as the paper prints them: iserr and average precision times 100.

    >>> in_print({"iserr": 0.5, "errsetsize": 2.0, "margin": 1.5, "avgp": 0.75, "coverage": 3.0})
    {'iserr': 50.0, 'errsetsize': 2.0, 'margin': 1.5, 'avgp': 75.0}
    """
    return {loss: printed(loss, float(means[loss] or 0.0)) for loss in LOSSES}


def printed(loss: str, mean: float) -> float:
    """Return the mean of a loss as the paper prints it.

    >>> printed("avgp", 0.75), printed("margin", 0.75)
    (75.0, 0.75)
    """
    return (100.0 if loss in _PERCENT else 1.0) * mean


def digits_of(loss: str) -> int:
    """Return the digits behind the point that the paper prints of a loss."""
    return 2 if loss in _PERCENT else 3


def settings_line(settings: Mapping[str, Any]) -> str:
    """Return the settings in one line."""
    return "settings: " + ", ".join(f"{key} {value}" for key, value in settings.items())


def losses_table(ours: Figures, paper: Figures) -> str:
    """Return a row for each loss, and for each learner our figure and the paper's beside it."""
    heading = ["loss", *(head for name in ours for head in (name, "paper"))]
    rows = []
    for loss in LOSSES:
        figures = (value for name in ours for value in (ours[name][loss], paper[name][loss]))
        rows.append([loss, *(f"{value:.{digits_of(loss)}f}" for value in figures)])
    return text_table(heading, rows)


def losses_picture(
    tables: Mapping[str, tuple[Figures, Figures]], path: str | os.PathLike[str], *, overwrite: bool
) -> Path:
    """Draw a row for each table, with bars for each loss: ours and the paper's, by learner."""
    from telex.adapters.plots import bars_picture  # noqa: PLC0415 - matplotlib is an extra

    panels = {
        f"{loss}, {title}" if title else loss: {
            name: {"ours": ours[name][loss], "paper": paper[name][loss]} for name in ours
        }
        for title, (ours, paper) in tables.items()
        for loss in LOSSES
    }
    return bars_picture(panels, path, columns=len(LOSSES), overwrite=overwrite)

"""Curves over the rounds of boosting: accuracy beside flat lines of other learners, and how far folds agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.plots.crossval import check_pictures
from telex.adapters.plots.picture_file import check_picture, write_picture

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from pathlib import Path

_PARTS = {"test": ("out of fold", "-"), "train": ("within fold", "--")}
_AGREED = {"same": ("the same in a round", "-"), "shared": ("in common so far", "--")}


def rounds_picture(
    found: Mapping[str, Mapping[str, Any]], path: str | PathLike[str], *, overwrite: bool = False
) -> Path:
    """Draw a column for each collection: its accuracy over the rounds, and below it the agreement of the folds.

    ``accuracy`` has a figure for each round of ``train`` and ``test``, ``levels`` those of other learners by name, and
    ``agreement`` a dict for each round.
    """
    target = check_picture(path, overwrite=overwrite)
    check_pictures()
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    with rc_context({"font.size": 9, "svg.hashsalt": "telex", "axes.spines.top": False, "axes.spines.right": False}):
        figure: Any = Figure(figsize=(5.2 * len(found), 6.6), layout="constrained")
        grid = figure.subplots(2, len(found), squeeze=False, height_ratios=(3, 2))
        for (above, below), (name, one) in zip(grid.T, found.items(), strict=True):
            for part, (said, style) in _PARTS.items():
                rounds = [int(after) for after in one["accuracy"][part]]
                above.plot(rounds, list(one["accuracy"][part].values()), style, color="C0", label=f"boosting, {said}")
            for number, (learner, level) in enumerate(one["levels"].items(), 1):
                above.axhline(level, color=f"C{number}", linestyle=":", label=f"{learner}, out of fold")
            for key, (said, style) in _AGREED.items():
                points = one["agreement"]
                below.plot([at["rounds"] for at in points], [at[key] for at in points], style, color="C0", label=said)
            above.set_title(name, fontsize=9)
            above.set(ylabel="accuracy", ylim=(None, 1.005))
            below.set(ylabel="words on which two folds agree", ylim=(0, 1.02))
            for axes in (above, below):
                axes.set(xscale="log", xlabel="rounds")
                axes.xaxis.set_major_formatter("{x:,.0f}")
                axes.grid(alpha=0.3)
                axes.legend(fontsize=8)
        return write_picture(figure, target, overwrite=overwrite)

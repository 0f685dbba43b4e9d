"""Learning curves as a still picture, for papers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.plots.crossval import check_pictures
from telex.adapters.plots.picture_file import check_picture, write_picture
from telex.learners import BASELINES, did_you_mean
from telex.learners.base import UsageError
from telex.stream.run_folder import SPANS, read_curves, read_facts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike

    from telex.learners.base import Offsets, Reals

_COLOURS = ("#1d5fc4", "#b3440b", "#00715a", "#8f3a86", "#7a6000", "#a3285a", "#31708e", "#5b5f00")
_USUALLY = ("arow", "mlpp", "mmp", "br", "nb")
_LINE = 9.5
"""The distance between names, in points."""
_BASE, _DASHES = "#6a6e76", ((0, (6, 3)), (0, (1, 2)))


def picture(
    folders: Sequence[str | PathLike[str]],
    path: str | PathLike[str],
    loss: str = "iserr",
    *,
    overwrite: bool = False,
) -> Path:
    """Draw one loss of the runs in ``folders`` to a file; its ending chooses the format: .svg, .png or .pdf.

    Lines have the colours of the page, and their names at their ends. Needs matplotlib (extra ``plots``). An existing
    file is refused, unless ``overwrite`` is set.
    """
    target = check_picture(path, overwrite=overwrite)
    lines = [line for folder in folders for line in _lines(Path(folder), loss, several=len(folders) > 1)]
    check_pictures()
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    with rc_context({"font.size": 9, "svg.hashsalt": "telex", "axes.spines.top": False, "axes.spines.right": False}):
        drawing: Any = Figure(figsize=(6.4, 3.6), layout="constrained")
        axes = drawing.add_subplot(xlabel="documents", ylabel=loss)
        own = base = 0
        for name, learner, documents, values in lines:
            if learner in BASELINES:
                style = {"color": _BASE, "linestyle": _DASHES[base % 2], "linewidth": 0.9}
                base += 1
            else:
                place = _USUALLY.index(learner) if learner in _USUALLY and len(folders) == 1 else len(_USUALLY) + own
                own += place >= len(_USUALLY)
                style = {"color": _COLOURS[place % len(_COLOURS)], "linewidth": 1.4}
            axes.plot(documents, values, label=name, **style)
        axes.xaxis.set_major_formatter(lambda x, _: f"{x:,.0f}")
        axes.margins(x=0)
        axes.grid(axis="y", linewidth=0.4, color="#dcdcd5")
        drawing.draw_without_rendering()
        _name_ends(axes)
        return write_picture(drawing, target, overwrite=overwrite)


def _name_ends(axes: Any) -> None:
    """Write names at the ends of the lines, moved up where they would overlap."""
    free = -math.inf
    points = 72 / axes.figure.dpi
    for line in sorted(axes.lines, key=lambda line: line.get_ydata()[-1]):
        end = line.get_xydata()[-1]
        height = points * axes.transData.transform(end)[1]
        at = max(height, free)
        free = at + _LINE
        axes.annotate(
            line.get_label(), end, (4, at - height), textcoords="offset points", va="center", color=line.get_color()
        )


def _lines(folder: Path, loss: str, *, several: bool) -> Iterator[tuple[str, str, Offsets, Reals]]:
    drawn = read_curves(folder)
    if drawn is None:
        raise UsageError(f"there are no curves in {folder} to draw; name the folder of a run that has begun")
    columns = [name + span for name in drawn.figures for span in SPANS]
    if loss not in columns:
        raise UsageError(
            f"there is no figure {loss!r} in {folder}{did_you_mean(loss, columns)}; choose one of {columns}"
        )
    window = read_facts(folder).get("window")
    least = min((window if isinstance(window, int) else 1000) / 10, drawn.documents[-1] / 20)
    for learner, table in drawn.learners.items():
        values = table[loss]
        known = ~np.isnan(values) & (drawn.documents >= least)  # figures of fewer documents say nothing yet
        if known.any():
            name = f"{learner} ({folder.resolve().name})" if several else learner
            yield name, learner, drawn.documents[known], values[known]

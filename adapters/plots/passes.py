"""Learning curves over the passes of a fit: its objective, and errors on training and test documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.plots.crossval import check_pictures
from telex.adapters.plots.picture_file import check_picture, write_picture

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike
    from pathlib import Path


def passes_picture(
    curves: Mapping[str, Mapping[str, Any]], path: str | PathLike[str], *, overwrite: bool = False
) -> Path:
    """Draw a row for each of ``curves``: the objective, then each of its errors.

    ``dual`` and ``gap`` have a value a pass, each of the ``errors`` of ``train`` and ``test`` one for each of
    ``passes``.
    """
    target = check_picture(path, overwrite=overwrite)
    check_pictures()
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    columns = 1 + max(len(one["errors"]["test"]) for one in curves.values())
    with rc_context({"font.size": 9, "svg.hashsalt": "telex", "axes.spines.top": False, "axes.spines.right": False}):
        figure: Any = Figure(figsize=(3.4 * columns, 2.6 * len(curves)), layout="constrained")
        grid = figure.subplots(len(curves), columns, squeeze=False)
        for row, (name, one) in zip(grid, curves.items(), strict=True):
            every = range(1, len(one["dual"]) + 1)
            row[0].plot(every, one["dual"], label="dual")
            row[0].plot(every, [a + b for a, b in zip(one["dual"], one["gap"], strict=True)], "--", label="dual + gap")
            row[0].set(ylabel=f"objective, {name}", ylim=(0, 2 * one["dual"][-1]))
            for axes, error in zip(row[1:], one["errors"]["test"], strict=False):
                axes.plot(one["passes"], one["errors"]["test"][error], marker=".", label="test")
                axes.plot(one["passes"], one["errors"]["train"][error], "--", marker=".", label="training")
                axes.set(ylabel=error, ylim=(0, None))
            for axes in row:
                axes.set(xscale="log", xlabel="passes")
                axes.xaxis.set_major_formatter("{x:,.0f}")
                axes.grid(alpha=0.3)
                axes.legend()
        return write_picture(figure, target, overwrite=overwrite)

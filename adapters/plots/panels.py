"""Pictures of small panels side by side: bars of one figure beside another, or lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from telex.adapters.plots.crossval import check_pictures
from telex.adapters.plots.picture_file import check_picture, write_picture

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping, Sequence
    from os import PathLike
    from pathlib import Path

_DASHED = ("training", "paper")
"""Lines whose names end so are dashed, in the colour of the line before."""


def bars_picture(
    panels: Mapping[str, Mapping[str, Mapping[str, float]]],
    path: str | PathLike[str],
    *,
    columns: int,
    log: bool = False,
    overwrite: bool = False,
) -> Path:
    """Draw bars: each panel has groups, by name, and each group the same series, such as ours and the paper's."""

    def draw(axes: Any, _: str, panel: Mapping[str, Mapping[str, float]]) -> None:
        series = list(next(iter(panel.values())))
        for k, one in enumerate(series):
            places = [group + k / (len(series) + 0.5) for group in range(len(panel))]
            axes.bar(places, [group[one] for group in panel.values()], 1 / (len(series) + 0.5), label=one)
        centre = (len(series) - 1) / (len(series) + 0.5) / 2
        axes.set_xticks([group + centre for group in range(len(panel))], list(panel))
        axes.set_yscale("log" if log else "linear")

    return _draw(panels, draw, path, columns, overwrite=overwrite)


def lines_picture(
    panels: Mapping[str, Mapping[str, tuple[Sequence[float], Sequence[float]]]],
    path: str | PathLike[str],
    *,
    columns: int,
    along: str,
    scale: Literal["linear", "log"] = "linear",
    log: Container[str] = (),
    overwrite: bool = False,
) -> Path:
    """Draw lines: a panel by title has lines by name, each as its places ``along`` and its heights.

    Heights are on a logarithmic axis in the panels whose titles are in ``log``.
    """

    def draw(axes: Any, title: str, panel: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> None:
        for k, (name, (places, heights)) in enumerate(panel.items()):
            dashed = name.endswith(_DASHED)
            colour = f"C{k // 2 if any(one.endswith(_DASHED) for one in panel) else k}"
            axes.plot(places, heights, "--" if dashed else "-", color=colour, linewidth=1.2, label=name)
        axes.set(xlabel=along, xscale=scale)
        axes.set(yscale="log") if title in log else axes.set(ylim=(0, None))
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.margins(x=0)

    return _draw(panels, draw, path, columns, overwrite=overwrite)


def _draw(
    panels: Mapping[str, Any],
    draw: Callable[[Any, str, Any], None],
    path: str | PathLike[str],
    columns: int,
    *,
    overwrite: bool,
) -> Path:
    target = check_picture(path, overwrite=overwrite)
    check_pictures()
    from matplotlib import rc_context  # noqa: PLC0415
    from matplotlib.figure import Figure  # noqa: PLC0415

    rows = -(-len(panels) // columns)
    with rc_context({"font.size": 9, "svg.hashsalt": "telex", "axes.spines.top": False, "axes.spines.right": False}):
        figure: Any = Figure(figsize=(max(3.0 * columns, 4.8), 2.5 * rows), layout="constrained")
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, (title, panel) in zip(grid, panels.items(), strict=False):
            draw(axes, title, panel)
            axes.set_title(title, fontsize=9)
            axes.set_axisbelow(True)
            axes.grid(axis="y", linewidth=0.4, color="#dcdcd5")
        for axes in grid[len(panels) :]:
            axes.remove()
        grid[0].legend(fontsize=8)
        return write_picture(figure, target, overwrite=overwrite)

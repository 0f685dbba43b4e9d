"""A run as a piece of HTML, with its curves as SVG and its figures as a table: what a notebook shows.

It has no script, so notebooks that are not trusted, and those on a page of GitHub, show it as well.
"""

from __future__ import annotations

from html import escape
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from telex.adapters.terminal import MARK, figure_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.adapters.report.shown_run import ShownRun
    from telex.learners.base import Reals

_HUES = ("#1d5fc4", "#b3440b", "#00715a", "#8f3a86", "#7a6000", "#a3285a", "#31708e", "#5b5f00")
"""The colours of the report."""
_USUALLY = ("arow", "mlpp", "mmp", "br", "nb")
"""These have the same colours in all charts, as in the report; others take the next ones."""
_BASE, _LINE = "#6a6e76", "#dcdcd5"
_WIDTH, _HEIGHT = 720, 250
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 110, 10, 30
_NAME = 14
"""The least distance between two names at the ends of curves."""
_LONGEST = 18


def html_view(shown: ShownRun) -> str:
    """Return the head, the curves and the tables of a run."""
    tables = "".join(_table(heading, rows) for heading, rows in shown.tables())
    chart = curve_chart(shown.curves, shown.headline, shown.baselines) if shown.curves else ""
    head = f"<p style='margin:.3em 0'><b>{escape(shown.title)}</b> {escape(shown.state)}</p>"
    style = "background:#fdfdfb;color:#1c1e21;padding:.6em .8em;overflow-x:auto;font-size:13px"
    return f"<div class='telex' style='{style}'>{head}{chart}{tables}</div>"


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def cell(kind: str, text: str, place: int) -> str:
        best = text.startswith(MARK)
        style = f"text-align:{'right' if place else 'left'};padding:.15em .6em;white-space:nowrap"
        style += ";font-weight:bold" if best else ""
        return f"<{kind} style='{style}'>{escape(text.removeprefix(MARK) if best else text)}</{kind}>"

    def row(kind: str, cells: Sequence[str]) -> str:
        return f"<tr>{''.join(cell(kind, text, place) for place, text in enumerate(cells))}</tr>"

    body = "".join(row("td", cells) for cells in rows)
    head = f"<thead>{row('th', heading)}</thead>"
    return f"<table style='border-collapse:collapse;margin:.4em 0'>{head}<tbody>{body}</tbody></table>"


def curve_chart(curves: Mapping[str, tuple[Reals, Reals]], title: str, baselines: set[str]) -> str:
    """Return curves as SVG, each with the name of its learner at its end; ``baselines`` are grey and dashed."""
    known = {name: (x[np.isfinite(y)], y[np.isfinite(y)]) for name, (x, y) in curves.items()}
    known = {name: (x, y) for name, (x, y) in known.items() if len(x)}
    if not known:
        return ""
    drawn = [y for name, (_, y) in known.items() if name not in baselines] or [y for _, y in known.values()]
    low, high = (float(pick(y)) for pick, y in ((np.min, np.concatenate(drawn)), (np.max, np.concatenate(drawn))))
    low, high = (low, high) if high > low else (low - 0.5, high + 0.5)
    last = max(float(x[-1]) for x, _ in known.values())
    across = (_WIDTH - _LEFT - _RIGHT) / last
    down = (_HEIGHT - _TOP - _BOTTOM) / (high - low)

    def height(y: Reals) -> Reals:
        place: Reals = _TOP + (high - np.clip(y, low, high)) * down  # a baseline may lie far above the learners
        return place

    parts = [_grid(low, high, last, title)]
    others = count(len(_USUALLY))
    names = []
    for name, (x, y) in known.items():
        base = name in baselines
        place = _USUALLY.index(name) if name in _USUALLY else next(others)
        colour, dash = (_BASE, " stroke-dasharray='6 4'") if base else (_HUES[place % len(_HUES)], "")
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(_LEFT + x * across, height(y), strict=True))
        parts.append(
            f"<polyline points='{points}' fill='none' stroke='{colour}' stroke-width='{1.2 if base else 2}'{dash}/>"
        )
        names.append((float(height(y)[-1]), name, colour))
    below = -np.inf
    for end, name, colour in sorted(names):
        below = max(end, below + _NAME)
        text = escape(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…")
        parts.append(f"<text x='{_WIDTH - _RIGHT + 6}' y='{below + 4:.1f}' fill='{colour}'>{text}</text>")
    tall = max(_HEIGHT, int(below) + _NAME)
    return (
        f"<svg viewBox='0 0 {_WIDTH} {tall}' width='{_WIDTH}' height='{tall}' role='img' font-size='12' "
        f"font-family='sans-serif' style='max-width:100%;height:auto'><title>{escape(title)}</title>"
        f"{''.join(parts)}</svg>"
    )


def _grid(low: float, high: float, last: float, title: str) -> str:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = []
    for value, y in ((high, _TOP), ((low + high) / 2, (_TOP + bottom) / 2), (low, bottom)):
        parts.append(f"<line x1='{_LEFT}' x2='{right}' y1='{y}' y2='{y}' stroke='{_LINE}'/>")
        parts.append(f"<text x='{_LEFT - 6}' y='{y + 4}' text-anchor='end' fill='#565b63'>{figure_text(value)}</text>")
    parts.append(f"<text x='{right}' y='{bottom + 18}' text-anchor='end' fill='#565b63'>{last:,.0f} documents</text>")
    parts.append(f"<text x='{_LEFT}' y='{bottom + 18}' fill='#565b63'>{escape(title)}</text>")
    return "".join(parts)

"""Replays a made-up newswire, and draws the learners' curves."""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.text import Text

from telex.adapters.cli.actions.replay import replay
from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.formats import Synthetic
from telex.adapters.report import report
from telex.adapters.terminal import Curve, Drawing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.adapters.cli.commands.demo import DemoOptions

_DRIFT = 0.5


def demo(options: DemoOptions) -> int:
    """Replay the newswire, draw what came out, and return the exit code."""
    wire = f"synthetic:n={options.n},seed={options.seed},drift={_DRIFT}"
    newswire = Synthetic(wire).newswire
    first = newswire.stories(0, 1)
    print(
        f"A made-up newswire: {options.n:,} dispatches on {len(newswire.labels)} topics, some of which come and\n"
        f'go, in words that drift. The first: "{first.titles[0]}" ({", ".join(first.labels[0] or ())}).\n',
        file=sys.stderr,
    )
    with TemporaryDirectory() as folder:
        kept = Path(folder) / "demo"
        points = str(max(1, options.n // 200))
        replayed = ReplayOptions(
            paths=(wire,),
            run=str(kept),
            points=points,
            json=options.json,
            command_line=("replay", wire, "--run", str(kept), "--points", points),
        )
        code = replay(replayed, lasting=False)
        if options.json or not (kept / "curves.csv").is_file():  # ended before it began
            return code
        whole, window = (_curves(kept / "curves.csv", figure) for figure in ("iserr", "iserr_window"))
        page = report([kept], options.out or Path(mkdtemp(prefix="telex-")) / "demo.html")
    if whole:
        _show(window)
        print(f"\n{_verdict(whole, window)}")
        print(f"\nReport: {page}")
        print(f"\nNext: telex replay YOURS.jsonl (telex formats says what else can be read)\nThis: telex replay {wire}")
    return code


def _curves(path: Path, figure: str) -> dict[str, Curve]:
    found: dict[str, list[tuple[float, float]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["learner"], []).append((float(row["documents"]), float(row[figure] or "nan")))
    return {name: Curve(*np.array(points).T) for name, points in found.items()}


def _show(curves: Mapping[str, Curve]) -> None:
    console = Console(highlight=False)
    boxes = "utf" in (sys.stdout.encoding or "").lower()
    ends = {name: float(curve.y[-1]) for name, curve in curves.items()}
    width = min(console.width, 100) if sys.stdout.isatty() else 80
    drawing = Drawing(curves, width=width, box=boxes, ceiling=1.5 * min(ends.values()))
    print("\nShare of the last 1,000 documents whose ranking of topics is not perfect (iserr)\n")
    for line in drawing.lines():
        console.print(Text.assemble(*line), soft_wrap=True)
    if drawing.hidden:
        print(f"\nToo high for the picture: {', '.join(f'{name} {ends[name]:.3f}' for name in drawing.hidden)}")


def _verdict(whole: Mapping[str, Curve], window: Mapping[str, Curve]) -> str:
    """Say who is best, and since when."""
    names = list(whole)
    best = np.argmin([curve.y for curve in whole.values()], axis=0)
    leader, others = names[best[-1]], np.flatnonzero(best != best[-1])
    words = f"Best over all documents: {leader} ({whole[leader].y[-1]:.3f}), "
    if len(others):
        since, before = int(whole[leader].x[others[-1] + 1]), names[best[others[-1]]]
        words += f"since document {since:,}; before, it was {before}."
    else:
        words += "from the beginning."
    now = min(window, key=lambda name: window[name].y[-1])
    return f"{words}\nBest of the last 1,000: {now} ({window[now].y[-1]:.3f})."

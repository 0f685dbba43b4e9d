"""Replays a made-up newswire, and draws the learners' curves."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from telex.adapters.cli.actions.replay import replay
from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.formats import Synthetic
from telex.adapters.report import report
from telex.adapters.terminal import Drawing, PlottedCurve, console
from telex.stream.run_folder import CURVES_CSV, check_output, read_curves

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.adapters.cli.commands.demo import DemoOptions

_DRIFT = 0.5


def demo(options: DemoOptions) -> int:
    """Replay the newswire, draw the curves, and return the exit code."""
    if options.out is not None:
        check_output(options.out, overwrite=options.overwrite)
    wire = f"synthetic:n={options.n},seed={options.seed},drift={_DRIFT}"
    newswire = Synthetic(wire).newswire
    first = newswire.stories(0, 1)
    print(
        f"A made-up newswire: {options.n:,} dispatches on {len(newswire.labels)} topics, some of which come and\n"
        f'go, in words that drift. The first: "{first.titles[0]}" ({", ".join(first.labels[0] or ())}).\n',
        file=sys.stderr,
    )
    with TemporaryDirectory() as home:
        folder = Path(home) / "demo"
        points = str(max(1, options.n // 200))
        replayed = ReplayOptions(
            paths=(wire,),
            run=str(folder),
            points=points,
            json=options.json,
            command_line=("replay", wire, "--run", str(folder), "--points", points),
        )
        code = replay(replayed, lasting=False)
        if options.json or not (folder / CURVES_CSV).is_file():  # ended before it began
            return code
        whole, window = (_curves(folder, figure) for figure in ("iserr", "iserr_window"))
        out = options.out or Path(mkdtemp(prefix="telex-")) / "demo.html"
        page = report([folder], out, overwrite=options.overwrite)
    if whole:
        _show(window)
        print(f"\n{_verdict(whole, window)}")
        print(f"\nReport: {page}")
        print(
            f"\nNext: telex replay YOURS.jsonl (telex formats lists what else can be read)\nThis: telex replay {wire}"
        )
    return code


def _curves(folder: Path, figure: str) -> dict[str, PlottedCurve]:
    curves = read_curves(folder)
    if curves is None:
        return {}
    documents = curves.documents.astype(np.float64)
    return {name: PlottedCurve(documents, columns[figure]) for name, columns in curves.learners.items()}


def _show(curves: Mapping[str, PlottedCurve]) -> None:
    terminal = console(sys.stdout)
    boxes = "utf" in (sys.stdout.encoding or "").lower()
    ends = {name: float(curve.y[-1]) for name, curve in curves.items()}
    width = min(terminal.width, 100) if sys.stdout.isatty() else 80
    drawing = Drawing(curves, width=width, box=boxes, ceiling=1.5 * min(ends.values()))
    print("\nShare of the last 1,000 documents whose ranking of topics is not perfect (iserr)\n")
    for line in drawing.lines():
        terminal.print(Text.assemble(*line), soft_wrap=True)
    if drawing.hidden:
        print(f"\nToo high for the picture: {', '.join(f'{name} {ends[name]:.3f}' for name in drawing.hidden)}")


def _verdict(whole: Mapping[str, PlottedCurve], window: Mapping[str, PlottedCurve]) -> str:
    """Say which learner is best, and since when."""
    names = list(whole)
    best = np.argmin([curve.y for curve in whole.values()], axis=0)
    leader, others = names[best[-1]], np.flatnonzero(best != best[-1])
    words = f"Lowest iserr overall: {leader} ({whole[leader].y[-1]:.3f}), "
    if len(others):
        since, before = int(whole[leader].x[others[-1] + 1]), names[best[others[-1]]]
        words += f"since document {since:,}; before, it was {before}."
    else:
        words += "from the beginning."
    now = min(window, key=lambda name: window[name].y[-1])
    return f"{words}\nOf the last 1,000: {now} ({window[now].y[-1]:.3f})."

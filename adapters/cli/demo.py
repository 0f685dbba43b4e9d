"""``telex demo``: what Telex does, without data, broker or network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.cli.options import at_least

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping
    from pathlib import Path

    from telex.adapters.cli.options import Parser
    from telex.adapters.terminal_curves import Curve

_DRIFT = 0.5
_EXAMPLE = "examples:\n  telex demo\n  telex demo --n 5000 --seed 7 --json"


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "demo",
        help="watch the learners on a made-up newswire",
        description="Let the four learners and the baselines go through a made-up newswire whose words drift, and\n"
        "some of whose topics come and go; show their curves, and make a page of them. What is shown is\n"
        "`telex replay synthetic:...`.",
        epilog=_EXAMPLE,
    )
    parser.add_argument("--n", type=at_least(1), default=20_000, metavar="N", help="number of documents (20000)")
    parser.add_argument("--seed", type=at_least(0), default=0, metavar="S", help="another seed is another newswire (0)")
    parser.add_argument("-o", "--out", metavar="FILE", help="where the report goes, a page (a new temporary folder)")
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.set_defaults(run_command=run)


def run(options: dict[str, Any]) -> int:
    """Replay the newswire, draw what came out, and return the exit code."""
    import sys  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415
    from tempfile import TemporaryDirectory, mkdtemp  # noqa: PLC0415

    from telex.adapters.cli.main import main  # noqa: PLC0415
    from telex.adapters.formats.synthetic import Synthetic  # noqa: PLC0415
    from telex.adapters.report import report  # noqa: PLC0415

    wire = f"synthetic:n={options['n']},seed={options['seed']},drift={_DRIFT}"
    newswire = Synthetic(wire).newswire
    first = newswire.stories(0, 1)
    print(
        f"A made-up newswire: {options['n']:,} dispatches on {len(newswire.labels)} topics, some of which come and\n"
        f'go, in words that drift. The first: "{first.titles[0]}" ({", ".join(first.labels[0] or ())}).\n',
        file=sys.stderr,
    )
    with TemporaryDirectory() as folder:
        kept = Path(folder) / "demo"
        replay = ["replay", wire, "--run", str(kept), "--points", str(max(1, options["n"] // 200))]
        code = main([*replay, "--json"] if options.get("json") else replay, passing=True)
        if code not in {0, 130} or options.get("json") or not (kept / "curves.csv").is_file():  # ended before it began
            return code
        whole, window = (_curves(kept / "curves.csv", figure) for figure in ("iserr", "iserr_window"))
        page = report([kept], options.get("out") or Path(mkdtemp(prefix="telex-")) / "demo.html")
    if whole:
        _show(window)
        print(f"\n{_verdict(whole, window)}")
        print(f"\nReport: {page}")
        print(f"\nNext: telex replay YOURS.jsonl (telex formats says what else can be read)\nThis: telex replay {wire}")
    return code


def _curves(path: Path, figure: str) -> dict[str, Curve]:
    import csv  # noqa: PLC0415

    import numpy as np  # noqa: PLC0415

    from telex.adapters.terminal_curves import Curve  # noqa: PLC0415

    found: dict[str, list[tuple[float, float]]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["learner"], []).append((float(row["documents"]), float(row[figure] or "nan")))
    return {name: Curve(*np.array(points).T) for name, points in found.items()}


def _show(curves: Mapping[str, Curve]) -> None:
    import sys  # noqa: PLC0415

    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    from telex.adapters.terminal_curves import Drawing  # noqa: PLC0415

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
    import numpy as np  # noqa: PLC0415

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

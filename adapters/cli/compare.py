"""``telex compare``: which learner of a run is better, and since when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from telex.adapters.cli.options import Parser
    from telex.stream.compare import Pair
    from telex.stream.compare.kept import Part

_EXAMPLE = """\
examples:
  telex compare first
  telex compare first --loss avgp --loss errsetsize --learners mmp,mlpp --json"""


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "compare",
        help="say which learner of a run is better, and since when",
        description="Compare the learners of a run by their losses of each document, pair by pair: what was to be\n"
        "expected of each document bounded at all times, and the paired Wald and the Wilcoxon signed-rank test. What\n"
        "was learnt while it was scored and what only tested stand apart. The run may still be at work.",
        epilog=_EXAMPLE,
    )
    option = parser.add_argument
    option("folder", nargs="?", metavar="DIR", help="the folder of a run")
    option(
        "--loss", action="append", metavar="NAME", help="the loss to compare by; may be repeated; all for all (iserr)"
    )
    option("--learners", metavar="A,B,..", help="those to compare (all but baselines)")
    option("--alpha", type=float, metavar="P", help="probability that any interval is ever wrong (0.05)")
    option("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run_command=run)


def run(arguments: dict[str, Any]) -> int:
    """Compare, and show what comes of it."""
    import json  # noqa: PLC0415

    from telex.learners.errors import UsageError  # noqa: PLC0415
    from telex.stream.compare import ALPHA, comparisons  # noqa: PLC0415

    if "folder" not in arguments:
        raise UsageError("name the folder of a run; try `telex compare --help`")
    alpha = arguments.get("alpha", ALPHA)
    found = comparisons(
        arguments["folder"], arguments.get("loss", ["iserr"]), learners=arguments.get("learners"), alpha=alpha
    )
    if arguments.get("json"):
        print(json.dumps({"alpha": alpha, **_plain(found)}))
    else:
        _show(found, alpha)
    return 0


def _plain(found: Mapping[Part, Sequence[Pair]]) -> dict[str, Any]:
    """Return pairs as JSON has them: null for NaN."""
    from dataclasses import asdict  # noqa: PLC0415

    from telex.learners.arrays import without_nan  # noqa: PLC0415

    return {part: [without_nan(asdict(pair)) for pair in pairs] for part, pairs in found.items()}


def _show(found: Mapping[Part, Sequence[Pair]], alpha: float) -> None:
    import sys  # noqa: PLC0415
    from itertools import groupby  # noqa: PLC0415

    from rich.console import Console  # noqa: PLC0415

    from telex.adapters.comparisons import NOTE, drawn, rich_table  # noqa: PLC0415

    for part, pairs in found.items():
        for loss, some in groupby(pairs, lambda pair: pair.loss):
            of_loss = list(some)
            title = f"{loss}, {max(pair.n for pair in of_loss):,} documents{', test' if part == 'test' else ''}"
            if sys.stdout.isatty():
                console = Console(highlight=False)
                console.print(rich_table(title, of_loss, console.width))
            else:
                print(f"{title}\n{drawn(of_loss)}")
            print()
    print(NOTE.format(share=100 - 100 * alpha))

"""``telex replay``: an archive as if it were a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.cli.options import format_settings

if TYPE_CHECKING:
    import argparse

    from telex.adapters.cli.options import Parser
    from telex.stream import Source

_EXAMPLE = """\
without --learner the four learners run: br, mmp, mlpp and nb, beside the baselines prior and last.

examples:
  telex replay lyrl2004_vectors.dat.gz
  telex replay news.jsonl --learner mmp --learner pairs=mlpp:decode=weighted --limit 10000 --run first"""

_DEFAULTS: dict[str, Any] = {
    "format": None,
    "text": "",
    "duplicates": "keep",
    "learner": (),
    "limit": None,
    "order": None,
    "test_after": None,
    "epochs": 1,
    "seed": 0,
    "window": 1000,
    "points": "geometric",
    "run": None,
    "predictions": None,
    "top": 10,
    "no_baselines": False,
    "strict": False,
    "json": False,
}


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "replay",
        help="read documents from files, and predict, score and learn them one by one",
        description="Read documents from files; predict each, score the prediction, then learn the document.",
        epilog=_EXAMPLE,
    )
    parser.reads()
    option = parser.add_argument
    option(
        "--text",
        metavar="K=V,..",
        help="how texts become features, such as stem=german,weight=ltc,vocabulary=bounded,size=50000 (see README)",
    )
    option(
        "--learner",
        action="append",
        metavar="[ALIAS=]SPEC",
        help="name or name:key=value,..., as often as wanted",
    )
    option("--no-baselines", action="store_true", help="leave out prior and last")
    option(
        "--test-after",
        metavar="WHEN",
        help="learn up to DATE, id:X or n:N, boundary included, and test on the rest",
    )
    option("--epochs", type=int, metavar="N", help="read the stream N times (1)")
    option("--seed", type=int, metavar="S", help="seed of the learners that name none (0)")
    option("--window", type=int, metavar="N", help="scored documents of the sliding figures (1000)")
    option(
        "--points",
        metavar="geometric|N",
        help="points of the curves: at growing distances, or every N (geometric)",
    )
    option(
        "--run",
        metavar="DIR",
        help="keep curves, counts per label, broken records and settings in a new folder",
    )
    option("--predictions", metavar="FILE", help="write each prediction as a JSON line")
    option("--top", type=int, metavar="K", help="best labels, with scores, of each prediction (10)")
    option(
        "--duplicates",
        choices=("keep", "skip"),
        help="what becomes of a story told before under another id (keep; counted always)",
    )
    option("--strict", action="store_true", help="stop at the first broken record")
    parser.runs(run, _DEFAULTS)


def run(options: dict[str, Any]) -> int:
    """Replay what ``options`` name, and return the exit code."""
    import json  # noqa: PLC0415
    import signal  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from telex.adapters.cli.signals import stopping  # noqa: PLC0415
    from telex.adapters.terminal import terminal  # noqa: PLC0415
    from telex.learners.errors import UsageError  # noqa: PLC0415
    from telex.learners.registry import learners, losses  # noqa: PLC0415
    from telex.stream import PredictionsFile, Run, RunFolder, Sink, Stop  # noqa: PLC0415

    if not options.get("paths"):
        raise UsageError("name a file of documents, or - for standard input; try `telex replay --help`")
    made = learners(options["learner"], seed=options["seed"], baselines=not options["no_baselines"])
    folder = options["run"]
    sinks: list[Sink] = [terminal(folder and str(Path(folder) / "dead-letters.jsonl"))]
    if folder:
        settings = {name: value for name, value in options.items() if name != "command_line"}
        facts = {
            "command_line": ["telex", *options["command_line"]],
            "options": settings,
            "seed": options["seed"],
        }
        sinks.append(RunFolder(folder, facts))
    if options["predictions"]:
        sinks.append(PredictionsFile(options["predictions"], options["top"]))
    replay = Run(
        _source(options),
        made,
        losses=losses(),
        sinks=sinks,
        **{name: options[name] for name in ("window", "points", "test_after", "epochs", "limit", "strict")},
    )
    with stopping(replay) as signals:
        try:
            for _ in replay:
                pass
        except Stop:
            # The signal came between the wait and the document.
            replay.close()
    if options["json"]:
        print(json.dumps(replay.summary()))
    return 130 if signal.SIGINT in signals else 0


def _source(options: dict[str, Any]) -> Source:
    from telex.adapters.formats import open_source  # noqa: PLC0415

    name, settings = format_settings(options)
    if options["epochs"] > 1 and "-" in options["paths"]:
        settings["passes"] = options["epochs"]
    return open_source(options["paths"], name, words=options["text"], duplicates=options["duplicates"], **settings)

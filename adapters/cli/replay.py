"""``telex replay``: an archive as if it were a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.cli.options import format_settings
from telex.adapters.cli.running import LEARNERS, RUN_DEFAULTS, add_run_options, carried_out

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from telex.adapters.cli.made import Opened
    from telex.adapters.cli.options import Parser

_EXAMPLE = f"""\
{LEARNERS}

examples:
  telex replay news.jsonl
  telex replay news.jsonl --learner mmp --learner pairs=mlpp:decode=weighted --limit 10000 --run first
  telex replay --run first --resume
  telex replay synthetic:n=1000,drift=0.5 --champion window=500 --drift ADWIN --json
  telex replay lyrl2004_vectors.dat.gz --learner br:averaged=true --test-after id:26150 --epochs 5"""
_LABELS_AFTER = (
    "N|DURATION|FILE answers come N documents or so much event time after their documents, or by id from a JSON lines "
    "file"
)


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "replay",
        help="read documents from files, and predict, score and learn them one by one",
        description="Read documents from files; predict each, score the prediction, then learn the document.",
        epilog=_EXAMPLE,
        usage="telex replay PATH... [OPTION ...]\n       telex replay --run DIR --resume",
    )
    parser.reads()
    add_run_options(parser, _LABELS_AFTER, epochs=True)
    parser.runs(run, RUN_DEFAULTS)


def run(options: dict[str, Any]) -> int:
    """Replay what ``options`` name, and return the exit code."""
    return carried_out(options, _check, _opened)


def _check(options: dict[str, Any]) -> None:
    from telex.learners.errors import UsageError  # noqa: PLC0415

    if not options.get("paths"):
        raise UsageError("name a file of documents, or - for standard input; try `telex replay --help`")


def _opened(options: dict[str, Any], say: Callable[[str], None]) -> Opened:
    from telex.adapters.answers_file import answered  # noqa: PLC0415
    from telex.adapters.cli.made import Opened  # noqa: PLC0415
    from telex.adapters.formats import open_source  # noqa: PLC0415

    name, settings = format_settings(options)
    if options["epochs"] > 1 and "-" in options["paths"]:
        settings["passes"] = options["epochs"]
    source = open_source(options["paths"], name, words=options["text"], duplicates=options["duplicates"], **settings)
    return Opened(answered(source, options["labels_after"], options["paths"]))

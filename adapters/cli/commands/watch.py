"""``telex watch``: learns files as they arrive in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.commands.feed import FeedOptions, add_fed_run_options
from telex.adapters.cli.run_options import LEARNERS

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = f"""\
A file is learnt once, by its content, when it has not changed for a while: move it into the folder, or copy it there
under a name that ends in .part or .tmp, or begins with a dot, and then rename it. The watch ends by Ctrl-C or SIGTERM;
the same command goes on.

{LEARNERS}

examples:
  telex watch year incoming --learner arow --learner mlpp --serve 127.0.0.1:8000
  telex watch year incoming --follow
  telex watch year incoming --until-idle 10s"""


@dataclass(frozen=True, kw_only=True)
class WatchOptions(FeedOptions):
    """The options of ``telex watch``."""

    folder: str = ""
    settle: str = "2s"
    follow: bool = False
    until_idle: str | None = None


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="the folder of the run")
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="the folder in which files arrive")
    option = parser.add_argument_group("files").add_argument
    option("--settle", metavar="DURATION", help="how long a file must not have changed before it is learnt (2s)")
    option(
        "--follow",
        action="store_true",
        help="learn what is appended to jsonl, csv and tsv files at once, line by line",
    )
    option("--until-idle", metavar="DURATION", help="end when nothing has changed in the folder for so long (never)")
    add_fed_run_options(parser)


LISTED = (26, "learn files into a run as they arrive in a folder")
COMMAND = Command(
    name="watch",
    help=LISTED[1],
    description="Learn the files of a folder into a run, those that are there and those that arrive, each once.",
    epilog=_EXAMPLE,
    usage="telex watch RUN FOLDER [OPTION ...]",
    options=WatchOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.watch:watch",
    place=LISTED[0],
)

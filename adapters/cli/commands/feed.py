"""``telex feed``: learns further files into a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.commands.replay import ReplayOptions
from telex.adapters.cli.parser import add_format_options, add_result_options
from telex.adapters.cli.run_options import LEARNERS, add_run_options

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = f"""\
A run that is not there yet begins, with these options. Else it has the options with which it began; those that only
show, such as --serve, may be given. A file that was learnt before is left out, by its content and whatever its name; of
lines that were added to one, only those are learnt. The command may be killed at any moment, and be given again.

{LEARNERS}

examples:
  telex feed year monday.csv --learner arow --learner mlpp
  telex feed year tuesday.csv wednesday.jsonl.gz
  telex feed first news.jsonl
  telex feed year"""
LABELS_AFTER = "N|DURATION answers come N documents or this much event time later"


@dataclass(frozen=True, kw_only=True)
class FeedOptions(ReplayOptions):
    """The options of ``telex feed``: those of the run that it begins, or goes on with."""


def add_fed_run_options(parser: Parser) -> None:
    """Add the options of a run that files are fed to."""
    add_format_options(parser.add_argument_group("documents").add_argument)
    add_run_options(parser, LABELS_AFTER, goes_on=True)
    add_result_options(parser)


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument("run", nargs="?", metavar="RUN", help="the folder of the run")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file; without any, what is left of those before")
    add_fed_run_options(parser)


LISTED = (24, "learn further files into a run that is there")
COMMAND = Command(
    name="feed",
    help=LISTED[1],
    description="Learn files one after the other into a run: its curves, vocabulary and learners go on with them.",
    epilog=_EXAMPLE,
    usage="telex feed RUN PATH... [OPTION ...]\n       telex feed RUN",
    options=FeedOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.feed:feed",
    place=LISTED[0],
)

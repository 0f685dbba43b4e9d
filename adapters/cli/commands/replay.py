"""``telex replay``: plays an archive as a stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.parser import add_document_options, add_result_options
from telex.adapters.cli.run_options import LEARNERS, RunOptions, add_run_options

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = f"""\
{LEARNERS}

examples:
  telex replay news.jsonl
  telex replay news.jsonl --learner mmp --learner pairs=mlpp:decode=weighted --limit 10000 --run first
  telex replay --run first --resume
  telex replay synthetic:n=1000,drift=0.5 --champion window=500 --drift ADWIN --json
  telex replay lyrl2004_vectors.dat.gz --learner br:averaged=true --test-after id:26150 --epochs 5"""
_LABELS_AFTER = (
    "N|DURATION|FILE answers come N documents or this much event time later, or by id from a JSON lines file"
)


@dataclass(frozen=True, kw_only=True)
class ReplayOptions(RunOptions):
    """The options of ``telex replay``."""


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    add_document_options(parser)
    add_run_options(parser, _LABELS_AFTER, epochs=True)
    add_result_options(parser)


LISTED = (20, "read documents from files, and predict, score and learn them one by one")
COMMAND = Command(
    name="replay",
    help=LISTED[1],
    description="Read documents from files; predict each, score the prediction, then learn the document.",
    epilog=_EXAMPLE,
    usage="telex replay PATH... [OPTION ...]\n       telex replay --run DIR --resume",
    options=ReplayOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.feed:replay_or_go_on",
    place=LISTED[0],
)

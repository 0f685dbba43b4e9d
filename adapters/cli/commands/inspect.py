"""``telex inspect``: what is in a checkpoint, or in a file of converted documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import Options

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
examples:
  telex inspect first
  telex inspect first --labels 1000 --terms 10
  telex inspect first/checkpoints/000012 --verify --json
  telex inspect rcv1.telex --verify"""


@dataclass(frozen=True, kw_only=True)
class InspectOptions(Options):
    """The options of ``telex inspect``."""

    folder: str | None = None
    verify: bool = False
    terms: int = 5
    labels: int = 20


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    option = parser.add_argument
    option(
        "folder",
        nargs="?",
        metavar="DIR",
        help="the folder of a run, or of one of its checkpoints, or a file of `telex convert`",
    )
    option("--verify", action="store_true", help="read all arrays of all checkpoints, or of the file")
    option("--terms", type=int, metavar="N", help="terms to show for each label of a boosted learner (5; 0: none)")
    option("--labels", type=int, metavar="N", help="labels to show terms for (20)")
    option("--json", action="store_true", help="print one JSON object")


LISTED = (100, "show what is in a checkpoint, or in a converted file")
COMMAND = Command(
    name="inspect",
    help=LISTED[1],
    description="Show what is in the newest whole checkpoint of a run, or in a given one, and the state of the\n"
    "others. Or show what is in a file that `telex convert` wrote.",
    epilog=_EXAMPLE,
    place=LISTED[0],
    options=InspectOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.inspect:inspect",
)

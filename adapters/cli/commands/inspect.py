"""``telex inspect``: what is in a checkpoint."""

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
  telex inspect first/checkpoints/000012 --verify --json"""


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
    option("folder", nargs="?", metavar="DIR", help="the folder of a run, or of one of its checkpoints")
    option("--verify", action="store_true", help="read all arrays of all checkpoints")
    option("--terms", type=int, metavar="N", help="terms shown of a label that was boosted (5; 0: none)")
    option("--labels", type=int, metavar="N", help="labels whose terms are shown (20)")
    option("--json", action="store_true", help="print one JSON object")


COMMAND = Command(
    name="inspect",
    help="say what is in a checkpoint",
    description="Say what is in the newest whole checkpoint of a run, or in one of them, and what others are.",
    epilog=_EXAMPLE,
    place=100,
    options=InspectOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.inspect:inspect",
)

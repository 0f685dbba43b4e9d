"""``telex compare``: which learner of a run is better, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import Options

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
examples:
  telex compare first
  telex compare first --loss avgp --loss errsetsize --learners mmp,mlpp --json
  telex compare --collections yeast/ scene/ reuters/ --loss micro_f1"""


@dataclass(frozen=True, kw_only=True)
class CompareOptions(Options):
    """The options of ``telex compare``."""

    folder: str | None = None
    collections: tuple[str, ...] = ()
    loss: tuple[str, ...] = ()
    learners: str | None = None
    alpha: float = 0.05


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    option = parser.add_argument_group("what is compared").add_argument
    option("folder", nargs="?", metavar="DIR", help="the folder of a run")
    option(
        "--collections",
        nargs="+",
        metavar="DIR",
        help="the folders of runs or cross-validations of the same learners, each on another collection, instead of "
        "one run: the learners are compared by their ranks",
    )
    option(
        "--loss",
        action="append",
        metavar="NAME",
        help="the loss to compare by; may be repeated; all for all (the run's --headline, else iserr)",
    )
    option("--learners", metavar="A,B,..", help="the learners to compare (all but baselines)")
    option("--alpha", type=float, metavar="P", help="probability that any interval is ever wrong (0.05)")
    parser.add_argument_group("this command").add_argument("--json", action="store_true", help="print one JSON object")


LISTED = (60, "say which learner of a run is better, and since when")
COMMAND = Command(
    name="compare",
    help=LISTED[1],
    description="Compare the learners of a run pair by pair, by their losses for each document: an interval of the\n"
    "expected difference that holds at all times, the paired Wald test and the Wilcoxon signed-rank test. The\n"
    "training part and the test part have tables of their own. The run may still be going.",
    epilog=_EXAMPLE,
    place=LISTED[0],
    options=CompareOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.compare:compare",
)

"""``telex demo``: what Telex does, without data, broker or network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import OutputOptions
from telex.adapters.cli.parser import add_overwrite_option, at_least

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = "examples:\n  telex demo\n  telex demo --n 5000 --seed 7 --json"


@dataclass(frozen=True, kw_only=True)
class DemoOptions(OutputOptions):
    """The options of ``telex demo``."""

    n: int = 20_000
    seed: int = 0
    out: str | None = None


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument("--n", type=at_least(1), metavar="N", help="number of documents (20000)")
    parser.add_argument("--seed", type=at_least(0), metavar="S", help="another seed is another newswire (0)")
    parser.add_argument("-o", "--out", metavar="FILE", help="where the report goes, a page (a new temporary folder)")
    add_overwrite_option(parser.add_argument)
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")


LISTED = (10, "watch the learners on a made-up newswire")
COMMAND = Command(
    name="demo",
    help=LISTED[1],
    description="Run the five usual learners and the baselines on a made-up newswire whose words drift, and\n"
    "some of whose topics come and go; show their curves, and make a page of them. The demo is\n"
    "`telex replay synthetic:...`.",
    epilog=_EXAMPLE,
    place=LISTED[0],
    options=DemoOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.demo:demo",
)

"""``telex learners``: the learners and their parameters."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import Options

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser


@dataclass(frozen=True, kw_only=True)
class LearnersOptions(Options):
    """The options of ``telex learners``."""

    names: tuple[str, ...] = ()


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="only these: a learner, sklearn, sklearn:LinearSVC, ..."
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: LearnersOptions) -> int:
    """List the learners, and return the exit code."""
    from telex.adapters.terminal import columns_of, wrapped
    from telex.learners import describe_learners

    found = describe_learners(options.names)
    if options.json:
        print(json.dumps(found, indent=2))
        return 0
    width = columns_of(sys.stdout)
    for name, learner in found.items():
        print(name, wrapped(f"    {learner['summary']}", 4, width), sep="\n")
        for key, parameter in learner["parameters"].items():
            default = parameter["default"]
            shown = str(default).lower() if isinstance(default, bool) else default
            print(wrapped(f"    {key}={shown}  ({parameter['expected']})", 8, width))
        for member in learner.get("members", ()):
            print(f"    {name.removesuffix('NAME')}{member}")
    return 0


LISTED = (110, "list the learners and their parameters")
COMMAND = Command(
    name="learners",
    help=LISTED[1],
    description="List the learners, their parameters, defaults and allowed values.",
    epilog="Any learner also takes decide=sign|micro|macro|rank:K|meta, which labels are predicted,\n"
    "probabilities=own|binned, how probable they are, and tree=project, for sets that --tree allows.\n\nexamples:\n"
    "  telex learners --json\n  telex learners sklearn:LinearSVC",
    place=LISTED[0],
    options=LearnersOptions,
    arguments=arguments,
    run=run,
)

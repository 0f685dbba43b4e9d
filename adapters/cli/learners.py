"""``telex learners``: what can be asked to learn."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from telex.adapters.cli.options import Parser


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "learners",
        help="list the learners and their parameters",
        description="List the learners, their parameters, defaults and allowed values.",
        epilog="examples:\n  telex learners --json\n  telex learners sklearn:LinearSVC",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="only these: a learner, sklearn, sklearn:LinearSVC, ..."
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run_command=run)


def run(arguments: dict[str, Any]) -> int:
    """List the learners."""
    from telex.adapters.text import columns_of, fitted  # noqa: PLC0415
    from telex.learners.registry import describe_learners  # noqa: PLC0415

    found = describe_learners(arguments.get("names", ()))
    if arguments.get("json"):
        print(json.dumps(found, indent=2))
        return 0
    width = columns_of(sys.stdout)
    for name, learner in found.items():
        print(name, fitted(f"    {learner['summary']}", 4, width), sep="\n")
        for key, parameter in learner["parameters"].items():
            default = parameter["default"]
            shown = str(default).lower() if isinstance(default, bool) else default
            print(fitted(f"    {key}={shown}  ({parameter['expected']})", 8, width))
        for member in learner.get("members", ()):
            print(f"    {name.removesuffix('NAME')}{member}")
    return 0

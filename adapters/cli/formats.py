"""``telex formats``: what can be read."""

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
        "formats",
        help="list the formats that can be read",
        description="List the formats that can be read, and their options.",
        epilog="example:\n  telex formats --json",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run_command=run)


def run(arguments: dict[str, Any]) -> int:
    """List the formats."""
    from telex.adapters.formats import find, names  # noqa: PLC0415
    from telex.adapters.text import columns_of, fitted  # noqa: PLC0415

    found = {name: find(name) for name in names()}
    if arguments.get("json"):
        print(
            json.dumps(
                {name: {"summary": f.summary, "options": dict(f.options)} for name, f in found.items()},
                indent=2,
            )
        )
        return 0
    width = columns_of(sys.stdout)
    for name, format_ in found.items():
        print(name, fitted(f"    {format_.summary}", 4, width), sep="\n")
        for key, what in format_.options.items():
            print(fitted(f"    {key}=  {what}", 8, width))
    return 0

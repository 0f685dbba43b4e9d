"""``telex losses``: what is measured."""

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
        "losses",
        help="list the losses",
        description="List what is measured: losses of single documents, and measures of counts per label.",
        epilog="example:\n  telex losses --json",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run_command=run)


def run(arguments: dict[str, Any]) -> int:
    """List the losses."""
    from telex.adapters.text import columns_of, fitted, table  # noqa: PLC0415
    from telex.learners.registry import describe_losses  # noqa: PLC0415

    found = describe_losses()
    if arguments.get("json"):
        print(json.dumps(found, indent=2))
        return 0
    rows = ([name, f"{loss['best']:g}", loss["summary"]] for name, loss in found.items())
    whole = table(["loss", "best", "what it is"], rows, numbers=False)
    print(fitted(whole, whole.index("what it is"), columns_of(sys.stdout)))
    return 0

"""``telex losses``: the losses and measures."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import Options

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: Options) -> int:
    """List the losses, and return the exit code."""
    from telex.adapters.terminal import columns_of, text_table, wrapped
    from telex.learners import describe_losses

    found = describe_losses()
    if options.json:
        print(json.dumps(found, indent=2))
        return 0
    rows = ([name, f"{loss['best']:g}", _measured(loss), loss["summary"]] for name, loss in found.items())
    whole = text_table(["loss", "best", "measured", "what it is"], rows, numbers=False)
    print(wrapped(whole, whole.index("what it is"), columns_of(sys.stdout)))
    return 0


def _measured(loss: dict[str, Any]) -> str:
    named = ["by name"] if loss["optional"] else []
    return ", ".join([*(["with a tree"] if loss["tree"] else []), *named]) or "always"


LISTED = (130, "list the losses")
COMMAND = Command(
    name="losses",
    help=LISTED[1],
    description="List the losses of single documents, and the measures from counts per label.\n"
    "Runs measure some only by name: `telex replay --losses prec1,ndcg5`, and some only with --tree.",
    epilog="example:\n  telex losses --json",
    place=LISTED[0],
    options=Options,
    arguments=arguments,
    run=run,
)

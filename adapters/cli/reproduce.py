"""``telex reproduce``: a paper's table, its numbers beside ours."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from telex.adapters.reproductions import REPRODUCTIONS

if TYPE_CHECKING:
    import argparse

    from telex.adapters.cli.options import Parser

_NAMES = "\n".join(f"  {name:16} {what}" for name, what in REPRODUCTIONS.items())
_EXAMPLE = f"""\
names:
{_NAMES}

DIR is the folder of the collections, with reuters21578 or rcv1 in it, or the collection itself.

example:
  telex reproduce mpboost-table2 --data collections"""
_DEFAULTS: dict[str, Any] = {"name": None, "data": None, "json": False}


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "reproduce",
        help="make a paper's table again, and show its numbers beside ours",
        description="Make a table or figure of a paper again, on the collection it is about; show its settings, our "
        "figures, the paper's beside them, and what holds.",
        epilog=_EXAMPLE,
    )
    option = parser.add_argument
    option("name", nargs="?", metavar="NAME", help="the table: " + ", ".join(REPRODUCTIONS))
    option("--data", metavar="DIR", help="the folder of the collections")
    parser.runs(run, _DEFAULTS)


def run(options: dict[str, Any]) -> int:
    """Make the table again."""
    import json  # noqa: PLC0415

    from telex.adapters.reproductions import reproduction  # noqa: PLC0415
    from telex.learners.errors import UsageError  # noqa: PLC0415

    if options["name"] is None:
        raise UsageError(f"name a table, one of {', '.join(REPRODUCTIONS)}; try `telex reproduce --help`")
    table = reproduction(options["name"])
    if options["data"] is None:
        raise UsageError("say where the collections are with --data DIR; try `telex reproduce --help`")
    began = time.monotonic()

    def say(what: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {what}", file=sys.stderr, flush=True)

    found = table.reproduce(options["data"], say)
    say("done")
    print(json.dumps(found) if options["json"] else "\n".join(table.lines(found)))
    return 0

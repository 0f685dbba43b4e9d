"""``telex formats``: the formats that can be read."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import Options

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(options: Options) -> int:
    """List the formats, and return the exit code."""
    from telex.adapters.formats import find_format, format_names
    from telex.adapters.terminal import columns_of, wrapped
    from telex.stream.sources import limit_lines

    found = {name: find_format(name) for name in format_names()}
    if options.json:
        print(
            json.dumps(
                {name: {"summary": f.summary, "options": dict(f.options)} for name, f in found.items()},
                indent=2,
            )
        )
        return 0
    width = columns_of(sys.stdout)
    for name, format_ in found.items():
        print(name, wrapped(f"    {format_.summary}", 4, width), sep="\n")
        for key, what in format_.options.items():
            print(wrapped(f"    {key}=  {what}", 8, width))
    encodings = "any format of texts: encoding=  such as cp1252 or utf-16 (found by content, else utf-8)"
    print("", wrapped(encodings, 4, width), sep="\n")
    print("", wrapped("any format: --budget K=V,.. sets aside records that have more than this", 4, width), sep="\n")
    for key, what in limit_lines().items():
        print(wrapped(f"    {key}=  {what}", 8, width))
    return 0


LISTED = (120, "list the formats that can be read")
COMMAND = Command(
    name="formats",
    help=LISTED[1],
    description="List the formats that can be read, and their options.",
    epilog="example:\n  telex formats --json",
    place=LISTED[0],
    options=Options,
    arguments=arguments,
    run=run,
)

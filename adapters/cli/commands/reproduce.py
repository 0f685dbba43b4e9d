"""``telex reproduce``: a paper's table, its numbers beside ours."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import OutputOptions
from telex.adapters.cli.parser import add_overwrite_option, add_result_options
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
names:
{names}

DIR is the folder of the collections, with reuters21578 or rcv1 in it, or the collection itself.

examples:
  telex reproduce mpboost-table2 --data collections
  telex reproduce hm3-curve --data collections --picture curve.svg"""


@dataclass(frozen=True, kw_only=True)
class ReproduceOptions(OutputOptions):
    """The options of ``telex reproduce``."""

    name: str | None = None
    data: str | None = None
    picture: str | None = None


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the table or figure, by its name below")
    option = parser.add_argument_group("what is read, and what is drawn").add_argument
    option("--data", metavar="DIR", help="the folder of the collections")
    option("--picture", metavar="FILE", help="draw the figure to an .svg, .png or .pdf too (hm3-curve; extra plots)")
    add_overwrite_option(option)
    add_result_options(parser)


def epilog() -> str:
    """Return the names of all reproductions, and an example."""
    from telex.adapters.reproductions import titles

    return _EXAMPLE.format(names="\n".join(f"  {name:16} {title}" for name, title in titles().items()))


def run(options: ReproduceOptions) -> int:
    """Make the table again, show it, and return the exit code."""
    from telex.adapters.reproductions import Drawn, names, reproduction

    if options.name is None:
        raise UsageError(f"name a table, one of {', '.join(names())}; try `telex reproduce --help`")
    table = reproduction(options.name)
    if options.data is None:
        raise UsageError("say where the collections are with --data DIR; try `telex reproduce --help`")
    drawn = table if options.picture is not None and isinstance(table, Drawn) else None
    if options.picture is not None:
        if drawn is None:
            raise UsageError(f"{options.name} has no picture; leave out --picture, or reproduce hm3-curve")
        _check_picture(options.picture, options)
    began = time.monotonic()

    def say(what: str) -> None:
        print(f"{time.monotonic() - began:6.1f} s  {what}", file=sys.stderr, flush=True)

    found = table.reproduce(options.data, say)
    if drawn is not None and options.picture is not None:
        say(f"drawing {drawn.picture(found, options.picture, overwrite=options.overwrite)}")
    say("done")
    print(json.dumps(found) if options.json else "\n".join(table.lines(found)))
    return 0


def _check_picture(path: str, options: ReproduceOptions) -> None:
    """Refuse, before the minutes that a figure takes, a picture that could not be written."""
    from telex.adapters.cli.outputs import refuse_inputs
    from telex.adapters.plots import check_picture, check_pictures

    refuse_inputs(path, [options.config, options.data])
    check_picture(path, overwrite=options.overwrite)
    check_pictures()


LISTED = (90, "make a paper's table again, and show its numbers beside ours")
COMMAND = Command(
    name="reproduce",
    help=LISTED[1],
    description="Make a table or figure of a paper again, on the collection it is about; show its settings, our "
    "figures, the paper's beside them, and what holds.",
    epilog=epilog,
    place=LISTED[0],
    options=ReproduceOptions,
    arguments=arguments,
    run=run,
)

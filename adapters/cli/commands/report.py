"""``telex report``: makes a page of runs."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import OutputOptions, ShownOptions
from telex.adapters.cli.parser import add_overwrite_option, add_shown_options
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_NAME = "report.html"
_EXAMPLE = """\
The file is complete: opening it fetches nothing. A run that is still going is shown as far as it has come.

examples:
  telex report first
  telex report monday tuesday -o week.html
  telex report first --picture iserr.svg --loss iserr_window"""


@dataclass(frozen=True, kw_only=True)
class ReportOptions(OutputOptions, ShownOptions):
    """The options of ``telex report``."""

    folders: tuple[str, ...] = ()
    out: str | None = None
    picture: str | None = None
    loss: str | None = None


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    parser.add_argument("folders", nargs="*", metavar="DIR", help="folders of runs or of cross-validations")
    option = parser.add_argument_group("what is made").add_argument
    option("-o", "--out", metavar="FILE", help="the file to write (report.html in the folder; for several runs, here)")
    option("--picture", metavar="FILE", help="draw one loss to an .svg, .png or .pdf instead (extra plots)")
    option("--loss", metavar="NAME", help="the loss of the picture, such as iserr or micro_f1_window (iserr)")
    add_shown_options(option)
    add_overwrite_option(option)
    option("--json", action="store_true", help="print the page's data as one JSON object instead")


def run(options: ReportOptions) -> int:
    """Write the page or the picture, say where it is, and return the exit code."""
    from telex.adapters.cli.outputs import files_in, refuse_inputs
    from telex.adapters.plots import picture
    from telex.adapters.report import report, report_data, shown_by

    folders = options.folders
    if not folders:
        raise UsageError("name the folder of a run, or several; try `telex report --help`")
    if options.json:
        print(json.dumps(report_data(folders, options.shown)))
        return 0
    if options.picture is not None:
        if options.out is not None:
            raise UsageError("--picture draws a picture instead of the page that -o names; leave one of the two out")
        refuse_inputs(options.picture, [options.config, *files_in(folders)])
        made = picture(
            folders,
            options.picture,
            options.loss or options.headline or shown_by(folders[0]).headline or "iserr",
            overwrite=options.overwrite,
        )
    elif options.loss is not None:
        raise UsageError("--loss chooses the loss of a picture; name the file with --picture, or leave --loss out")
    else:
        out = options.out or (Path(folders[0]) / _NAME if len(folders) == 1 else _NAME)
        refuse_inputs(out, [options.config, *files_in(folders)])
        made = report(folders, out, overwrite=options.overwrite, shown=options.shown)
    print(f"{made} ({made.stat().st_size / 1e6:.1f} MB)", file=sys.stderr)
    return 0


LISTED = (80, "make a page of runs: curves, tables, what happened")
COMMAND = Command(
    name="report",
    help=LISTED[1],
    description="Make one HTML file of the folders of runs: learning curves, results of labels, what happened.",
    epilog=_EXAMPLE,
    place=LISTED[0],
    options=ReportOptions,
    arguments=arguments,
    run=run,
)

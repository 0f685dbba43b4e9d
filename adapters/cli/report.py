"""``telex report``: runs as a page to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import argparse

    from telex.adapters.cli.options import Parser

_NAME = "report.html"
_EXAMPLE = """\
The file stands alone: nothing is fetched when it is opened. A run that is at work is shown as far as it has come.

examples:
  telex report first
  telex report monday tuesday -o week.html
  telex report first --picture iserr.svg --loss iserr_window"""


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "report",
        help="make a page of runs: curves, tables, what happened",
        description="Make one HTML file of the folders of runs: learning curves, results of labels, what happened.",
        epilog=_EXAMPLE,
    )
    option = parser.add_argument
    option("folders", nargs="*", metavar="DIR", help="the folder of a run or of a cross-validation, as many as wanted")
    option("-o", "--out", metavar="FILE", help="where the page goes (report.html in the folder; of several runs, here)")
    option("--picture", metavar="FILE", help="draw one loss to an .svg, .png or .pdf instead (extra plots)")
    option("--loss", metavar="NAME", help="the loss of the picture, such as iserr or micro_f1_window (iserr)")
    option("--json", action="store_true", help="print the page's data as one JSON object instead")
    parser.set_defaults(run_command=run)


def run(arguments: dict[str, Any]) -> int:
    """Write the page, and say where it is."""
    import json  # noqa: PLC0415
    import sys  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from telex.adapters.report import picture, report, report_data  # noqa: PLC0415
    from telex.learners.errors import UsageError  # noqa: PLC0415

    folders = arguments.get("folders") or []
    if not folders:
        raise UsageError("name the folder of a run, or several; try `telex report --help`")
    if arguments.get("json"):
        print(json.dumps(report_data(folders)))
        return 0
    if "picture" in arguments:
        made = picture(folders, arguments["picture"], arguments.get("loss", "iserr"))
    elif "loss" in arguments:
        raise UsageError("--loss is that of a picture; name its file with --picture, or leave it out")
    else:
        made = report(folders, arguments.get("out") or (Path(folders[0]) / _NAME if len(folders) == 1 else _NAME))
    print(f"{made} ({made.stat().st_size / 1e6:.1f} MB)", file=sys.stderr)
    return 0

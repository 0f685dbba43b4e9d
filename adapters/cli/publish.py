"""``telex publish``: an archive put out again, as the wire it once was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.cli.options import format_settings

if TYPE_CHECKING:
    import argparse

    from telex.adapters.cli.options import Parser

_EXAMPLE = """\
examples:
  telex publish reuters21578/ --out reuters.jsonl.gz
  telex publish synthetic:n=1000000,drift=0.2 --out - | telex replay -"""

_DEFAULTS: dict[str, Any] = {
    "format": None,
    "order": None,
    "out": None,
    "limit": None,
    "strict": False,
    "json": False,
}


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "publish",
        help="put documents of any format out as JSON lines",
        description="Read documents of any format and put them out, in the order of the stream.",
        epilog=_EXAMPLE,
    )
    parser.reads()
    option = parser.add_argument
    option(
        "--out", metavar="FILE.jsonl", help="the file to write (.gz, .xz, .zst are compressed), - for standard output"
    )
    option("--strict", action="store_true", help="stop at the first broken record, and write nothing")
    parser.runs(run, _DEFAULTS)


def run(options: dict[str, Any]) -> int:
    """Publish what ``options`` name, and return the exit code."""
    import json  # noqa: PLC0415
    import sys  # noqa: PLC0415

    from telex.adapters.jsonl_file import JsonLinesFile  # noqa: PLC0415
    from telex.adapters.publishing import Publishing  # noqa: PLC0415
    from telex.learners.errors import UsageError  # noqa: PLC0415

    if not options.get("paths"):
        raise UsageError("name a file of documents, or - for standard input; try `telex publish --help`")
    if options["out"] is None:
        raise UsageError("say where the documents go, such as --out wire.jsonl.gz")
    if options["json"] and options["out"] == "-":
        raise UsageError("--out - and --json both want standard output; give --out a file")
    archive = _archive(options)
    with JsonLinesFile(options["out"]) as target:
        publishing = Publishing(archive, target, limit=options["limit"], strict=options["strict"])
        summary = publishing.run()
    print(publishing.last_words(), file=sys.stderr)
    if options["json"]:
        print(json.dumps(summary))
    return 0


def _archive(options: dict[str, Any]) -> Any:
    from telex.adapters.formats import open_archive  # noqa: PLC0415
    from telex.stream.readahead import ReadAhead  # noqa: PLC0415

    name, settings = format_settings(options)
    archive: Any = open_archive(options["paths"], name, **settings)
    return ReadAhead(archive)

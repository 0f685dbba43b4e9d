"""``telex look``: what a file is, before anything is learnt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import DocumentOptions
from telex.adapters.cli.parser import add_document_options, add_result_options

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser


@dataclass(frozen=True, kw_only=True)
class LookOptions(DocumentOptions):
    """The options of ``telex look``."""


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    add_document_options(parser)
    add_result_options(parser)


LISTED = (15, "say what a file is, which field is what, and the command that replays it")
COMMAND = Command(
    name="look",
    help=LISTED[1],
    description="Read a sample of the documents, and say what is in it: the format, the encoding, the fields or "
    "columns, the labels, the first documents as they would be learnt, and the command that replays them.",
    epilog="examples:\n  telex look news.jsonl\n  telex look articles.json --format json:text=article.body --json",
    usage="telex look PATH... [OPTION ...]",
    options=LookOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.look:look",
    place=LISTED[0],
)

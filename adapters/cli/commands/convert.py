"""``telex convert``: writes documents as plain arrays, which replay fastest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import DocumentOptions, OutputOptions
from telex.adapters.cli.parser import (
    add_document_options,
    add_overwrite_option,
    add_result_options,
    add_scaling_option,
    add_skip_records_option,
    add_tree_option,
)

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
The curves of the file are those of the original, to the byte. Texts are stored as words: how they are cut (tokens,
stop, stem) is settled here, all other options of a replay are not. Broken records are shown and counted here, and left
out.

examples:
  telex convert lyrl2004_vectors.dat.gz rcv1.telex
  telex convert news.jsonl news.telex --text stem=german
  telex replay rcv1.telex --learner arow --learner mmp --epochs 5"""


@dataclass(frozen=True, kw_only=True)
class ConvertOptions(DocumentOptions, OutputOptions):
    """The options of ``telex convert``; the last of ``paths`` is the file to write."""

    text: str = ""
    features: Literal["unit", "standard", "maxabs", "none"] | None = None
    tree: str | None = None
    strict: bool = False
    skip_records: tuple[str, ...] = ()


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    add_document_options(parser)
    option = parser.add_argument_group("what the file says of itself").add_argument
    option(
        "--text",
        metavar="K=V,..",
        help="how texts become features, such as stem=german,weight=ltc; tokens, stop and stem are settled here, the "
        "rest is what replay does unless told otherwise",
    )
    add_scaling_option(option)
    add_tree_option(option)
    option = parser.add_argument_group("what is written").add_argument
    option("--strict", action="store_true", help="stop at the first broken record, and write nothing")
    add_skip_records_option(option)
    add_overwrite_option(option)
    add_result_options(parser)


LISTED = (45, "write documents as plain arrays, which replay fastest")
COMMAND = Command(
    name="convert",
    help=LISTED[1],
    description="Write documents of any format as plain arrays with checksums, for epochs, sweeps and trials.",
    epilog=_EXAMPLE,
    usage="telex convert PATH... OUT.telex [OPTION ...]",
    options=ConvertOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.convert:convert",
    place=LISTED[0],
)

"""``telex publish``: writes an archive as JSON lines, or to Kafka as a live wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.command import Command
from telex.adapters.cli.options import DocumentOptions, OutputOptions
from telex.adapters.cli.parser import (
    add_compression_option,
    add_document_options,
    add_kafka_options,
    add_overwrite_option,
    add_result_options,
    at_least,
    positive,
)

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = """\
examples:
  telex publish reuters21578/ --out reuters.jsonl.gz
  telex publish synthetic:n=2000,drift=0.2 --out - | telex replay -
  telex publish reuters21578/ --brokers localhost:9092 --topic news --create-topics 3 --labels-topic answers \
    --label-delay 2h --speed 3600
  telex publish rss:https://example.org/news.xml --brokers localhost:9092 --topic news --resume"""


@dataclass(frozen=True, kw_only=True)
class PublishOptions(DocumentOptions, OutputOptions):
    """The options of ``telex publish``; ``kafka`` is the section of that name in the file of ``--config``."""

    out: str | None = None
    brokers: str | None = None
    kafka: dict[str, Any] | None = None
    topic: str | None = None
    labels_topic: str | None = None
    label_delay: str | None = None
    name: str | None = None
    create_topics: int | None = None
    compression: str | None = None
    resume: bool = False
    rate: float | None = None
    speed: float | None = None
    strict: bool = False


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    add_document_options(parser)
    option = parser.add_argument_group("where they go, and how fast").add_argument
    option(
        "--out", metavar="FILE.jsonl", help="the file to write (.gz, .xz, .zst are compressed), - for standard output"
    )
    add_overwrite_option(option)
    option("--rate", type=positive, metavar="N", help="documents a second (as fast as possible)")
    option(
        "--speed",
        type=positive,
        metavar="X",
        help="X times as fast as the documents originally came; 1 is their own pace (as fast as possible)",
    )
    option("--strict", action="store_true", help="stop at the first broken record; a file is not written then")
    option = add_kafka_options(parser)
    option("--topic", metavar="T", help="the topic for the documents, each written exactly once; needs --brokers")
    option("--labels-topic", metavar="T2", help="a topic for the labels, which the documents then leave out")
    option(
        "--label-delay",
        metavar="N|DURATION",
        help="labels come this many documents or this much event time later (at once); exp:2h is 2h on average",
    )
    option("--name", metavar="NAME", help="the publisher's name, used by one process at a time (the topic's name)")
    option("--resume", action="store_true", help="continue where the publisher of this name stopped")
    option(
        "--create-topics",
        type=at_least(1),
        metavar="N",
        help="create missing topics, with N partitions and retention.ms=-1",
    )
    add_compression_option(option)
    add_result_options(parser)


LISTED = (40, "write documents of any format as JSON lines, or to Kafka")
COMMAND = Command(
    name="publish",
    help=LISTED[1],
    description="Read documents of any format and write them in the order of the stream; rss:URL follows a "
    "feed forever.",
    epilog=_EXAMPLE,
    usage="telex publish PATH... --out FILE.jsonl [OPTION ...]\n"
    "       telex publish PATH... --brokers HOST:PORT --topic T [OPTION ...]",
    options=PublishOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.publish:publish",
    place=LISTED[0],
)

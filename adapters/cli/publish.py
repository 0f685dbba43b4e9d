"""``telex publish``: an archive put out again, as the wire it once was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.cli.options import at_least, format_settings, positive

if TYPE_CHECKING:
    import argparse

    from telex.adapters.cli.options import Parser
    from telex.adapters.publishing import Publishing
    from telex.stream.source import Archive

_EXAMPLE = """\
examples:
  telex publish reuters21578/ --out reuters.jsonl.gz
  telex publish synthetic:n=2000,drift=0.2 --out - | telex replay -
  telex publish reuters21578/ --brokers localhost:9092 --topic news --create-topics 3 --labels-topic answers \
    --label-delay 2h --speed 3600
  telex publish rss:https://example.org/news.xml --brokers localhost:9092 --topic news --resume"""

_DEFAULTS: dict[str, Any] = {
    "format": None,
    "order": None,
    "out": None,
    "brokers": None,
    "kafka": None,
    "topic": None,
    "labels_topic": None,
    "label_delay": None,
    "name": None,
    "create_topics": None,
    "resume": False,
    "limit": None,
    "rate": None,
    "speed": None,
    "strict": False,
    "json": False,
}
_OF_TOPICS = ("brokers", "labels_topic", "label_delay", "name", "create_topics", "resume")
_FEED = "rss:"


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "publish",
        help="put documents of any format out as JSON lines, or into Kafka",
        description="Read documents of any format and put them out, in the order of the stream; rss:URL is a feed that "
        "is followed for ever.",
        epilog=_EXAMPLE,
        usage="telex publish PATH... --out FILE.jsonl [OPTION ...]\n"
        "       telex publish PATH... --brokers HOST:PORT --topic T [OPTION ...]",
    )
    parser.reads()
    option = parser.add_argument_group("where they go, and how fast").add_argument
    option(
        "--out", metavar="FILE.jsonl", help="the file to write (.gz, .xz, .zst are compressed), - for standard output"
    )
    option("--rate", type=positive, metavar="N", help="documents a second (as fast as it goes)")
    option(
        "--speed",
        type=positive,
        metavar="X",
        help="X times as fast as the documents once came; 1 is as it was (as fast as it goes)",
    )
    option("--strict", action="store_true", help="stop at the first broken record; a file is not written then")
    option = parser.connects()
    option("--topic", metavar="T", help="the topic for the documents, each of which is in it once; with --brokers")
    option("--labels-topic", metavar="T2", help="a topic for the labels, which the documents are then without")
    option(
        "--label-delay",
        metavar="N|DURATION",
        help="labels come so many documents or so much event time later (at once); exp:2h,seed=0 is about so much",
    )
    option("--name", metavar="NAME", help="the publisher, of which there is one at a time (that of the topic)")
    option("--resume", action="store_true", help="go on behind what the publisher of this name has published")
    option(
        "--create-topics",
        type=at_least(1),
        metavar="N",
        help="make topics that are missing, with N partitions and retention.ms=-1",
    )
    parser.runs(run, _DEFAULTS)


def run(options: dict[str, Any]) -> int:
    """Publish what ``options`` name, and return the exit code."""
    import json  # noqa: PLC0415
    import sys  # noqa: PLC0415

    _check(options)
    publishing, code = _to_file(options) if options["topic"] is None else _to_topic(options)
    print(publishing.last_words(), file=sys.stderr)
    if options["json"]:
        print(json.dumps(publishing.summary()))
    return code


def _check(options: dict[str, Any]) -> None:
    from telex.learners.errors import UsageError  # noqa: PLC0415

    if not options.get("paths"):
        raise UsageError("name a file of documents, or - for standard input; try `telex publish --help`")
    if options["topic"] is None:
        without = next((name for name in _OF_TOPICS if options[name]), None)
        if without:
            raise UsageError(f"--{without.replace('_', '-')} is about topics; name one with --topic")
        if options["out"] is None:
            raise UsageError(
                "say where the documents go, such as --out wire.jsonl.gz, or --brokers localhost:9092 --topic news"
            )
    elif options["out"] is not None:
        raise UsageError("--out and --topic are two places; give one of the two")
    elif options["brokers"] is None:
        raise UsageError("say where the topic is, such as --brokers localhost:9092")
    if options["label_delay"] is not None and options["labels_topic"] is None:
        raise UsageError("--label-delay is for labels that come by themselves; say where with --labels-topic")
    if options["rate"] is not None and options["speed"] is not None:
        raise UsageError("--rate and --speed are two measures; give one of the two")
    if options["json"] and options["out"] == "-":
        raise UsageError("--out - and --json both want standard output; give --out a file")


def _to_file(options: dict[str, Any]) -> tuple[Publishing, int]:
    from telex.adapters.jsonl_file import JsonLinesFile  # noqa: PLC0415

    archive = _archive(options)
    with JsonLinesFile(options["out"]) as target:
        publishing = _publishing(options, archive, target)
        publishing.run()
    return publishing, 0


def _to_topic(options: dict[str, Any]) -> tuple[Publishing, int]:
    import signal  # noqa: PLC0415

    from telex.adapters.cli.signals import stopping  # noqa: PLC0415
    from telex.adapters.kafka.behind import Behind  # noqa: PLC0415
    from telex.adapters.kafka.connection import Brokers  # noqa: PLC0415
    from telex.adapters.kafka.delays import AT_ONCE, Delay  # noqa: PLC0415
    from telex.adapters.kafka.outlet import Outlet  # noqa: PLC0415
    from telex.adapters.kafka.producing import Publisher  # noqa: PLC0415

    delay = AT_ONCE if options["label_delay"] is None else Delay.of(options["label_delay"])
    brokers = Brokers.of(options["brokers"], options["kafka"])
    archive = _archive(options)
    outlet = Outlet(
        options["topic"],
        options["labels_topic"],
        delay,
        options["name"],
        options["create_topics"],
        options["resume"],
        archive.live,
    )
    with Publisher(brokers, outlet) as wire:
        left = None if options["limit"] is None else max(options["limit"] - wire.documents, 0)
        publishing = _publishing({**options, "limit": left}, Behind(archive, wire), wire)
        with stopping(publishing) as signals:
            publishing.run()
    return publishing, 130 if signals[:1] == [signal.SIGINT] else 0


def _publishing(options: dict[str, Any], archive: Archive, target: Any) -> Publishing:
    from telex.adapters.pace import Pace  # noqa: PLC0415
    from telex.adapters.publishing import Publishing  # noqa: PLC0415

    rate, speed = options["rate"], options["speed"]
    pace = None if rate is None and speed is None else Pace(rate=rate, speed=speed)
    return Publishing(archive, target, limit=options["limit"], strict=options["strict"], pace=pace)


def _archive(options: dict[str, Any]) -> Archive:
    from telex.adapters.formats import open_archive  # noqa: PLC0415
    from telex.adapters.publishing import Awaited  # noqa: PLC0415

    name, settings = format_settings(options)
    paths = [path.removeprefix(_FEED) for path in options["paths"]]
    if paths != options["paths"]:
        name = name or "rss"
        settings.setdefault("polls", 0)
    return Awaited(open_archive(paths, name, **settings))

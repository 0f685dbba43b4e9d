"""``telex consume``: topics of Kafka, followed by one learner."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.cli.options import at_least
from telex.adapters.cli.running import LEARNERS, RUN_DEFAULTS, add_run_options, carried_out

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from telex.adapters.cli.made import Opened
    from telex.adapters.cli.options import Parser
    from telex.adapters.kafka.connection import Brokers
    from telex.adapters.kafka.put_back import PutBack
    from telex.adapters.kafka.settings import Wanted
    from telex.adapters.kafka.wire import TopicWire
    from telex.stream import Sink

_EXAMPLE = f"""\
{LEARNERS}

examples:
  telex consume --brokers localhost:9092 --topic news --until-end --learner mmp
  telex consume --brokers localhost:9092 --topic news --labels-topic answers --out-topic predictions \
    --dead-letter-topic broken --run wire --checkpoint-every 30s --metrics 127.0.0.1:9464
  telex consume --run wire --resume"""
ORDER = "order.bin"
_LABELS_AFTER = "N|DURATION answers come N documents or so much event time after their documents"
_DEFAULTS: dict[str, Any] = {
    **RUN_DEFAULTS,
    "paths": [],
    "brokers": None,
    "kafka": None,
    "topic": (),
    "labels_topic": None,
    "out_topic": None,
    "dead_letter_topic": None,
    "group": None,
    "from": "earliest",
    "until_end": False,
    "max_idle": "0s",
    "on_gap": "fail",
    "exactly_once": False,
    "order_of": None,
}


def add(commands: argparse._SubParsersAction[Parser]) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "consume",
        help="follow topics of Kafka, and predict, score and learn their documents one by one",
        description="Follow topics of Kafka as one learner that takes all their partitions; predict each document, "
        "score the prediction when the answer is there, then learn it.",
        epilog=_EXAMPLE,
        usage="telex consume --brokers HOST:PORT --topic T [OPTION ...]\n       telex consume --run DIR --resume",
    )
    option = parser.connects()
    option("--topic", action="append", metavar="T", help="a topic of documents, as often as wanted")
    option("--labels-topic", metavar="T2", help="the topic of answers by id: {id, labels}")
    option("--out-topic", metavar="T3", help="a topic that gets the predictions made at arrival, keyed by id")
    option("--dead-letter-topic", metavar="T4", help="a topic that gets what cannot be decoded, untouched")
    option("--group", metavar="G", help="the consumer group (the name of the run folder)")
    option("--from", metavar="WHERE", help="where a run begins: earliest, latest, or a time (earliest)")
    option("--until-end", action="store_true", help="stop at the ends that the partitions have now")
    option("--limit", type=at_least(1), metavar="N", help="stop after N documents (none)")
    option(
        "--max-idle",
        metavar="DURATION",
        help="how long to wait for a partition that is at its end, so that what comes late still comes in order (0s)",
    )
    option(
        "--on-gap", choices=("fail", "skip"), help="what to do when the topic has removed what is to come next (fail)"
    )
    option(
        "--exactly-once",
        action="store_true",
        help="what is put into topics is there once, whatever happens; it comes with the checkpoints, every 10s "
        "where --checkpoint-every does not say",
    )
    option(
        "--order-of", metavar="DIR", help="take the records in the order in which the run in DIR took them, up to there"
    )
    option("--format", choices=("jsonl", "newsml"), help="what the documents are (jsonl)")
    add_run_options(parser, _LABELS_AFTER)
    parser.runs(run, _DEFAULTS)


def run(options: dict[str, Any]) -> int:
    """Consume what ``options`` name, and return the exit code."""
    if options["exactly_once"] and "checkpoint_every" not in options["given"]:
        options["checkpoint_every"] = "10s"
    return carried_out(options, _check, _opened)


def _check(options: dict[str, Any]) -> None:
    from telex.learners.errors import UsageError  # noqa: PLC0415
    from telex.stream.span import is_span  # noqa: PLC0415

    if not options["topic"]:
        raise UsageError("name a topic of documents, such as --topic news; try `telex consume --help`")
    if not options["brokers"]:
        raise UsageError("say where the topic is, such as --brokers localhost:9092")
    names = [*options["topic"], *(options[name] for name in ("labels_topic", "out_topic", "dead_letter_topic"))]
    named = [name for name in names if name]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice:
        raise UsageError(
            f"the topic {twice} is named twice; documents, answers, predictions and letters need their own"
        )
    if options["exactly_once"] and not (options["out_topic"] or options["dead_letter_topic"]):
        raise UsageError("--exactly-once is about what is put into topics; name one with --out-topic")
    if options["labels_after"] is not None and not is_span(options["labels_after"]):
        raise UsageError("--labels-after is a number of documents or a time here; answers by id are read from a topic "
                         "(--labels-topic)")  # fmt: skip
    if options["labels_after"] is not None and options["labels_topic"]:
        raise UsageError(
            "--labels-after is for labels that documents bring, --labels-topic for those that come alone; give one"
        )
    if options["order_of"] and options["until_end"]:
        raise UsageError("--order-of ends where that run ended; leave out --until-end")


def _opened(options: dict[str, Any], say: Callable[[str], None]) -> Opened:
    import os  # noqa: PLC0415
    from pathlib import Path  # noqa: PLC0415

    from telex.adapters.cli.made import Opened  # noqa: PLC0415
    from telex.adapters.kafka.connection import Brokers  # noqa: PLC0415
    from telex.adapters.kafka.opening import Committing, open_wire, source_of  # noqa: PLC0415
    from telex.adapters.kafka.order_file import Order, OrderFile  # noqa: PLC0415
    from telex.adapters.kafka.settings import Wanted  # noqa: PLC0415
    from telex.stream.span import seconds  # noqa: PLC0415

    folder, labels = options["run"], options["labels_topic"]
    # A run is known by its folder; without one nobody comes back to it.
    member = Path(folder).resolve().name if folder else f"telex-{os.getpid()}"
    brokers = Brokers.of(options["brokers"], options["kafka"])
    topics = (*options["topic"], *([labels] if labels else []))
    group = options["group"] or member
    wanted = Wanted(topics, group, member, start=_start(options["from"]), on_gap=options["on_gap"])
    idle = 0.0 if options["max_idle"] in {"0", "0s"} else seconds("max-idle", options["max_idle"])
    order = OrderFile(Path(folder) / ORDER, topics) if folder else None
    wire = open_wire(
        brokers,
        wanted,
        labels,
        options["format"] or "jsonl",
        until_end=options["until_end"],
        max_idle=idle,
        order=order,
        order_of=Order(Path(options["order_of"]) / ORDER) if options["order_of"] else None,
        say=say,
    )
    wire.title = ", ".join(topics)
    sinks: list[Sink] = [order] if order else []
    if options["out_topic"] or options["dead_letter_topic"]:
        sinks.append(_put_back(options, brokers, wanted, wire, say))
    sinks.append(Committing(wire, commits=not options["exactly_once"]))
    return Opened(source_of(wire, options["text"], options["duplicates"]), tuple(sinks))


def _put_back(
    options: dict[str, Any], brokers: Brokers, wanted: Wanted, wire: TopicWire, say: Callable[[str], None]
) -> PutBack:
    from telex.adapters.kafka.at_least_once import AtLeastOnce  # noqa: PLC0415
    from telex.adapters.kafka.exactly_once import ExactlyOnce  # noqa: PLC0415
    from telex.adapters.kafka.put_back import PutBack  # noqa: PLC0415

    once = options["exactly_once"]
    name = f"{wanted.group}-{wanted.member}"
    puts = ExactlyOnce(brokers, wanted.group, name, wanted.topics) if once else AtLeastOnce(brokers)
    out = options["out_topic"]
    return PutBack(
        puts,
        wire.follow() if out else None,
        out_topic=out,
        dead_letter_topic=options["dead_letter_topic"],
        top=options["top"],
        say=say,
    )


def _start(given: str) -> str | int:
    """Return where a run begins, a time in milliseconds."""
    from telex.adapters.formats.times import of_cell  # noqa: PLC0415
    from telex.adapters.kafka.settings import STARTS  # noqa: PLC0415
    from telex.learners.errors import BrokenRecordError, UsageError  # noqa: PLC0415

    if given in STARTS:
        return given
    try:
        return int(1000 * of_cell(given))
    except (BrokenRecordError, ValueError) as error:
        raise UsageError(f"--from {given} is neither earliest nor latest, nor a time; try 1996-08-20") from error

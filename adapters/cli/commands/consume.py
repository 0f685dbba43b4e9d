"""``telex consume``: follows topics of Kafka as one consumer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from telex.adapters.cli.command import Command
from telex.adapters.cli.parser import (
    add_budget_option,
    add_compression_option,
    add_follow_options,
    add_kafka_options,
    add_result_options,
    at_least,
)
from telex.adapters.cli.run_options import LEARNERS, RunOptions, add_run_options
from telex.learners.base import seconds

if TYPE_CHECKING:
    from telex.adapters.cli.parser import Parser

_EXAMPLE = f"""\
{LEARNERS}

examples:
  telex consume --brokers localhost:9092 --topic news --look 20
  telex consume --brokers localhost:9092 --topic news --until-end --learner mmp
  telex consume --brokers localhost:9092 --topic news --labels-topic answers --out-topic predictions \
    --dead-letter-topic broken --checkpoint-every 30s --metrics 127.0.0.1:9464 --run wire --resume
  telex consume --brokers localhost:9092 --topic news --out-topic labelled --run wire --predict-only"""
_LABELS_AFTER = "N|DURATION answers come N documents, or this much event time, after their documents"


@dataclass(frozen=True, kw_only=True)
class ConsumeOptions(RunOptions):
    """The options of ``telex consume``; ``kafka`` is the section of that name in the file of ``--config``."""

    NEEDS: ClassVar[dict[str, tuple[str, ...]]] = {
        **RunOptions.NEEDS,
        "exactly_once": ("run",),
        "follow_every": ("predict_only",),
        "create_topics": ("out_topic", "dead_letter_topic"),
        "headers": ("out_topic",),
        "compression": ("out_topic", "dead_letter_topic"),
        "cache": ("predict_only",),
    }
    MAY_CHANGE: ClassVar[frozenset[str]] = RunOptions.MAY_CHANGE | {
        *("brokers", "kafka", "max_idle", "on_gap", "wait_for_broker", "format", "give_up_after", "look", "registry"),
        "create_topics",
        "headers",
        "compression",
    }
    OUTWARD: ClassVar[frozenset[str]] = RunOptions.OUTWARD | {
        "registry",
        "brokers",
        "kafka",
        "group",
        "out_topic",
        "dead_letter_topic",
    }

    brokers: str | None = None
    kafka: dict[str, Any] | None = None
    topic: tuple[str, ...] = ()
    labels_topic: str | None = None
    out_topic: str | None = None
    dead_letter_topic: str | None = None
    headers: str | None = None
    group: str | None = None
    from_: str = "earliest"
    until_end: bool = False
    max_idle: str = "0s"
    on_gap: Literal["fail", "skip"] = "fail"
    wait_for_broker: str = "30s"
    exactly_once: bool = False
    revised: Literal["replace", "predict", "skip"] = "replace"
    order_of: str | None = None
    predict_only: bool = False
    follow_every: str | None = None
    cache: str | None = None
    registry: str | None = None
    look: int | None = None
    give_up_after: int = 1000
    create_topics: int | None = None
    compression: str | None = None

    @property
    def labels_by_id(self) -> bool:
        """Whether labels come in a topic of their own."""
        return bool(self.labels_topic)

    @property
    def connecting(self) -> float:
        """For how many seconds the first answer of a broker is waited for."""
        wait = self.wait_for_broker
        return math.inf if wait == "forever" else seconds("wait-for-broker", wait)


def arguments(parser: Parser) -> None:
    """Add the arguments."""
    option = add_kafka_options(parser)
    option(
        "--topic",
        action="append",
        metavar="T",
        help="a topic of documents, or a pattern such as 'news-.*', which later topics may match too; may be repeated",
    )
    option("--labels-topic", metavar="T2", help="the topic of answers by id: {id, labels}")
    option("--out-topic", metavar="T3", help="a topic for the predictions made at arrival, keyed by id")
    option("--dead-letter-topic", metavar="T4", help="a topic for the records that cannot be decoded, unchanged")
    option(
        "--create-topics",
        type=at_least(1),
        metavar="N",
        help="create the topics of results that are missing, with N partitions and retention.ms=-1",
    )
    option(
        "--headers",
        metavar="NAME,..",
        help="headers of documents that their predictions get too, beside traceparent and tracestate (none)",
    )
    add_compression_option(option)
    option("--group", metavar="G", help="the consumer group (the name of the run folder)")
    option("--from", metavar="WHERE", help="where a run begins: earliest, latest, or a time (earliest)")
    option("--until-end", action="store_true", help="stop at the ends that the partitions have now")
    option("--limit", type=at_least(1), metavar="N", help="stop after N documents (none)")
    option(
        "--max-idle",
        metavar="DURATION",
        help="how long to wait for a partition that is at its end, so that late records still come in order (0s)",
    )
    option("--on-gap", choices=("fail", "skip"), help="what to do when the topic no longer has the next record (fail)")
    option(
        "--revised",
        choices=("replace", "predict", "skip"),
        help="what becomes of a newer version of a document under its id: it takes the place of the one that waits for "
        "its answer, is only predicted, or is set aside with the dead letters (replace)",
    )
    option(
        "--wait-for-broker",
        metavar="DURATION|forever",
        help="how long a broker that does not answer at the begin is tried again, with growing pauses (30s)",
    )
    option(
        "--exactly-once",
        action="store_true",
        help="write each result to its topic exactly once, whatever happens; results come with checkpoints, every 10s "
        "unless --checkpoint-every is given (with --predict-only: with each poll)",
    )
    option(
        "--order-of",
        metavar="DIR",
        help="take the records in the order in which the run in DIR took them, and end there",
    )
    option(
        "--predict-only",
        action="store_true",
        help="learn nothing: predict by the newest checkpoint of --run, which another process learns, as one of any "
        "number of members of --group; predictions are in --out-topic at least once, with --exactly-once exactly once",
    )
    add_follow_options(option, "--predict-only")
    option(
        "--format",
        metavar="F",
        help="what the documents are, as in jsonl:text=article.body,id=key,time=meta.ts,labels=tags[].code; key and "
        "headers.NAME are the record's own (found by the first records)",
    )
    option(
        "--registry",
        metavar="URL",
        help="the schema registry of records in Avro, JSON Schema or Protobuf; TELEX_REGISTRY_AUTH=user:password, "
        "SSL_CERT_FILE",
    )
    option(
        "--look",
        type=at_least(1),
        metavar="N",
        help="show what the first N records would become; learn nothing, commit nothing",
    )
    option(
        "--give-up-after",
        type=at_least(0),
        metavar="N",
        help="stop if the first N records are all dead letters; 0 goes on whatever comes (1000)",
    )
    add_budget_option(option)
    add_run_options(parser, _LABELS_AFTER)
    add_result_options(parser)


LISTED = (30, "follow topics of Kafka, and predict, score and learn their documents one by one")
COMMAND = Command(
    name="consume",
    help=LISTED[1],
    description="Follow all partitions of topics of Kafka as one consumer; predict each document, "
    "score the prediction when the answer comes, then learn it.",
    epilog=_EXAMPLE,
    usage="telex consume --brokers HOST:PORT --topic T [OPTION ...]\n"
    "       telex consume --brokers HOST:PORT --run DIR --resume\n"
    "       telex consume --predict-only --run DIR|URL --topic T --out-topic T3",
    options=ConsumeOptions,
    arguments=arguments,
    run="telex.adapters.cli.actions.consume:consume",
    place=LISTED[0],
)

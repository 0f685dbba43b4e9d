"""Predicts the documents of topics by what another process learns, as one of a group."""

from __future__ import annotations

import json
import os
import signal
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from telex.adapters.cli.followed_run import follow_run, say, serve_reader_metrics
from telex.adapters.cli.signals import StopNote, stop_at_signals
from telex.adapters.kafka import Brokers, GroupReader, RegisteredValues
from telex.adapters.kafka.consume import RecordFormat
from telex.adapters.kafka.fetch import ATTEMPT, STARTS, FetchSettings
from telex.adapters.kafka.produce import AtLeastOnce, GroupTransactions, carried_names
from telex.adapters.prometheus import ReaderMetrics
from telex.learners.base import UsageError
from telex.stream.checkpoints import RUN_JSON
from telex.stream.sources import RecordBudget
from telex.stream.text_files import read_json

if TYPE_CHECKING:
    from telex.adapters.cli.commands.consume import ConsumeOptions

_APPLY = frozenset(
    {
        "predict_only",
        "brokers",
        "kafka",
        "topic",
        "out_topic",
        "dead_letter_topic",
        "headers",
        "group",
        "from_",
        "from",
        "limit",
    }
    | {
        "format",
        "registry",
        "budget",
        "run",
        "learner",
        "top",
        "metrics",
        "json",
        "config",
        "follow_every",
        "cache",
        "exactly_once",
        "wait_for_broker",
        "create_topics",
        "compression",
    }
)


def predict_only(options: ConsumeOptions) -> int:
    """Predict until a signal, and return the exit code."""
    group = _check(options)
    metrics, note, begun = ReaderMetrics(), StopNote(), time.monotonic()
    learner = options.learner[0] if options.learner else None
    connecting = options.connecting
    brokers = Brokers.of(options.brokers or "", options.kafka, min(ATTEMPT, connecting), options.compression)
    settings = FetchSettings(
        options.topic,
        group,
        f"{group}-{os.getpid()}",
        start=options.from_,
        connecting=connecting,
        never=tuple(filter(None, (options.out_topic, options.dead_letter_topic))),
    )
    made = options.create_topics
    with ExitStack() as closed, stop_at_signals(note) as signals:
        followed = follow_run(options, learner, metrics)
        closed.callback(followed.close)
        reader = GroupReader(
            brokers,
            settings,
            followed,
            GroupTransactions(brokers, group, create=made)
            if options.exactly_once
            else AtLeastOnce(brokers, create=made),
            out_topic=options.out_topic or "",
            dead_letter_topic=options.dead_letter_topic,
            format=_format(options),
            values=RegisteredValues.of(options.registry),
            budget=RecordBudget.of(options.budget or ""),
            top=options.top,
            carried=carried_names(options.headers),
            run=_run_id(options),
            predicted=metrics.predicted,
            say=say,
        )
        metrics.figures = reader.figures
        if options.metrics is not None:
            closed.enter_context(closing(serve_reader_metrics(options.metrics, metrics)))
        reader.run(lambda: note.stopped, options.limit)
        metrics.ending = True
    seconds = time.monotonic() - begun
    say(f"stopped after {reader.documents:,} documents")
    if options.json:
        print(json.dumps({"documents": reader.documents, "seconds": seconds, "dead_letters": reader.dead_letters}))
    return 130 if signal.SIGINT in signals else 0


def _check(options: ConsumeOptions) -> str:
    """Return the name of the group, after refusing options that do not go together."""
    other = next((name for name in sorted(options.given_names) if name not in _APPLY), None)
    if other is not None:
        raise UsageError(
            f"--{other.replace('_', '-')} is for a process that learns, and --predict-only only predicts; leave it out"
        )
    if not options.topic or not options.brokers or not options.out_topic or not options.run:
        raise UsageError(
            "--predict-only reads a topic and writes to another, by what a run learns; give --brokers, --topic, "
            "--out-topic and --run"
        )
    if {options.out_topic, options.dead_letter_topic} & {
        *options.topic
    } or options.out_topic == options.dead_letter_topic:
        raise UsageError("a topic is named twice; documents, predictions and dead letters need their own")
    if len(options.learner) > 1:
        raise UsageError("one learner predicts; name it with one --learner NAME, or leave it to the run's champion")
    if options.from_ not in STARTS:
        raise UsageError("--from is earliest or latest for a group of readers; where it has read, it continues")
    name = options.run.rstrip("/").rpartition("/")[2]
    group = options.group or f"{name}-readers"
    if group == _group_of_learner(options.run):
        raise UsageError(
            f"{group} is the group of the process that learns, which takes all partitions; name another with --group"
        )
    return group


def _format(options: ConsumeOptions) -> RecordFormat:
    """Return what the documents are: as it is given, else as the run found when it began."""
    if options.format:
        return RecordFormat.of(options.format)
    try:
        return RecordFormat.found(read_json(Path(options.run or "") / RUN_JSON)["detected"])
    except (OSError, ValueError, LookupError, TypeError, AttributeError, UsageError):
        return RecordFormat.of(None)


def _run_id(options: ConsumeOptions) -> str | None:
    """Return what the messages of the run itself name it by."""
    try:
        return str(read_json(Path(options.run or "") / RUN_JSON)["id"])
    except (OSError, ValueError, LookupError, TypeError):
        return None


def _group_of_learner(run: str) -> str | None:
    """Return the consumer group of the run, as far as its folder tells; at a URL it is not looked for."""
    try:
        found = read_json(Path(run) / RUN_JSON)["options"].get("group")
    except (OSError, ValueError, LookupError, AttributeError, TypeError):
        return None
    return str(found or Path(run).resolve().name)

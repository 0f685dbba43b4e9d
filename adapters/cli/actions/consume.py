"""Follows topics of Kafka, from the options to the exit code."""

from __future__ import annotations

import os
from contextlib import chdir
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from telex.adapters.cli.input_identity import check_inputs
from telex.adapters.cli.pipeline_table import print_explanation
from telex.adapters.cli.resume import start
from telex.adapters.cli.run_command import carry_out, make_learners, make_run, make_terminal, without_outputs
from telex.adapters.cli.unreadable_input import UnreadableInput
from telex.adapters.formats.reading import time_of_cell
from telex.adapters.kafka import Brokers, RegisteredValues
from telex.adapters.kafka.consume import Detected, OffsetCommits, Order, OrderFile, RecordFormat, open_wire, source_of
from telex.adapters.kafka.fetch import ATTEMPT, STARTS, FetchSettings
from telex.adapters.kafka.produce import AtLeastOnce, ExactlyOnce, ResultsSink, RunStamp, carried_names
from telex.learners._core import give_back
from telex.learners.base import BrokenRecordError, UsageError, is_span, seconds
from telex.stream.run_folder import ORDER_BIN
from telex.stream.sources import RecordBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from telex.adapters.cli.commands.consume import ConsumeOptions
    from telex.adapters.kafka.consume import TopicRecord, TopicWire
    from telex.stream import Sink, Source

_LOOK = (
    "; see with --look 20 what records become, say with --format what they are, or go on whatever comes with "
    "--give-up-after 0"
)


def consume(command_options: ConsumeOptions) -> int:
    """Follow the topics until the end or a signal, and return the exit code."""
    give_back()
    if command_options.predict_only:
        from telex.adapters.cli.actions.predict_only import predict_only

        return predict_only(command_options)
    if command_options.look is not None:
        from telex.adapters.cli.actions.look_at_topics import look_at_topics

        _check(command_options)
        brokers = Brokers.of(command_options.brokers or "", command_options.kafka)
        asked = RecordFormat.of(command_options.format)
        return look_at_topics(command_options, brokers, _start(command_options.from_), asked)
    if command_options.exactly_once and "checkpoint_every" not in command_options.given_names:
        command_options = replace(command_options, checkpoint_every="10s")
    begun = without_outputs(start(command_options)) if command_options.explain else start(command_options)
    stamp = RunStamp(begun.id)
    begun = replace(begun, id=stamp.run)
    options = begun.options
    _check(options)
    with chdir(begun.folder):
        learners = make_learners(options)
        shown = make_terminal(options)
        check_inputs(begun.files, begun.folder, shown.say, begun.broken)
        source, sinks = open_topics(options, shown.say, begun.detected, stamp)
        if options.give_up_after:
            sinks.append(UnreadableInput(options.give_up_after, _LOOK))
        run = make_run(begun, learners, source, sinks, shown)
        return print_explanation(run, command_options) if command_options.explain else carry_out(run, options)


def _check(options: ConsumeOptions) -> None:
    if not options.topic:
        raise UsageError("name a topic of documents, such as --topic news; try `telex consume --help`")
    if not options.brokers:
        raise UsageError("say where the topic is, such as --brokers localhost:9092")
    others = (options.labels_topic, options.out_topic, options.dead_letter_topic)
    named = [*options.topic, *(name for name in others if name)]
    twice = next((name for name in named if named.count(name) > 1), None)
    if twice:
        raise UsageError(
            f"the topic {twice} is named twice; documents, answers, predictions and letters need their own"
        )
    if options.exactly_once and not (options.out_topic or options.dead_letter_topic):
        raise UsageError("--exactly-once concerns results that go to topics; name one with --out-topic")
    if options.labels_after is not None and not is_span(options.labels_after):
        raise UsageError("--labels-after takes a number of documents or a time here; answers by id come from a topic "
                         "(--labels-topic)")  # fmt: skip
    if options.labels_after is not None and options.labels_topic:
        raise UsageError(
            "--labels-after is for labels inside the documents, --labels-topic for labels in their own topic; give one"
        )
    if options.order_of and options.until_end:
        raise UsageError("--order-of ends where that run ended; leave out --until-end")


def open_topics(
    options: ConsumeOptions,
    say: Callable[[str], None],
    detected: Mapping[str, Any] | None = None,
    stamp: RunStamp | None = None,
) -> tuple[Source, list[Sink]]:
    """Open the topics; return their source, and the sinks that belong to it.

    A run that resumes reads them by what was ``detected`` when it began, unless another format is given. Its messages
    have the ``stamp``.
    """
    known = None if "format" in options.given_names else detected
    asked = RecordFormat.found(known) if known else RecordFormat.of(options.format)
    folder, labels = options.run, options.labels_topic
    # The folder identifies a run; a run without one is never resumed.
    member = Path(folder).resolve().name if folder else f"telex-{os.getpid()}"
    connecting = options.connecting
    brokers = Brokers.of(options.brokers or "", options.kafka, min(ATTEMPT, connecting), options.compression)
    again = Order(Path(options.order_of) / ORDER_BIN) if options.order_of else None
    topics = again.topics if again else (*options.topic, *([labels] if labels else []))
    group = options.group or member
    wanted = FetchSettings(
        topics,
        group,
        member,
        start=_start(options.from_),
        on_gap=options.on_gap,
        connecting=connecting,
        never=tuple(filter(None, (options.out_topic, options.dead_letter_topic))),
    )
    idle = 0.0 if options.max_idle in {"0", "0s"} else seconds("max-idle", options.max_idle)
    order = OrderFile(Path(folder) / ORDER_BIN, topics, grows=wanted.names.pattern is not None) if folder else None
    values = RegisteredValues.of(options.registry)
    wire = open_wire(
        brokers,
        wanted,
        labels,
        asked,
        values,
        until_end=options.until_end,
        max_idle=idle,
        order=order,
        order_of=again,
        detect=None if known else _detection(options, asked, values, say),
        say=say,
    )
    wire.title, wire.revisions = ", ".join(topics), options.revised
    wire.budget, wire.skip_records = RecordBudget.of(options.budget or ""), frozenset(options.places_to_skip)
    sinks: list[Sink] = [order] if order else []
    if options.out_topic or options.dead_letter_topic:
        sinks.append(_results_sink(options, brokers, wanted, wire, stamp=stamp, say=say))
    sinks.append(OffsetCommits(wire, commits=not options.exactly_once))
    scaling = {"features": options.features or "none", "bias": options.bias}
    return source_of(wire, options.text, options.duplicates, **scaling), sinks


def _detection(
    options: ConsumeOptions, asked: RecordFormat, values: RegisteredValues | None, say: Callable[[str], None]
) -> Callable[[Sequence[TopicRecord]], RecordFormat | None]:
    """Return what finds the format of a sample of the documents, and says what it guesses."""

    def detect(sample: Sequence[TopicRecord]) -> RecordFormat | None:
        found = Detected.of(sample, asked if options.format else None, values, labelled=not options.labels_topic)
        if found is None:
            return None
        found.check(options.topic)
        for sentence in found.sentences(labelled=not options.labels_topic):
            say(sentence)
        return found.format

    return detect


def _results_sink(
    options: ConsumeOptions,
    brokers: Brokers,
    wanted: FetchSettings,
    wire: TopicWire,
    *,
    stamp: RunStamp | None,
    say: Callable[[str], None],
) -> ResultsSink:
    once = options.exactly_once
    name = f"{wanted.group}-{wanted.member}"
    made = options.create_topics
    delivery = (
        ExactlyOnce(brokers, wanted.group, name, wanted.names, create=made)
        if once
        else AtLeastOnce(brokers, create=made)
    )
    out = options.out_topic
    return ResultsSink(
        delivery,
        wire.follow(named=carried_names(options.headers)) if out else None,
        out_topic=out,
        dead_letter_topic=options.dead_letter_topic,
        top=options.top,
        stamp=stamp,
        connecting=wanted.connecting,
        say=say,
    )


def _start(where: str) -> str | int:
    """Return where a run begins: a word, or a time in milliseconds."""
    if where in STARTS:
        return where
    try:
        return int(1000 * time_of_cell(where))
    except (BrokenRecordError, ValueError) as error:
        raise UsageError(f"--from {where} is neither earliest nor latest, nor a time; try 1996-08-20") from error

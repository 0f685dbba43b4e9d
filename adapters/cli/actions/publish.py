"""Publishes an archive to a file or to topics of Kafka."""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.clear_commands import print_remarks
from telex.adapters.cli.outputs import document_paths, refuse_inputs
from telex.adapters.cli.signals import stop_at_signals
from telex.adapters.formats import open_archive
from telex.adapters.formats.jsonl import JsonLinesFile
from telex.adapters.publish import Awaited, Pace, Publishing
from telex.learners.base import UsageError
from telex.stream.sources import NO_LIMIT

if TYPE_CHECKING:
    from telex.adapters.cli.commands.publish import PublishOptions
    from telex.stream.sources import Archive

_OF_TOPICS = ("brokers", "labels_topic", "label_delay", "name", "create_topics", "compression", "resume")
_FEED = "rss:"


def publish(options: PublishOptions) -> int:
    """Publish the documents, and return the exit code."""
    _check(options)
    if options.topic is not None and options.brokers is not None:
        publishing, code = _to_topic(options, options.topic, options.brokers)
    else:
        publishing, code = _to_file(options, options.out or "-"), 0
    print(publishing.last_words(), file=sys.stderr)
    if options.json:
        print(json.dumps(publishing.summary()))
    return code


def _check(options: PublishOptions) -> None:
    if not options.paths:
        raise UsageError("name a file of documents, or - for standard input; try `telex publish --help`")
    if options.topic is None:
        without = next((name for name in _OF_TOPICS if vars(options)[name]), None)
        if without:
            raise UsageError(f"--{without.replace('_', '-')} is about topics; name one with --topic")
        if options.out is None:
            raise UsageError(
                "say where the documents go, such as --out wire.jsonl.gz, or --brokers localhost:9092 --topic news"
            )
    elif options.out is not None:
        raise UsageError("--out and --topic are two places; give one of the two")
    elif options.brokers is None:
        raise UsageError("say where the topic is, such as --brokers localhost:9092")
    if options.label_delay is not None and options.labels_topic is None:
        raise UsageError("--label-delay is for labels in a topic of their own; name it with --labels-topic")
    if options.rate is not None and options.speed is not None:
        raise UsageError("--rate and --speed are two measures; give one of the two")
    if options.json and options.out == "-":
        raise UsageError("--out - and --json both want standard output; give --out a file")


def _to_file(options: PublishOptions, path: str) -> Publishing:
    archive = _archive(options)
    refuse_inputs(path, [*document_paths(options, archive.files), options.config])
    with JsonLinesFile(path, overwrite=options.overwrite) as target:
        publishing = _publishing(options, archive, target)
        publishing.run()
    return publishing


def _to_topic(options: PublishOptions, topic: str, brokers: str) -> tuple[Publishing, int]:
    from telex.adapters.kafka import Brokers
    from telex.adapters.kafka.publish import AT_ONCE, LabelDelay, Publisher, PublishTarget, SkipPublished

    delay = AT_ONCE if options.label_delay is None else LabelDelay.of(options.label_delay)
    cluster = Brokers.of(brokers, options.kafka, compression=options.compression)
    archive = _archive(options)
    target = PublishTarget(
        topic,
        options.labels_topic,
        delay,
        options.name,
        options.create_topics,
        options.resume,
        archive.live,
    )
    with Publisher(cluster, target) as wire:
        left = None if options.limit is None else max(options.limit - wire.documents, 0)
        publishing = _publishing(replace(options, limit=left), SkipPublished(archive, wire), wire)
        with stop_at_signals(publishing) as signals:
            publishing.run()
    return publishing, 130 if signals[:1] == [signal.SIGINT] else 0


def _publishing(options: PublishOptions, archive: Archive, target: Any) -> Publishing:
    rate, speed = options.rate, options.speed
    pace = None if rate is None and speed is None else Pace(rate=rate, speed=speed)
    return Publishing(archive, target, limit=options.limit, strict=options.strict, pace=pace)


def _archive(options: PublishOptions) -> Archive:
    name, settings = options.format_settings()
    paths = [path.removeprefix(_FEED) for path in options.paths]
    if paths != list(options.paths):
        name = name or "rss"
        settings.setdefault("polls", 0)
    archive = open_archive(paths, name, budget=options.budget or NO_LIMIT, **settings)
    print_remarks(archive)
    return Awaited(archive)

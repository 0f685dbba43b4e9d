"""Looks at the first records of topics, and prints what they would become."""

from __future__ import annotations

import json
import os
import shlex
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.actions.look_lines import choices, facts_of, lines, plain
from telex.adapters.cli.clear_commands import without_option
from telex.adapters.formats.detection import histogram
from telex.adapters.kafka import RegisteredValues
from telex.adapters.kafka.consume import LookedAnswer, LookedDocument, LookedTopics, RecordDecoder
from telex.adapters.kafka.fetch import FetchSettings, first_records
from telex.stream.sources import RecordBudget

if TYPE_CHECKING:
    from telex.adapters.cli.commands.consume import ConsumeOptions
    from telex.adapters.formats.detection import Findings
    from telex.adapters.kafka import Brokers
    from telex.adapters.kafka.consume import RecordFormat

_MOST = 1000
"""Records of each partition that are fetched, so that as many are guessed from as in a run."""


def look_at_topics(options: ConsumeOptions, brokers: Brokers, start: str | int, asked: RecordFormat) -> int:
    """Print what the first ``--look`` records would become, and return the exit code; learn and commit nothing."""
    count, labels = options.look or 0, options.labels_topic
    topics = (*options.topic, *([labels] if labels else []))
    settings = FetchSettings(topics, "", f"telex-look-{os.getpid()}", start=start)
    sets, whole = first_records(brokers, settings, max(count, _MOST))
    decoder = RecordDecoder(labels, asked, RegisteredValues.of(options.registry))
    decoder.begin(RecordBudget.of(options.budget or ""))
    given = asked if options.format else None
    found = LookedTopics.of(sets, decoder, count, whole=whole, asked=given, labelled=not labels)
    facts = facts_of(found.findings, topics) | _records(found)
    facts["labels"] = facts["labels"] or histogram([one["labels"] for one in facts["documents"]])
    facts["commands"] = [_command(options, found.findings, dict(choice)) for choice in choices(found.findings)]
    print(json.dumps(facts) if options.json else "\n".join(lines(facts, "to learn it")))
    return 0


def _records(found: LookedTopics) -> dict[str, Any]:
    documents = [
        {"place": item.place, **one}
        for item in found.items
        if isinstance(item, LookedDocument)
        for one in plain(item.document)
    ]
    answers = [{"id": item.id, "labels": list(item.labels)} for item in found.items if isinstance(item, LookedAnswer)]
    letters = [str(item) for item in found.items if not isinstance(item, (LookedDocument, LookedAnswer))]
    return {"documents": documents, "answers": answers, "dead_letters": letters}


def _command(options: ConsumeOptions, findings: Findings, choice: dict[str, str]) -> str:
    """Return the same command without ``--look``, with what was found and one of the settings to choose from."""
    argv = without_option(without_option(options.command_line, "--look"), "--format")
    spec = findings.spec(choice)
    return shlex.join(["telex", *argv, *(["--format", spec] if spec != "jsonl" else [])])

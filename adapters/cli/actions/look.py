"""Looks at a sample of documents, and prints what is in it."""

from __future__ import annotations

import json
import shlex
from itertools import islice
from typing import TYPE_CHECKING, Any

from telex.adapters.cli.actions.look_lines import choices, facts_of, lines, plain
from telex.adapters.formats import find_format, look_at, open_archive
from telex.adapters.formats.detection import histogram
from telex.learners.base import UsageError
from telex.stream.sources import DeadLetter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.adapters.cli.commands.look import LookOptions
    from telex.adapters.formats.detection import Findings

_SAMPLE, _SHOWN = 1000, 3


def look(options: LookOptions) -> int:
    """Print what is in the documents, and return the exit code."""
    if not options.paths:
        raise UsageError("name a file of documents, or - for standard input; try `telex look --help`")
    if "-" in options.paths:
        raise UsageError("standard input cannot be looked at and then be read; give a file")
    name, settings = options.format_settings()
    findings, files = look_at(options.paths, name, **settings)
    facts = {**facts_of(findings, files), "documents": [], "dead_letters": []}
    if not findings.questions:
        facts |= _documents(options, findings, settings)
    facts["commands"] = [_command(options, findings, choice) for choice in choices(findings)]
    if options.json:
        print(json.dumps(facts))
    else:
        print("\n".join(lines(facts)))
    return 0


def _command(options: LookOptions, findings: Findings, choice: Mapping[str, str]) -> str:
    """Return the command that replays the documents with what was found, and one of the settings to choose from."""
    spec = findings.spec(choice)
    known = options.format is None and spec == findings.format  # it is found again by content
    order = ["--order", options.order] if options.order else []
    return shlex.join(["telex", "replay", *options.paths, *([] if known else ["--format", spec]), *order])


def _documents(options: LookOptions, findings: Findings, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first documents as they would be learnt, in the order of the file, and the labels of more."""
    order = {"order": options.order or "file"} if "order" in find_format(findings.format).options else {}
    given = {**settings, **findings.settings, **order}
    archive = open_archive(options.paths, findings.format, budget=options.budget or "", guess=False, **given)
    documents, letters = list[dict[str, Any]](), list[str]()
    for item in archive:
        if isinstance(item, DeadLetter):
            letters.append(str(item))
        else:
            documents += islice(plain(item), _SAMPLE - len(documents))
        if len(documents) >= _SAMPLE or len(letters) >= _SAMPLE:
            break
    labels = findings.labels or histogram([one["labels"] for one in documents])
    return {
        "records": findings.records or len(documents) + len(letters),
        "documents": documents[:_SHOWN],
        "dead_letters": letters[:_SHOWN],
        "labels": dict(labels),
    }

"""Looks at a sample of documents, and prints what is in it."""

from __future__ import annotations

import json
import math
import shlex
from dataclasses import asdict
from itertools import islice
from typing import TYPE_CHECKING, Any

from telex.adapters.formats import find_format, look_at, open_archive
from telex.adapters.formats.detection import histogram
from telex.adapters.formats.jsonl import time_text
from telex.adapters.terminal import text_table
from telex.learners.base import Batch, UsageError, one_line
from telex.stream.sources import DeadLetter, Stories

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from telex.adapters.cli.commands.look import LookOptions
    from telex.adapters.formats.detection import Findings

_SAMPLE, _SHOWN, _TOP, _BAR = 1000, 3, 15, 30
_LONGEST = 200


def look(options: LookOptions) -> int:
    """Print what is in the documents, and return the exit code."""
    if not options.paths:
        raise UsageError("name a file of documents, or - for standard input; try `telex look --help`")
    if "-" in options.paths:
        raise UsageError("standard input cannot be looked at and then be read; give a file")
    name, settings = options.format_settings()
    findings, files = look_at(options.paths, name, **settings)
    facts = {**_facts(findings, files), "documents": [], "dead_letters": []}
    if not findings.questions:
        facts |= _documents(options, findings, settings)
    facts["commands"] = [_command(options, findings, choice) for choice in _choices(findings)]
    if options.json:
        print(json.dumps(facts))
    else:
        print("\n".join(_text(facts)))
    return 0


def _choices(findings: Findings) -> list[Mapping[str, str]]:
    return list(findings.questions[0].choices) if findings.questions else [{}]


def _command(options: LookOptions, findings: Findings, choice: Mapping[str, str]) -> str:
    """Return the command that replays the documents with what was found, and one of the settings to choose from."""
    spec = findings.spec(choice)
    known = options.format is None and spec == findings.format  # it is found again by content
    order = ["--order", options.order] if options.order else []
    return shlex.join(["telex", "replay", *options.paths, *([] if known else ["--format", spec]), *order])


def _facts(findings: Findings, files: list[str]) -> dict[str, Any]:
    return {
        "files": files,
        "format": findings.format,
        "encoding": findings.encoding,
        "records": findings.records,
        "whole": findings.whole,
        "fields": [asdict(field) for field in findings.fields],
        "roles": {role: {"field": name, "why": why} for role, name, why in findings.roles},
        "guesses": [asdict(guess) for guess in findings.guesses],
        "questions": [
            {"cause": question.cause, "formats": [findings.spec(choice) for choice in question.choices]}
            for question in findings.questions
        ],
        "warnings": list(findings.warnings),
        "labels": dict(findings.labels),
        "written": dict(findings.written),
    }


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
            documents += islice(_plain(item), _SAMPLE - len(documents))
        if len(documents) >= _SAMPLE or len(letters) >= _SAMPLE:
            break
    labels = findings.labels or histogram([one["labels"] for one in documents])
    return {
        "records": findings.records or len(documents) + len(letters),
        "documents": documents[:_SHOWN],
        "dead_letters": letters[:_SHOWN],
        "labels": dict(labels),
    }


def _plain(item: Any) -> Iterator[dict[str, Any]]:
    """Yield the documents of an item of an archive, as plain data."""
    if isinstance(item, Stories):
        for row in range(len(item)):
            labels, time = item.labels[row], float(item.times[row])
            found = {"id": item.ids[row], "time": None if math.isnan(time) else time_text(time)}
            found |= {"title": str(item.titles[row]), "text": str(item.texts[row])}
            yield {**found, "labels": None if labels is None else list(labels)}
    elif isinstance(item, Batch):
        for row in range(len(item)):
            part = slice(item.indptr[row], item.indptr[row + 1])
            names = [str(item.feature_names[i]) for i in item.features[part][:10]]
            features = dict(zip(names, map(float, item.values[part][:10]), strict=True))
            labels = [str(label) for label in item.labels_of(row)] if item.labelled[row] else None
            yield {"id": item.ids[row], "features": features, "labels": labels}
    else:  # words of a converted file
        for row, name in enumerate(item.ids):
            labels = item.labels[row]
            yield {"id": name, "title": str(item.titles[row]), "labels": None if labels is None else list(labels)}


def _text(facts: Mapping[str, Any]) -> Iterator[str]:
    files = facts["files"]
    yield f"{files[0]}{f' and {len(files) - 1} more' if len(files) > 1 else ''}: {facts['format']}, {facts['encoding']}"
    yield f"{'all' if facts['whole'] else 'the first'} {facts['records']:,} records were looked at"
    if facts["fields"]:
        roles = {about["field"]: f"{role}: {about['why']}" for role, about in facts["roles"].items()}
        rows = [
            [
                f["name"],
                f["kind"],
                f"{f['filled']:,}",
                f"{f['distinct']:,}",
                one_line(f["example"]),
                roles.get(f["name"], ""),
            ]
            for f in facts["fields"][:40]
        ]
        heads = ["field", "holds", "filled", "distinct", "such as", "is"]
        yield from ("", text_table(heads, rows, numbers=False))
    if facts["guesses"]:
        yield from ("", "guessed:")
        yield from (f"  {guess['option']}={guess['value']}: {guess['why']}" for guess in facts["guesses"])
    if facts["written"]:
        yield from ("", "written as: " + ", ".join(f"{option}={value}" for option, value in facts["written"].items()))
    yield from _labels(facts["labels"])
    yield from (line for question in facts["questions"] for line in ("", f"to be settled: {question['cause']}"))
    yield from (line for warning in facts["warnings"] for line in ("", f"warning: {warning}"))
    if facts["documents"]:
        yield from ("", "the first documents, as they would be learnt:")
        yield from (line for document in facts["documents"] for line in _document(document))
    yield from (f"  broken: {letter}" for letter in facts["dead_letters"])
    if facts["commands"]:
        yield from ("", "to choose from:" if len(facts["commands"]) > 1 else "to replay it:")
        yield from (f"  {command}" for command in facts["commands"])


def _labels(labels: Mapping[str, int]) -> Iterator[str]:
    if not labels:
        return
    most, width = max(labels.values()), max(map(len, list(labels)[:_TOP]))
    yield from ("", f"{len(labels):,} labels:")
    for label, count in list(labels.items())[:_TOP]:
        yield f"  {one_line(label)[:40]:<{min(width, 40)}}  {count:>6,}  {'#' * max(1, round(_BAR * count / most))}"
    if len(labels) > _TOP:
        yield f"  and {len(labels) - _TOP:,} more"


def _document(document: Mapping[str, Any]) -> Iterator[str]:
    labels = document["labels"]
    shown = "unlabelled" if labels is None else ", ".join(labels) or "no label fits"
    yield f"  {document['id']}  {document.get('time') or ''}".rstrip()
    if document.get("title"):
        yield f"    {one_line(document['title'])[:_LONGEST]}"
    if "text" in document:
        text = one_line(document["text"])
        yield f"    {text[:_LONGEST]}{'...' if len(text) > _LONGEST else ''}"
    elif "features" in document:
        yield "    " + ", ".join(f"{name}: {value:g}" for name, value in document["features"].items())
    yield f"    labels: {one_line(shown)}"

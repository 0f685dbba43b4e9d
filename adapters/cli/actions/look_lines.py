"""What is said of a sample of documents: as plain data, and as text."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.jsonl import time_text
from telex.adapters.terminal import text_table
from telex.learners.base import Batch, one_line
from telex.stream.sources import Stories

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from telex.adapters.formats.detection import Findings

_TOP, _BAR = 15, 30
_LONGEST = 200


def choices(findings: Findings) -> list[Mapping[str, str]]:
    """Return the settings to choose from; a single empty one where nothing is to be settled."""
    return list(findings.questions[0].choices) if findings.questions else [{}]


def facts_of(findings: Findings, files: Sequence[str]) -> dict[str, Any]:
    """Return what a sample of files, or topics, says."""
    return {
        "files": list(files),
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


def plain(item: Any) -> Iterator[dict[str, Any]]:
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


def lines(facts: Mapping[str, Any], purpose: str = "to replay it") -> Iterator[str]:
    """Yield the facts as text; ``purpose`` is what the one command is for."""
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
    yield from (f"  answer for {one['id']}: {', '.join(one['labels'])}" for one in facts.get("answers", ()))
    if facts["commands"]:
        yield from ("", "to choose from:" if len(facts["commands"]) > 1 else f"{purpose}:")
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
    place = f"  ({document['place']})" if "place" in document else ""
    yield f"  {document['id']}  {document.get('time') or ''}".rstrip() + place
    if document.get("title"):
        yield f"    {one_line(document['title'])[:_LONGEST]}"
    if "text" in document:
        text = one_line(document["text"])
        yield f"    {text[:_LONGEST]}{'...' if len(text) > _LONGEST else ''}"
    elif "features" in document:
        yield "    " + ", ".join(f"{name}: {value:g}" for name, value in document["features"].items())
    yield f"    labels: {one_line(shown)}"

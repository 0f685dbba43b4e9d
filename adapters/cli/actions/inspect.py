"""Shows what is in a checkpoint, or in a file of converted documents."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from telex.adapters.formats.converted import MappedFile
from telex.adapters.terminal import SHOWN_ALWAYS, figure_text, many, text_table
from telex.learners import known_losses
from telex.learners.base import UsageError
from telex.learners.losses import usual_figures
from telex.stream.checkpoints import inspect_checkpoint
from telex.stream.curves import iso

if TYPE_CHECKING:
    from telex.adapters.cli.commands.inspect import InspectOptions


def inspect(options: InspectOptions) -> int:
    """Print what is in the checkpoint, and return the exit code."""
    if options.folder is None:
        raise UsageError("name the folder of a run; try `telex inspect --help`")
    if os.path.isfile(options.folder):
        return _inspect_converted(options.folder, options)
    found = inspect_checkpoint(options.folder, verify=options.verify, terms=options.terms, labels=options.labels)
    for one in (found, *found["checkpoints"]):
        one["time"] = None if one["time"] is None else iso(one["time"])
    print(json.dumps(found, default=str) if options.json else _shown(found))
    return 0


def _inspect_converted(path: str, options: InspectOptions) -> int:
    file = MappedFile(path)
    if options.verify:
        file.check()
    held = file.contents
    found = {
        "path": path,
        "bytes": file.size,
        "documents": held.documents,
        "unlabelled": held.unlabelled,
        "dead_letters": held.dead_letters,
        "labels": held.labels.count,
        held.kind: held.names.count,
        "blocks": held.blocks,
        "of": held.title,
        "text": held.text,
        "cutting": held.cutting,
        "scaling": held.scaling,
        "budget": held.budget,
        "tree": None if held.tree is None else len(held.tree["labels"]),
        "telex": held.telex,
        "verified": options.verify,
    }
    if options.json:
        print(json.dumps(found))
        return 0
    shown = {**found, "bytes": _size(file.size), "text": _settings(held.text), "cutting": _settings(held.cutting)}
    rows = [[name.replace("_", " "), _plain(value)] for name, value in shown.items() if value not in {None, ""}]
    print(text_table([held.kind, path], rows[1:], numbers=False))
    return 0


def _settings(found: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in found.items())


def _plain(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value:,}" if isinstance(value, int) else value


def _shown(found: dict[str, Any]) -> str:
    learners = found["learners"]
    measured = {name for one in learners.values() for name in one["losses"]}
    columns = usual_figures([loss for loss in known_losses().values() if loss.name in measured], SHOWN_ALWAYS)
    heading = ["learner", *columns, "recent iserr", "on disk"]
    tables = [text_table(["checkpoint", found["path"]], _facts(found), numbers=False)]
    for part in ("losses", "losses_test"):
        rows = [
            [name, *(figure_text(one[part].get(loss)) for loss in columns),
             figure_text(one["losses_window"].get("iserr")), _size(one["bytes"])]
            for name, one in learners.items() if part in one
        ]  # fmt: skip
        if rows:
            tables.append(text_table(heading if part == "losses" else ["learner, test", *heading[1:]], rows))
    tables.append(
        text_table(["learner", "what it is"], ([name, _what(one)] for name, one in learners.items()), numbers=False)
    )
    tables += [_deciding(name, one["deciding"]) for name, one in learners.items() if "deciding" in one]
    others = (
        [f"{one['number']:06}", f"{one['documents'] or 0:,}", one["time"] or "-", _state(one, found["verified"])]
        for one in found["checkpoints"]
    )
    tables.append(text_table(["checkpoint", "documents", "newest", "state"], others, numbers=False))
    return "\n\n".join(tables)


def _deciding(name: str, found: dict[str, Any]) -> str:
    heading, rows = [name, "bias", "the largest weights"], []
    for one in found["labels"]:
        weights = ", ".join(f"{term} {weight:+.2f}" for term, weight in one["weights"])
        rows.append([str(one["label"]), figure_text(one["bias"]), weights])
        if found["rounds"] is not None:
            rows[-1].append(", ".join("-" if term is None else term for term in one["pivots"]))
    heading += [f"the first pivots of {found['rounds']} rounds"] if found["rounds"] is not None else []
    shown = text_table(heading, rows, numbers=False)
    left = found["known"] - len(rows)
    return shown + (f"\n{left:,} more labels; see them with --labels {found['known']}" if left else "")


def _facts(found: dict[str, Any]) -> list[list[str]]:
    part = "learning" if found["part"] == "train" else "testing"
    stage = "finished" if found["finished"] else f"{part}, epoch {found['epoch']}"
    rows = [
        ["documents", f"{found['documents']:,}, {stage}"],
        ["newest", found["time"] or "-"],
        ["size", _size(found["bytes"])],
        *([name, f"{found[name]:,}"] for name in ("labels", "features")),
    ]
    if words := found["words"]:
        changed = ", ".join(f"{name}={value}" for name, value in words["changed"].items())
        rows.append(["words", f"{words['terms']:,} terms, {_size(words['bytes'])}; {changed or 'usual settings'}"])
    if tree := found.get("tree"):
        paths = f"labels are paths, divided by {tree['paths']}" if tree["paths"] else ""
        rows.append(["tree", paths or f"{many(tree['labels'], 'label')}, {many(tree['depth'], 'level')} deep"])
    if place := found["place"]:
        rows.append(["records", f"{place['records'] + place.get('had', 0):,}, of {_origin(place)}"])
    rows += [
        [name.replace("_", " "), f"{found[name]:,}"] for name in ("unlabelled", "pending", "dead_letters", "duplicates")
    ]
    if found["champion"] is not None:
        rows.append(["champion", found["champion"]])
    if found["drifts"] is not None:
        rows.append(["drifts", ", ".join(f"{name} {count}" for name, count in found["drifts"].items())])
    return rows


def _origin(place: dict[str, Any]) -> str:
    if "partitions" not in place:
        return many(place["file"] + bool(place["had"]), "file")
    topics = (f"{topic} ({many(len(parts), 'partition')})" for topic, parts in sorted(place["partitions"].items()))
    return ", ".join(topics)


def _what(learner: dict[str, Any]) -> str:
    words = _named(learner["parameters"])
    if failure := learner.get("set_aside"):
        words += f"; set aside at document {failure['document']:,}: {failure['error']}: {failure['message']}"
    if "refits" in learner:
        words += f"; {learner['refits']} refits after {learner['answered']:,} answers"
        words += "".join(f", {count} failed: {reason}" for reason, count in learner["failures"].items())
    return words


def _named(value: Any) -> str:
    if not isinstance(value, dict):
        return str(value)
    rest = ", ".join(f"{key}={_named(one)}" for key, one in value.items() if key != "kind")
    return f"{value.get('kind', '')}({rest})"


def _state(one: dict[str, Any], verified: bool) -> str:
    return one["reason"] or ("whole: all was read" if verified else "whole")


def _size(count: int) -> str:
    """Return a number of bytes with its unit.

    >>> _size(512), _size(12_345), _size(1_234_567_890)
    ('512 B', '12.3 kB', '1.2 GB')
    """
    size, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if size < 1000:
            break
        size, unit = size / 1000, larger
    return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"

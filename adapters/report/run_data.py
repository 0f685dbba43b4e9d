"""The data of one run's report."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telex.adapters.report.comparison_data import verdicts
from telex.adapters.report.crossval_data import crossval
from telex.adapters.report.run_files import HISTORIES, curves, events, histories, labels, letters, reading, speed
from telex.adapters.report.word_data import words
from telex.learners import BASELINES
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

_TOO_LONG = ("command_line", "options", "files", "summary", "learners", "versions", "kafka")


def run_data(path: str | PathLike[str], room: int) -> dict[str, Any]:
    """Return the contents of a run's folder as plain data, with curves thinned to the ``room`` for them.

    A run that is still going, or was killed, is shown as far as it has come.
    """
    folder = Path(path)
    facts = _facts(folder)
    drawn = curves(folder / "curves.csv")
    validated = crossval(folder) if facts.get("command") == "crossval" else None
    summary = facts.get("summary") or (validated or {}).pop("summary", {})
    learners = summary.get("learners") or (drawn.learners if drawn else facts.get("learners", {}))
    return {
        "name": folder.resolve().name,
        **described(facts, learners),
        "summary": summary,
        "curves": None if drawn is None else drawn.as_json(room),
        "labels": labels(folder / "labels.csv"),
        "histories": histories(folder / "label-history.csv", HISTORIES // max(1, len(learners))),
        **events(folder / "events.jsonl"),
        "speed": speed(folder / "speed.csv"),
        "letters": letters(folder / "dead-letters.jsonl").plain(),
        "crossval": validated,
        "verdicts": verdicts(folder),
        "words": words(folder),
    }


def described(facts: Mapping[str, Any], learners: Iterable[str]) -> dict[str, Any]:
    """Return the head of a run, from the facts in run.json."""
    line = [str(word) for word in facts.get("command_line") or ()]
    made = facts.get("learners") or {}
    return {
        "command": facts.get("command") or (line[1] if len(line) > 1 else "run"),
        "command_line": shlex.join(line),
        "finished": bool(facts.get("finished")),
        "window": facts.get("window"),
        "learners": [
            {"name": name, "baseline": name in BASELINES, "parameters": _parameters(made.get(name))}
            for name in learners
        ],
        "facts": [[name, _plain(value)] for name, value in facts.items() if name not in _TOO_LONG and _told(value)],
        "versions": facts.get("versions") or {},
    }


def _facts(folder: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise UsageError(f"there is no folder {folder}; name one that was written with --run")
    path = folder / "run.json"
    if not path.is_file():
        raise UsageError(
            f"{folder} is not the folder of a run: it has no run.json; name one that was written with --run"
        )
    with reading(path):
        return dict(json.loads(path.read_text(encoding="utf-8")))


def _parameters(made: Any) -> str:
    if not isinstance(made, dict):
        return "" if made is None else str(made)
    return ", ".join(f"{name}={_plain(value)}" for name, value in made.items())


def _told(value: Any) -> bool:
    return value not in (None, "", [])


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)

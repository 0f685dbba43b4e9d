"""The data of a cross-validation's report."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from telex.adapters.report.run_files import reading

if TYPE_CHECKING:
    from pathlib import Path

_WRONG = 200
"""The most wrongly labelled documents that are shown of each learner."""
_TEXT = 400
_CELLS = 2000
"""The most pairs of true and predicted label that are shown of each learner, the most frequent first."""


def crossval(folder: Path) -> dict[str, Any]:
    """Return folds, rounds, confusions and wrongly labelled documents; whatever was not written is empty.

    ``summary`` is like that of a run: the figures of the learners are those out of fold.
    """
    found = _object(folder / "crossval.json")
    learners = found.pop("learners", {})
    parts = {"learners": "test", "train": "train"}
    counts = {name: value for name, value in found.items() if name != "folds"}
    return {
        "summary": counts
        | {of: {name: figures[part] for name, figures in learners.items()} for of, part in parts.items()},
        "names": [fold["name"] for fold in found.get("folds", [])],
        "learners": learners,
        "rounds": _table(folder / "rounds.csv"),
        "confusion": _confusion(folder / "confusion.csv"),
        "wrong": _wrong(folder / "wrong.jsonl"),
    }


def _object(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    with reading(path):
        return dict(json.loads(path.read_text(encoding="utf-8")))


def _table(path: Path) -> dict[str, Any]:
    """Return a CSV file as its header and rows; cells that look like numbers become numbers."""
    if not path.is_file():
        return {"columns": [], "rows": []}
    with reading(path), path.open(encoding="utf-8", errors="surrogatepass", newline="") as file:
        lines = csv.reader(file)
        columns = next(lines, [])
        return {"columns": columns, "rows": [[_cell(name, x) for name, x in zip(columns, row, strict=True)]
                                             for row in lines]}  # fmt: skip


def _cell(column: str, text: str) -> str | float | None:
    if column in {"learner", "part"}:
        return text
    return float(text) if text else None


def _confusion(path: Path) -> dict[str, list[list[Any]]]:
    """Return ``[true, predicted, count]`` of each learner, the most frequent first."""
    found: dict[str, list[list[Any]]] = {}
    if path.is_file():
        with reading(path), path.open(encoding="utf-8", errors="surrogatepass", newline="") as file:
            for row in csv.DictReader(file):
                found.setdefault(row["learner"], []).append([row["true"], row["predicted"], int(row["count"])])
    return {name: sorted(cells, key=lambda cell: -cell[2])[:_CELLS] for name, cells in found.items()}


def _wrong(path: Path) -> dict[str, dict[str, Any]]:
    """Return how many documents each learner labelled wrongly, and the first of them."""
    found: dict[str, dict[str, Any]] = {}
    if path.is_file():
        with reading(path), path.open(encoding="utf-8", errors="surrogatepass") as file:
            for line in file:
                one = json.loads(line)
                own = found.setdefault(one.pop("learner"), {"count": 0, "first": []})
                own["count"] += 1
                if len(own["first"]) < _WRONG:
                    own["first"].append({**one, "text": (one.get("text") or "")[:_TEXT], "top": one["top"][:5]})
    return found

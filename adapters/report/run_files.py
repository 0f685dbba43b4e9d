"""Readers of a run folder's files."""

from __future__ import annotations

import csv
import json
from collections import deque
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.report.curve_data import SPANS, Curves
from telex.adapters.report.dead_letter_data import Broken
from telex.adapters.report.speed_data import pace
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HISTORIES = 2_000
"""The most small curves of labels on a page, of all learners together."""
EVENTS = 500
"""The most events on a page, the newest ones: more would hide the curves."""
LABEL_COLUMNS = ("label", "tp", "fp", "fn", "support", "first_seen")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Name the file in the error if it cannot be read."""
    try:
        yield
    except (OSError, ValueError, LookupError, TypeError, csv.Error) as error:
        raise UsageError(
            f"{path} cannot be read ({type(error).__name__}: {error}); a report needs the files of its run: put "
            "the file back, or run it again"
        ) from error


def curves(path: Path) -> Curves | None:
    """Return curves.csv; None if it has no point yet."""
    if not path.is_file():
        return None
    with reading(path), path.open(encoding="utf-8", errors="surrogatepass", newline="") as file:
        lines = csv.reader(file)
        heading = next(lines, [])
        figures = tuple(name for name in heading[3:] if not name.endswith(("_window", "_since")))
        wanted = [(heading.index(name + span), name + span) for name in figures for span in SPANS]
        documents: dict[int, str] = {}
        found: dict[str, list[list[float]]] = {}
        for row in lines:
            if len(row) < len(heading):
                break  # a running run has not finished its last line
            documents[int(row[1])] = row[2]
            found.setdefault(row[0], []).append([float(row[i] or "nan") for i, _ in wanted])
    if not found:
        return None
    count = min(map(len, found.values()))
    tables = {name: np.array(rows[:count]).T for name, rows in found.items()}
    return Curves(
        np.array(list(documents)[:count]),
        np.array([seconds(time) for time in list(documents.values())[:count]]),
        figures,
        {name: {column: table[i] for i, (_, column) in enumerate(wanted)} for name, table in tables.items()},
    )


def seconds(time: str) -> float:
    """Return the epoch seconds of a time in curves.csv, NaN if there is none.

    >>> seconds("1996-08-20T12:00:00Z"), seconds("")
    (840542400.0, nan)
    """
    if not time:
        return float("nan")
    return datetime.fromisoformat(time).timestamp() if "T" in time else float(time)


def labels(path: Path) -> dict[str, dict[str, list[Any]]]:
    """Return labels.csv as columns by learner, without the ratios, which the page computes."""
    found: dict[str, dict[str, list[Any]]] = {}
    if path.is_file():
        with reading(path), path.open(encoding="utf-8", errors="surrogatepass", newline="") as file:
            for row in csv.DictReader(file):
                columns = found.setdefault(row["learner"], {name: [] for name in LABEL_COLUMNS})
                columns["label"].append(row["label"])
                for name in LABEL_COLUMNS[1:]:
                    columns[name].append(int(row[name]))
    return found


def histories(path: Path, most: int) -> dict[str, dict[str, list[list[float]]]]:
    """Return the F1 over time by learner and label, from label-history.csv: ``[documents, F1]`` of each stretch.

    A stretch is the documents between two rows. Only the ``most`` labels of a learner that are most frequent at the end
    count.
    """
    rows: dict[str, dict[str, list[tuple[int, int, int, int]]]] = {}
    if path.is_file():
        with reading(path), path.open(encoding="utf-8", errors="surrogatepass", newline="") as file:
            for row in csv.DictReader(file):
                if row["fn"] is not None:  # a running run has not finished its last line
                    counts = int(row["documents"]), int(row["tp"]), int(row["fp"]), int(row["fn"])
                    rows.setdefault(row["learner"], {}).setdefault(row["label"], []).append(counts)
    found: dict[str, dict[str, list[list[float]]]] = {}
    for learner, labels in rows.items():
        chosen = sorted(labels, key=lambda label: -labels[label][-1][1] - labels[label][-1][3])[:most]
        found[learner] = {label: _stretches(labels[label]) for label in chosen}
    return found


def _stretches(counts: list[tuple[int, int, int, int]]) -> list[list[float]]:
    found, before = [], (0, 0, 0, 0)
    for now in counts:
        documents, tp, fp, fn = now[0], *(one - other for one, other in zip(now[1:], before[1:], strict=True))
        found.append([documents, round(2 * tp / max(1, 2 * tp + fp + fn), 3)])
        before = now
    return found


def speed(path: Path) -> dict[str, Any] | None:
    """Return the pace in speed.csv, of the first training pass."""
    if not path.is_file():
        return None
    with reading(path), path.open(encoding="utf-8", newline="") as file:
        return pace(
            [
                (float(row["seconds"]), int(row["documents"]))
                for row in csv.DictReader(file)
                if row["part"] == "train" and row["epoch"] == "1" and row["docs_per_second"]
            ]
        )


def events(path: Path) -> dict[str, Any]:
    """Return the newest events of events.jsonl, and how many there are."""
    found: deque[dict[str, Any]] = deque(maxlen=EVENTS)
    count = 0
    with reading(path):
        for event in _json_lines(path):
            found.append(event)
            count += 1
    return {"events": list(found), "events_count": count}


def letters(path: Path) -> Broken:
    """Return the broken records of dead-letters.jsonl by stage and reason."""
    found = Broken()
    with reading(path):
        for letter in _json_lines(path):
            found.add(
                letter["stage"],
                letter["reason"],
                letter["path"],
                letter["line"],
                letter.get("raw", letter.get("raw_base64")),
            )
    return found


def _json_lines(path: Path) -> Iterator[Any]:
    if path.is_file():
        with path.open(encoding="utf-8", errors="surrogatepass") as file:
            for line in file:
                if line.endswith("\n"):
                    yield json.loads(line)

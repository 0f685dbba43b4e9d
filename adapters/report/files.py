"""The files of a run's folder as plain data."""

from __future__ import annotations

import csv
import json
from collections import Counter
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.report.curves import SPANS, Curves
from telex.adapters.report.thinning import kept, rounded
from telex.learners.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_LONGEST = 300
"""Characters of a broken record that are shown."""
_NUMBERS = ("tp", "fp", "fn", "support", "first_seen")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Have what cannot be read say which file it is."""
    try:
        yield
    except (OSError, ValueError, LookupError, TypeError, csv.Error) as error:
        raise UsageError(
            f"{path} cannot be read ({type(error).__name__}: {error}); a report is made of what a run has written: put "
            "the file back, or run it again"
        ) from error


def curves(path: Path) -> Curves | None:
    """Return curves.csv; None where there is no point yet."""
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
                break  # a run at work has not written the rest of its last line
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
    """Return epoch seconds of a time of curves.csv, NaN for none.

    >>> seconds("1996-08-20T12:00:00Z"), seconds("")
    (840542400.0, nan)
    """
    if not time:
        return float("nan")
    return datetime.fromisoformat(time).timestamp() if "T" in time else float(time)


def labels(path: Path) -> dict[str, dict[str, list[Any]]]:
    """Return labels.csv as columns by learner; ratios are left out, who shows them divides."""
    found: dict[str, dict[str, list[Any]]] = {}
    if path.is_file():
        with reading(path), path.open(encoding="utf-8", errors="surrogatepass", newline="") as file:
            for row in csv.DictReader(file):
                columns = found.setdefault(row["learner"], {name: [] for name in ("label", *_NUMBERS)})
                columns["label"].append(row["label"])
                for name in _NUMBERS:
                    columns[name].append(int(row[name]))
    return found


def speed(path: Path) -> dict[str, Any] | None:
    """Return speed.csv: documents a second between points of the training passes, by the seconds of the run."""
    if not path.is_file():
        return None
    with reading(path), path.open(encoding="utf-8", errors="surrogatepass", newline="") as file:
        rows = [(float(row["seconds"]), int(row["documents"])) for row in csv.DictReader(file)
                if row["part"] == "train" and row["epoch"] == "1" and row["seconds"]]  # fmt: skip
    if len(rows) < 2:
        return None
    at, documents = np.array(rows).T
    # Points near the begin are milliseconds apart: a speed is that of a two-hundredth of the run or more.
    far = [0]
    for i in range(1, len(at)):
        if at[i] - at[far[-1]] >= at[-1] / 200 or i == len(at) - 1:
            far.append(i)
    with np.errstate(divide="ignore", invalid="ignore"):
        pace = np.diff(documents[far]) / np.diff(at[far])
    ends = np.array(far[1:])
    ends, pace = ends[np.isfinite(pace)], pace[np.isfinite(pace)]
    some = kept(pace)
    return {"seconds": rounded(at[ends[some]]), "documents": documents[ends[some]].astype(int).tolist(),
            "pace": rounded(pace[some])}  # fmt: skip


def events(path: Path) -> list[dict[str, Any]]:
    """Return events.jsonl; a line that a run at work has not finished is left out."""
    return list(_json_lines(path))


def letters(path: Path) -> dict[str, Any]:
    """Return the broken records of dead-letters.jsonl by stage and reason, and the first of each."""
    counts: Counter[tuple[str, str]] = Counter()
    examples: dict[tuple[str, str], dict[str, Any]] = {}
    for letter in _json_lines(path):
        kind = str(letter["stage"]), str(letter["reason"])
        counts[kind] += 1
        if kind not in examples:
            place = letter["path"] if letter["line"] is None else f"{letter['path']}:{letter['line']}"
            raw = letter.get("raw", letter.get("raw_base64", ""))
            examples[kind] = {"place": place, "raw": raw[:_LONGEST]}
    return {
        "count": counts.total(),
        "kinds": [
            {"stage": kind[0], "reason": kind[1], "count": count, **examples[kind]}
            for kind, count in counts.most_common(100)
        ],
    }


def _json_lines(path: Path) -> Iterator[Any]:
    if path.is_file():
        with reading(path), path.open(encoding="utf-8", errors="surrogatepass") as file:
            for line in file:
                if line.endswith("\n"):
                    yield json.loads(line)

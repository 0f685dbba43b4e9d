"""The figures as lines and as tables of a page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prequential.collections import COLLECTIONS
from prequential.contenders import ALL, OURS

if TYPE_CHECKING:
    from prequential.results import Results, Row

_BEGIN, _END = "<!-- accuracy -->", "<!-- /accuracy -->"
_COLUMNS = ("iserr", "errsetsize", "avgp", "zero_one", "micro_f1", "macro_f1")
_LOWER = {"iserr", "errsetsize", "zero_one"}


def text(row: Row) -> str:
    """Return a row as a line of a terminal."""
    if "missing" in row:
        return f"not measured: {row['missing']}"
    figures = " ".join(f"{name} {_figure(name, row[name])}" for name in _COLUMNS)
    return f"{figures} {row['docs_per_second']:,.0f} docs/s {_size(row['memory'])} ({row['documents']:,} documents)"


def tables(results: Results) -> str:
    """Return a table for each collection, the best figure of each column in bold."""
    return "\n\n".join(_table(name, results) for name in COLLECTIONS if results.rows.get(name))


def written(page: str, results: Results) -> str:
    """Return a page with the tables between its two marks."""
    before, after = page.split(_BEGIN, maxsplit=1)[0], page.split(_END)[1]
    return f"{before}{_BEGIN}\n\n{tables(results)}\n\n{_END}{after}"


def named(page: str) -> set[str]:
    """Return the learners of Telex that the tables of a page name."""
    found = re.findall(r"^\| \**`([^`]+)`", page.partition(_BEGIN)[2].partition(_END)[0], re.MULTILINE)
    return {name.partition(":")[0] for name in found}


def _table(collection: str, results: Results) -> str:
    rows = results.measured(collection)
    most = max((row["documents"] for row in rows.values()), default=0)
    labels = max((row["labels"] for row in rows.values()), default=0)
    best = {
        name: (min if name in _LOWER else max)(row[name] for row in rows.values() if row["documents"] == most)
        for name in _COLUMNS
    }
    lines = [
        f"### {COLLECTIONS[collection].title}",
        "",
        f"{most:,} documents, {labels} labels.",
        "",
        f"| learner | {' | '.join(_COLUMNS)} | docs/s | memory |",
        f"|---|{'---|' * (len(_COLUMNS) + 2)}",
    ]
    ours = {one.name for one in OURS}
    for contender in ALL:
        if (row := results.rows[collection].get(contender.name)) is None:
            continue
        name = f"`{contender.name}`" if contender.name in ours else contender.name
        if "missing" in row:
            lines.append(f"| {name} | {row['missing']} |{' |' * (len(_COLUMNS) + 1)}")
            continue
        if part := row["documents"] < most:
            name += f" (first {row['documents']:,})"
        cells = [
            f"**{_figure(c, row[c])}**"
            if not part and _figure(c, row[c]) == _figure(c, best[c])
            else _figure(c, row[c])
            for c in _COLUMNS
        ]
        lines.append(f"| {name} | {' | '.join(cells)} | {_pace(row['docs_per_second'])} | {_size(row['memory'])} |")
    return "\n".join(lines)


def _figure(name: str, value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if name == "errsetsize" else f"{value:.3f}"


def _pace(value: float) -> str:
    digits = max(0, len(str(int(value))) - 2)
    return f"{round(value, -digits):,.0f}"


def _size(value: int) -> str:
    return f"{value / 1e9:.1f} GB" if value >= 1e9 else f"{max(1, round(value / 1e6))} MB"

"""Figures of several learners on several splits as text, beside the paper's, and which of its orders hold."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.hm3.peers import SETTINGS
from telex.adapters.terminal import text_table
from telex.learners.trees import SCALINGS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from pathlib import Path

    Table = Mapping[str, Mapping[str, Sequence[float]]]

DIGITS = {
    "zero_one": 1, "l_delta": 3, "l_h": 4, "precision": 3, "recall": 3, "f1": 3, "f1_below": 3, "invalid": 1,
}  # fmt: skip
"""The figures of a table, and with how many digits they are shown."""
PRINTED = {
    "svm": ["svm"], "hsvm": ["hsvm"], "hrls": ["hrls"], "hm3 delta": ["hm3 delta uniform"],
    "hm3 htilde": [f"hm3 htilde {scaling}" for scaling in SCALINGS],
}  # fmt: skip
"""Which learners of ours stand for each of the paper's: it does not say how it scales l_H~."""


def orders(ours: Mapping[str, Table], paper: Mapping[str, Mapping[str, float]]) -> list[dict[str, Any]]:
    """Return each order of two learners in the paper's table, and on how many of our splits it holds.

    ``held`` has a list for each setting: several numbers where several learners of ours stand for one of the paper's.
    """
    found = []
    for figure in next(iter(paper.values())):
        ascending = sorted(paper, key=lambda one: paper[one][figure])
        for lower, higher in combinations(ascending, 2):
            pairs = [(a, b) for a in PRINTED[lower] for b in PRINTED[higher]]
            held = {
                setting: [sum(x < y for x, y in zip(table[a][figure], table[b][figure], strict=True)) for a, b in pairs]
                for setting, table in ours.items()
            }
            found.append({"figure": figure, "lower": lower, "higher": higher, "held": held})
    return found


def tables_text(found: Mapping[str, Any], paper: Mapping[str, Mapping[str, float]] | None) -> list[str]:
    """Return a table for each setting: means over the splits with standard errors, and the paper's figures."""
    beside = {of: row for row, some in PRINTED.items() for of in some} if paper else {}
    text = []
    for setting, title in SETTINGS.items():
        table = found["ours"][setting]
        bias = ", with bias" if setting == "validated" and found["settings"]["bias"] else ""
        heading, rows = ["learner"], []
        for figure in DIGITS:
            heading += [figure, *(["paper"] if paper and figure in next(iter(paper.values())) else [])]
        for name, figures in table.items():
            cells = [name]
            for figure, digits in DIGITS.items():
                cells.append(mean_text(figures[figure], digits))
                if paper and figure in next(iter(paper.values())):
                    cells.append(f"{paper[beside[name]][figure]:g}" if name in beside else "-")
            rows.append(cells)
        text += ["", title + bias, text_table(heading, rows)]
    return text


def chosen_text(found: Mapping[str, Any]) -> list[str]:
    """Return the strengths that were chosen, one a split."""
    rows = ([name, ", ".join(f"{one:g}" for one in of)] for name, of in found["chosen"].items())
    return ["", "strengths chosen, one a split", text_table(["learner", "strengths"], rows)]


def orders_text(found: Mapping[str, Any]) -> list[str]:
    """Return the orders as a table."""
    splits = found["settings"]["splits"]
    rows = [
        [one["figure"], f"{one['lower']} < {one['higher']}", *("/".join(map(str, of)) for of in one["held"].values())]
        for one in found["orders"]
    ]
    title = f"orders of the paper, and on how many of {splits} split{'s' * (splits != 1)} they hold"
    return [
        "", f"{title} (hm3 htilde: {'/'.join(SCALINGS)})", text_table(["figure", "order", *SETTINGS.values()], rows)
    ]  # fmt: skip


def tables_picture(found: Mapping[str, Any], path: str | PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw a panel for each figure of the paper and each table by name: bars of means at validated strengths.

    The paper's bars stand beside those of each learner of ours that stands for one of its own, where it has them.
    """
    from telex.adapters.plots import bars_picture  # noqa: PLC0415 - matplotlib is an extra

    panels: dict[str, dict[str, dict[str, float]]] = {}
    for name, one in found.items():
        ours, paper = one["ours"]["validated"], one["paper"]
        for figure in dict.fromkeys(order["figure"] for order in one["orders"]):
            panels[f"{figure}, {name}"] = {
                learner.replace(" ", "\n"): {"ours": float(np.mean(ours[learner][figure]))}
                | ({"paper": paper[row][figure]} if paper else {})
                for row, some in PRINTED.items()
                for learner in some
            }
    return bars_picture(panels, path, columns=1, overwrite=overwrite)


def orders_missed(found: Mapping[str, Any]) -> list[str]:
    """Say for each figure which orders of the paper hold on half of the splits or fewer, with validated strengths.

    Where several learners of ours stand for one of the paper's, the best of them counts.
    """
    splits, said = found["settings"]["splits"], []
    for figure in dict.fromkeys(one["figure"] for one in found["orders"]):
        of = [one for one in found["orders"] if one["figure"] == figure]
        missed = [
            f"{one['lower']} < {one['higher']} ({max(one['held']['validated'])} of {splits})"
            for one in of
            if 2 * max(one["held"]["validated"]) <= splits
        ]
        if missed:
            kept = len(of) - len(missed)
            said.append(f"{figure}: {kept} of the paper's {len(of)} orders hold, and not {', '.join(missed)}.")
    return said


def mean_text(values: Sequence[float], digits: int) -> str:
    """Return a mean with its standard error.

    >>> mean_text([33.0, 34.0, 35.0], 1), mean_text([0.5], 3)
    ('34.0 (0.6)', '0.500')
    """
    mean = f"{np.mean(values):.{digits}f}"
    return f"{mean} ({standard_error(values):.{digits}f})" if len(values) > 1 else mean


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean of two values or more."""
    return float(np.std(values, ddof=1) / len(values) ** 0.5)

"""Table I of MLPP's paper: its formulas for the operations of a perceptron, MMP and MLPP, beside what was counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.reproductions.mlpp.learners import settings_line
from telex.adapters.reproductions.mlpp.newest import smaller
from telex.adapters.reproductions.mlpp.operations import counted
from telex.adapters.terminal import text_table

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

TITLE = "formulas of operations a document beside those counted (RCV1, whatever there is of it; seconds)"
TAKES = {"terms": 25000, "seed": 0}
COLUMNS = ("training", "prediction", "weights")
FORMULAS = {
    "perceptron": ("1 + d_per", "1", "N"),
    "mmp": ("K + d_margin + d_iserr", "K", "K N"),
    "mlpp": ("L (K - L) (1 + d_per)", "K (K - 1) / 2", "K (K - 1) / 2 N"),
    "mlpp / mmp": ("O(L)", "(K - 1) / 2", "(K - 1) / 2"),
}
"""A column for each of COLUMNS. Of memory the paper has the orders: N, O(KN), O(K^2 N) and O(K); it prints the ratio of
predictions as (K^2 - 1) / 2, and writes of it as (103 - 1) / 2, which follows from its other rows."""
_NEAR = 0.05


def reproduce(
    data: str | os.PathLike[str],
    progress: Callable[[str], None] = lambda _: None,
    *,
    terms: int = TAKES["terms"],
    seed: int = TAKES["seed"],
) -> dict[str, Any]:
    """Return each formula's value by the labels, documents and losses met, and what the kernels counted.

    ``bounds`` are those of the paper's (9) on the ratio of training operations.
    """
    found = counted(data, progress, terms, seed)
    labels, each = found["K"], found["L"]
    return {
        **found,
        "formulas": {name: list(row) for name, row in FORMULAS.items()},
        "expected": _expected(found),
        "counted": _counted(found),
        "bounds": [each * (labels - each) / (2 * labels), 2 * each],
    }


def lines(found: dict[str, Any]) -> list[str]:
    """Return, for each row of the table, the formulas, their values and the counts; and whether (9) holds."""
    heading = ["", *(head for column in COLUMNS for head in (column, "expected", "counted"))]
    rows = [
        [
            name,
            *(
                cell
                for k, column in enumerate(COLUMNS)
                for cell in (formulas[k], *(_figure(found[of][name][column]) for of in ("expected", "counted")))
            ),
        ]
        for name, formulas in FORMULAS.items()
    ]
    losses = found["losses"]
    ratio, (least, most) = found["counted"]["mlpp / mmp"]["training"], found["bounds"]
    return [
        settings_line(found["settings"]),
        text_table(heading, rows),
        "",
        f"K {found['K']}, L {found['L']:.3f}, N {found['N']:,}; d_margin {losses['mmp']['margin']:.3f}, d_iserr "
        f"{losses['mmp']['iserr']:.3f}; d_per {losses['mlpp']['wrong']:.4f} of MLPP, {losses['br']['wrong']:.4f} of BR",
        f"(9) {'holds' if least <= ratio <= most else 'does not hold'}: {least:.2f} <= {ratio:.2f} <= {most:.2f}",
        "training and prediction: operations a document, counted by the kernels; a perceptron is one of BR's",
        "weights: in memory, with the room that tables keep for new features and labels",
        *_early(found),
    ]


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw what is expected beside what was counted."""
    from telex.adapters.plots import bars_picture  # noqa: PLC0415 - matplotlib is an extra

    panels = {
        column: {
            name: {of: found[of][name][column] for of in ("expected", "counted")}
            for name in ("perceptron", "mmp", "mlpp")
        }
        for column in COLUMNS
    }
    return bars_picture(panels, path, columns=3, log=True, overwrite=overwrite)


def misses(found: dict[str, Any]) -> list[str]:
    """Say which counts are more than a twentieth away from their formulas."""
    said = [
        f"{name}: {column} takes {_figure(found['counted'][name][column])} operations a document, and "
        f"{_figure(found['expected'][name][column])} by the formula {FORMULAS[name][k]}."
        for name in ("perceptron", "mmp", "mlpp")
        for k, column in enumerate(("training", "prediction"))
        if abs(found["counted"][name][column] / found["expected"][name][column] - 1) > _NEAR
    ]
    return [*said, *smaller(found)]


def _expected(found: dict[str, Any]) -> dict[str, dict[str, float]]:
    labels, each, terms, losses = found["K"], found["L"], found["N"], found["losses"]
    duels = labels * (labels - 1) / 2
    return {
        "perceptron": _row(1 + losses["br"]["wrong"], 1, terms),
        "mmp": _row(labels + losses["mmp"]["margin"] + losses["mmp"]["iserr"], labels, labels * terms),
        "mlpp": _row(each * (labels - each) * (1 + losses["mlpp"]["wrong"]), duels, duels * terms),
        "mlpp / mmp": _row(each, (labels - 1) / 2, (labels - 1) / 2),
    }


def _counted(found: dict[str, Any]) -> dict[str, dict[str, float]]:
    counts, train, test = found["counts"], found["settings"]["train"], found["settings"]["test"]
    rows = {
        name: _row(counts[name]["training"] / train, counts[name]["prediction"] / test, counts[name]["weights"])
        for name in ("br", "mmp", "mlpp")
    }
    br, labels = rows.pop("br"), found["K"]
    one = _row(counts["br"]["training"] / counts["br"]["tried"], br["prediction"] / labels, br["weights"] / labels)
    ratio = {column: rows["mlpp"][column] / rows["mmp"][column] for column in COLUMNS}
    return {"perceptron": one, **rows, "mlpp / mmp": ratio}


def _row(training: float, prediction: float, weights: float) -> dict[str, float]:
    return dict(zip(COLUMNS, (training, prediction, weights), strict=True))


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1e4 else f"{value:.2f}"


def _early(found: dict[str, Any]) -> list[str]:
    known = found["counts"]["br"]["tried"] / found["settings"]["train"]
    return [f"labels appear as they come: a training document met {known:.1f} of the {found['K']} on average"]

"""Table IV of MLPP's paper: how many operations BR, MMP and MLPP take to learn RCV1 and to predict its rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.adapters.reproductions.mlpp.learners import settings_line
from telex.adapters.reproductions.mlpp.newest import ALL, TRAIN, smaller
from telex.adapters.reproductions.mlpp.operations import counted
from telex.adapters.terminal import text_table

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

TITLE = "perceptron operations of BR, MMP and MLPP, counted (RCV1, whatever there is of it; seconds)"
TAKES = {"terms": 25000, "seed": 0}
PAPER = {
    "training": {"br": 55_896_832, "mmp": 56_680_708, "mlpp": 174_184_241},
    "prediction": {"br": 27_647_981, "mmp": 27_647_981, "mlpp": 1_410_047_031},
}
"""The printed numbers: 535,987 documents train, 268,427 test, 103 labels."""
_PAPER_DOCUMENTS = {"training": TRAIN, "prediction": ALL - TRAIN}


def reproduce(
    data: str | os.PathLike[str],
    progress: Callable[[str], None] = lambda _: None,
    *,
    terms: int = TAKES["terms"],
    seed: int = TAKES["seed"],
) -> dict[str, Any]:
    """Return the operations of both parts, in all and a document, and the paper's beside them.

    ``ratios`` has how many times those of MMP the operations of MLPP are.
    """
    found = counted(data, progress, terms, seed)
    sizes = {"training": found["settings"]["train"], "prediction": found["settings"]["test"]}
    ours = {part: {name: counts[part] for name, counts in found["counts"].items()} for part in PAPER}
    return {
        **found,
        "ours": ours,
        "paper": PAPER,
        "each": {"ours": _each(ours, sizes), "paper": _each(PAPER, _PAPER_DOCUMENTS)},
        "ratios": {of: {part: one[part]["mlpp"] / one[part]["mmp"] for part in one} for of, one in
                   (("ours", ours), ("paper", PAPER))},
    }  # fmt: skip


def lines(found: dict[str, Any]) -> list[str]:
    """Return the operations in all and a document, beside the paper's, and the ratios of MLPP to MMP."""
    names = list(found["counts"])
    heading = ["operations", *(head for name in names for head in (name, "paper"))]
    both = (found["ours"], found["paper"])
    rows = [[part, *(f"{of[part][name]:,}" for name in names for of in both)] for part in PAPER]
    each = (found["each"]["ours"], found["each"]["paper"])
    rows += [[f"{part}, a document", *(f"{of[part][name]:.1f}" for name in names for of in each)] for part in PAPER]
    text = [settings_line(found["settings"]), text_table(heading, rows), ""]
    for part in PAPER:
        ours, paper = (found["ratios"][of][part] for of in ("ours", "paper"))
        text.append(f"{part}: MLPP takes {ours:.2f} times the operations of MMP (paper {paper:.2f})")
    return [
        *text,
        f"labels: {found['K']}, {found['L']:.2f} a training document (paper 103, 3.24)",
        "operations are inner products and steps; those of MMP's threshold and of MLPP's virtual label do not count",
        *smaller(found),
    ]


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw the operations a document, ours beside the paper's."""
    from telex.adapters.plots import bars_picture  # noqa: PLC0415 - matplotlib is an extra

    ours, paper = (found["each"][of] for of in ("ours", "paper"))
    panels = {
        f"{part}, a document": {name: {"ours": ours[part][name], "paper": paper[part][name]} for name in ours[part]}
        for part in PAPER
    }
    return bars_picture(panels, path, columns=2, log=True, overwrite=overwrite)


def misses(found: dict[str, Any]) -> list[str]:
    """Say how much smaller the collection is than the paper's."""
    return smaller(found)


def _each(counts: dict[str, dict[str, int]], sizes: dict[str, int]) -> dict[str, dict[str, float]]:
    return {part: {name: count / sizes[part] for name, count in row.items()} for part, row in counts.items()}

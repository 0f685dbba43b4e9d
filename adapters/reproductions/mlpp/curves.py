"""Learning curves of MLPP's paper: each document is predicted, then learnt, and errors are means over all so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.mlpp.learners import digits_of, paper_learners, printed, settings_line
from telex.adapters.reproductions.mlpp.newest import read_newest, smaller
from telex.adapters.terminal import text_table
from telex.learners.base import UsageError
from telex.learners.losses import LOSSES as ALL_LOSSES
from telex.stream import Run

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from telex.learners.base import Batch

_POINTS = 100
_ROWS = 10


@dataclass(frozen=True, slots=True)
class CurveFigure:
    """One figure: the curves of a loss over the first of ``part`` equal parts of RCV1's training documents.

    The paper ``said`` something of its curves; ``holds`` tells whether it is true of ours, from the number of points,
    and what `lead` says: at how many of them MLPP is better than MMP, and from which document on to the end.
    """

    loss: str
    said: str
    holds: Callable[[int, Mapping[str, int]], bool]
    part: int = 1

    def reproduce(
        self,
        data: str | os.PathLike[str],
        progress: Callable[[str], None] = lambda _: None,
        *,
        terms: int = 25000,
        seed: int = 0,
        runs: int = 3,
    ) -> dict[str, Any]:
        """Return the curves, means over so many ``runs`` with other random weights."""
        documents = read_newest(data, terms, progress)
        batch = documents.train.rows(0, max(1, len(documents.train) // self.part))
        step = max(1, len(batch) // _POINTS)
        made: dict[str, list[Sequence[float]]] = {}
        places: list[int] = []
        for run in range(runs):
            progress(f"run {run + 1} of {runs}")
            places, curves = _run(batch, self.loss, step, seed + run)
            for name, curve in curves.items():
                made.setdefault(name, []).append(curve)
        if not places:
            raise UsageError(f"RCV1 in {data} has too few documents for a curve; give more of it")
        ours = {name: np.mean(rows, axis=0).tolist() for name, rows in made.items()}
        settings = documents.settings(terms=terms, seed=seed, runs=runs)
        return {
            "settings": {**settings, "loss": self.loss, "of the first": len(batch)},
            "documents": places,
            "ours": ours,
            "spread": {name: float(np.std([row[-1] for row in rows])) for name, rows in made.items()},
            "lead": _lead(places, ours["mlpp"], ours["mmp"]),
        }

    def lines(self, found: dict[str, Any]) -> list[str]:
        """Return the curves at some documents, what the paper says of its own, and how it is here."""
        names, places = list(found["ours"]), found["documents"]
        shown = sorted({round((len(places) - 1) * (k + 1) / _ROWS) for k in range(_ROWS)})
        digits = digits_of(self.loss)
        rows = [
            [f"{places[k]:,}", *(f"{found['ours'][name][k]:.{digits}f}" for name in names)]
            for k in shown
            if k < len(places)
        ]
        lead, runs = found["lead"], found["settings"]["runs"]
        spread = ", ".join(f"{name} {value:.{digits}f}" for name, value in found["spread"].items())
        return [
            settings_line(found["settings"]),
            text_table(["documents", *names], rows),
            "",
            f"the paper: {self.said}",
            f"here: MLPP is better than MMP at {lead['better']} of {len(places)} points; "
            + (f"from document {lead['from']:,} to the end" if lead["from"] else "at the end it is not"),
            *([f"spread of the last point over the runs (standard deviation): {spread}"] * (runs > 1)),
            *smaller(found),
        ]

    def picture(self, found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
        """Draw the curves, a line for each learner."""
        from telex.adapters.plots import lines_picture  # noqa: PLC0415 - matplotlib is an extra

        panels = {f"{self.loss} so far": {name: (found["documents"], curve) for name, curve in found["ours"].items()}}
        return lines_picture(panels, path, columns=1, along="documents", overwrite=overwrite)

    def misses(self, found: dict[str, Any]) -> list[str]:
        """Say where what the paper says does not hold, and how much smaller the collection is than its own."""
        lead, points = found["lead"], len(found["documents"])
        here = f"Here MLPP is better at {lead['better']} of {points} points."
        holds = self.holds(points, lead)
        return [*([] if holds else [f"The paper says of its curves: {self.said} {here}"]), *smaller(found)]


def _run(batch: Batch, loss: str, step: int, seed: int) -> tuple[list[int], dict[str, list[float]]]:
    run = Run([batch], paper_learners(seed), losses=[ALL_LOSSES[loss]], points=step)
    points = [point for point in run if point.learners["mlpp"][loss] is not None]
    return [point.documents for point in points], {
        name: [printed(loss, point.learners[name][loss] or 0.0) for point in points] for name in run.learners
    }


def _lead(places: Sequence[int], mlpp: Sequence[float], mmp: Sequence[float]) -> dict[str, int]:
    """Return at how many points a curve is lower than another, and from which document on; 0 if it is not at the end.

    >>> _lead([10, 20, 30, 40], [5, 3, 4, 2], [4, 4, 4, 4])
    {'better': 2, 'from': 40}
    """
    better = [a < b for a, b in zip(mlpp, mmp, strict=True)]
    from_ = next((k + 1 for k in range(len(better) - 1, -1, -1) if not better[k]), 0)
    return {"better": sum(better), "from": places[from_] if from_ < len(places) else 0}

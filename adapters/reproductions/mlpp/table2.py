"""Table II of MLPP's paper: MMP, MLPP, BR and naive Bayes learn RCV1 in order of time, and predict its newest third."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.mlpp.learners import (
    LOSSES,
    in_print,
    losses_picture,
    losses_table,
    paper_learners,
    settings_line,
)
from telex.adapters.reproductions.mlpp.newest import read_newest, smaller
from telex.learners.losses import LOSSES as ALL_LOSSES
from telex.learners.losses import judge
from telex.stream.compare import wilcoxon

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from telex.adapters.reproductions.mlpp.newest import Newest
    from telex.learners.base import Reals

TITLE = "MMP, MLPP, BR and naive Bayes tested on the newest third (RCV1, whatever there is of it; seconds)"
TAKES = {"terms": 25000, "epochs": 1, "seed": 0, "runs": 3}
PAPER = {
    "mmp": {"iserr": 29.35, "errsetsize": 2.801, "margin": 2.120, "avgp": 92.82},
    "mlpp": {"iserr": 28.14, "errsetsize": 1.920, "margin": 1.453, "avgp": 93.67},
    "br": {"iserr": 35.87, "errsetsize": 7.614, "margin": 5.833, "avgp": 90.00},
    "nb": {"iserr": 51.79, "errsetsize": 6.285, "margin": 4.513, "avgp": 82.26},
}
"""The printed figures: 535,987 documents train, 268,427 test."""
CHANGE = {"iserr": -4.11, "errsetsize": -31.45, "margin": -31.47, "avgp": 0.92}
"""By how many percent the paper's MLPP differs from its MMP."""
LEVEL = 0.05


def reproduce(
    data: str | os.PathLike[str],
    progress: Callable[[str], None] = lambda _: None,
    *,
    terms: int = TAKES["terms"],
    epochs: int = TAKES["epochs"],
    seed: int = TAKES["seed"],
    runs: int = TAKES["runs"],
) -> dict[str, Any]:
    """Return the table of the token files of RCV1 in ``data``.

    The first two thirds of the documents train, ``epochs`` times, and the others test. Figures are means over ``runs``
    with other random weights; ``p`` is from the documents of the first.
    """
    documents = read_newest(data, terms, progress)
    each: dict[str, list[dict[str, float]]] = {name: [] for name in PAPER}
    first: dict[str, dict[str, Reals]] = {}
    for run in range(runs):
        for name in PAPER:
            progress(f"{name}, run {run + 1} of {runs}")
            losses = _losses(name, documents, epochs, seed + run)
            each[name].append(in_print({loss: float(np.nanmean(values)) for loss, values in losses.items()}))
            first.setdefault(name, losses)
    ours = {name: {loss: float(np.mean([one[loss] for one in rows])) for loss in LOSSES} for name, rows in each.items()}
    return {
        "settings": documents.settings(terms=terms, epochs=epochs, seed=seed, runs=runs),
        "ours": ours,
        "paper": PAPER,
        "runs": each,
        "change": {"ours": {loss: _percent(ours, loss) for loss in LOSSES}, "paper": CHANGE},
        "p": {loss: _p(first["mlpp"][loss], first["mmp"][loss], loss) for loss in LOSSES},
    }


def lines(found: dict[str, Any]) -> list[str]:
    """Return the settings, the table with the paper's figures, and how MLPP differs from MMP."""
    text = [settings_line(found["settings"]), losses_table(found["ours"], found["paper"]), ""]
    for loss in LOSSES:
        ours, paper = (found["change"][of][loss] for of in ("ours", "paper"))
        text.append(f"{loss}: MLPP differs from MMP by {ours:+.2f} % (paper {paper:+.2f} %), p {found['p'][loss]:.2g}")
    spreads = {name: float(np.std([one["iserr"] for one in rows])) for name, rows in found["runs"].items()}
    several = found["settings"]["runs"] > 1
    return [
        *text,
        "",
        f"p: one-sided Wilcoxon signed-rank test over the test documents; below {LEVEL} is significant",
        *(
            [f"iserr of a learner spreads by at most {max(spreads.values()):.2f} over the runs (standard deviation)"]
            * several
        ),
        *smaller(found),
    ]


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw bars of each loss, ours beside the paper's."""
    return losses_picture({"": (found["ours"], found["paper"])}, path, overwrite=overwrite)


def misses(found: dict[str, Any]) -> list[str]:
    """Say for which losses the learners come in another order than the paper's, and what is not significant."""
    said = []
    for loss in LOSSES:
        here, there = _order(found["ours"], loss), _order(found["paper"], loss)
        if here != there:
            said.append(f"{loss}: the best first, learners are {', '.join(here)} here and {', '.join(there)} there.")
        if found["p"][loss] >= LEVEL:
            said.append(
                f"{loss}: that MLPP is better than MMP is not significant here (p {found['p'][loss]:.2g}), and "
                "significant in the paper."
            )
    return [*said, *smaller(found)]


def _losses(name: str, documents: Newest, epochs: int, seed: int) -> dict[str, Reals]:
    """Return the losses of the test documents, NaN where there is nothing to rank."""
    learner = paper_learners(seed)[name]
    for _ in range(epochs):
        learner.learn(documents.train)
    judged = judge(learner.scores(documents.test), documents.test)
    return {loss: ALL_LOSSES[loss].of(judged) for loss in LOSSES}


def _percent(of: Mapping[str, Mapping[str, float]], loss: str) -> float:
    before = of["mmp"][loss]
    return 100 * (of["mlpp"][loss] - before) / before if before else 0.0


def _p(mlpp: Reals, mmp: Reals, loss: str) -> float:
    """Return p of the test that MLPP is better; 1 where no document differs."""
    differences = mmp - mlpp if loss == "avgp" else mlpp - mmp
    p = wilcoxon(differences[~np.isnan(differences)], "less")[0]
    return 1.0 if np.isnan(p) else p


def _order(of: Mapping[str, Mapping[str, float]], loss: str) -> list[str]:
    return sorted(of, key=lambda name: -of[name][loss] if loss == "avgp" else of[name][loss])

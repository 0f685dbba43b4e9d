"""Figure 7 of MLPP's paper: errors on training and test documents after each pass over RCV1's training part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.mlpp.learners import LOSSES, digits_of, in_print, paper_learners, settings_line
from telex.adapters.reproductions.mlpp.newest import read_newest, smaller
from telex.adapters.terminal import text_table
from telex.learners.base import Batch
from telex.learners.losses import LOSSES as ALL_LOSSES
from telex.learners.losses import judge
from telex.stream import Run

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from telex.learners import Learner

TITLE = "training and test errors of MLPP, MMP and BR after each pass (RCV1, whatever there is of it; a minute)"
TAKES = {"terms": 25000, "epochs": 10, "seed": 0}
PARTS = ("training", "test")
_SHOWN = ("iserr", "errsetsize")
_STABLE = 0.05
"""By what share a test error may rise above its least and still be called stable."""
_NEAR = 0.1
"""From which share of the first pass's training error down it is called near 0."""


def reproduce(
    data: str | os.PathLike[str],
    progress: Callable[[str], None] = lambda _: None,
    *,
    terms: int = TAKES["terms"],
    epochs: int = TAKES["epochs"],
    seed: int = TAKES["seed"],
) -> dict[str, Any]:
    """Return the errors after each of ``epochs`` passes, of one run that tests after each.

    ``ours`` has, for each learner and part, each loss after each pass: of the test documents, and of the training
    documents when the pass is over. ``meanwhile`` has the training documents as they were predicted in the pass, each
    just before it was learnt again.
    """
    documents = read_newest(data, terms, progress)
    learners = {name: learner for name, learner in paper_learners(seed).items() if name != "nb"}
    run = Run(
        [Batch.concat([documents.train, documents.test])],
        learners,
        losses=[ALL_LOSSES[loss] for loss in LOSSES],
        test_after=f"n:{len(documents.train)}",
        epochs=epochs,
        points=len(documents.train) + len(documents.test),  # at the ends of sections alone
    )
    ours: dict[str, dict[str, dict[str, list[float]]]] = {
        name: {part: {loss: [] for loss in LOSSES} for part in PARTS} for name in learners
    }
    meanwhile: dict[str, dict[str, list[float]]] = {name: {loss: [] for loss in LOSSES} for name in learners}
    for point in run:
        if point.part == "train":
            progress(f"pass {point.epoch} of {epochs}")
        for name, figures in point.learners.items():
            if point.part == "train":
                _add(meanwhile[name], figures)
                _add(ours[name]["training"], _of(learners[name], documents.train))
            else:
                _add(ours[name]["test"], figures)
    return {
        "settings": documents.settings(terms=terms, epochs=epochs, seed=seed),
        "passes": list(range(1, epochs + 1)),
        "ours": ours,
        "meanwhile": meanwhile,
        "claims": {loss: _claims(ours, loss) for loss in _SHOWN},
    }


def lines(found: dict[str, Any]) -> list[str]:
    """Return a table for each of two losses, and what holds of what the paper says of its figure."""
    text = [settings_line(found["settings"])]
    for loss in _SHOWN:
        heading = ["passes", *(f"{name} {part}" for name in found["ours"] for part in PARTS)]
        rows = [
            [
                str(done),
                *(f"{of[part][loss][k]:.{digits_of(loss)}f}" for of in found["ours"].values() for part in PARTS),
            ]
            for k, done in enumerate(found["passes"])
        ]
        text += ["", f"{loss}{' x 100' if loss == 'iserr' else ''}", text_table(heading, rows), ""]
        text += [f"{'holds' if holds else 'does not hold'}: {what}" for what, holds in found["claims"][loss].items()]
    return [*text, "", *smaller(found)]


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw a panel for each loss: the test errors, and the training errors dashed."""
    from telex.adapters.plots import lines_picture  # noqa: PLC0415 - matplotlib is an extra

    panels = {
        loss: {
            f"{name}, {part}": (found["passes"], of[part][loss])
            for name, of in found["ours"].items()
            for part in ("test", "training")
        }
        for loss in LOSSES
    }
    return lines_picture(panels, path, columns=2, along="passes", overwrite=overwrite)


def misses(found: dict[str, Any]) -> list[str]:
    """Say what does not hold of the paper's observations."""
    said = [
        f"{loss}: it does not hold here that {what}."
        for loss, claims in found["claims"].items()
        for what, holds in claims.items()
        if not holds
    ]
    return [*said, *smaller(found)]


def _of(learner: Learner, batch: Batch) -> dict[str, float]:
    judged = judge(learner.scores(batch), batch)
    return {loss: float(np.nanmean(ALL_LOSSES[loss].of(judged))) for loss in LOSSES}


def _add(rows: dict[str, list[float]], figures: Any) -> None:
    for loss, value in in_print(figures).items():
        rows[loss].append(value)


def _claims(ours: dict[str, dict[str, dict[str, list[float]]]], loss: str) -> dict[str, bool]:
    """Return what the paper observes, and whether it holds."""
    mlpp, mmp = ours["mlpp"], ours["mmp"]
    return {
        "the test error of MMP grows with the passes": _rise(mmp["test"][loss]) > _STABLE,
        "the test error of MLPP remains stable": _rise(mlpp["test"][loss]) <= _STABLE,
        "the training error of MMP falls": mmp["training"][loss][-1] < mmp["training"][loss][0],
        "the training error of MLPP comes near 0": mlpp["training"][loss][-1] <= _NEAR * mlpp["training"][loss][0],
    }


def _rise(errors: Sequence[float]) -> float:
    """Return by what share the last error is above the least.

    >>> _rise([2.0, 1.0, 1.5])
    0.5
    """
    return errors[-1] / min(errors) - 1 if min(errors) else float(errors[-1] > 0)

"""The two updates of AdaBoost.LC beside each other: all terms a little, or one term of each label as far as is best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from telex.adapters.reproductions.lc.topics import EPS, losses_of, read_topics, settings_line
from telex.adapters.terminal import text_table
from telex.learners.boosting import AdaBoostLC
from telex.learners.boosting.coverings import COVERINGS
from telex.learners.losses import judge
from telex.stream.compare import wald

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

    from telex.learners.base import Reals

TITLE = "the parallel and the sequential update of AdaBoost.LC, by rounds (RCV1; minutes)"
TAKES = {"rounds": 60, "terms": 100}
UPDATES: tuple[Literal["parallel", "sequential"], ...] = ("parallel", "sequential")
SHOWN = (0, 1, 2, 5, 10, 20, 40, 60, 100, 200, 500)
"""The rounds of the table; the picture has all."""


def reproduce(
    data: str | os.PathLike[str],
    progress: Callable[[str], None] = lambda _: None,
    *,
    rounds: int = TAKES["rounds"],
    terms: int = TAKES["terms"],
    train: int | None = None,
    test: int | None = None,
    eps: float = EPS,
) -> dict[str, Any]:
    """Learn each covering with both updates, on documents as :func:`read_topics` prepares them.

    ``losses[update][covering]`` are the covering losses of the training documents before and after each round,
    ``errors[part][update][covering]`` the covering errors in the end, ``words`` how many features have a weight for a
    label, on average, and ``wald`` the paired Wald test of the two on test documents: p, and how much more errors the
    sequential one makes.
    """
    topics = read_topics(data, terms, progress, train, test)
    found: dict[str, Any] = {
        "settings": topics.settings(per_label=terms, rounds=rounds, eps=eps) | {"update": list(UPDATES)},
        "losses": {update: {} for update in UPDATES}, "words": {update: {} for update in UPDATES},
        "errors": {part: {update: {} for update in UPDATES} for part in ("train", "test")}, "wald": {},
    }  # fmt: skip
    for k, name in enumerate(COVERINGS, 1):
        tested: dict[str, Reals] = {}
        for update in UPDATES:
            progress(f"learning {name}, {k} of {len(COVERINGS)} coverings, {update}")
            model = AdaBoostLC(covering=name, update=update, rounds=rounds, eps=eps)
            model.fit(topics.train)
            found["losses"][update][name] = model.losses.tolist()
            found["words"][update][name] = len(model.sums().weights) / len(model.labels)
            for part, batch in (("train", topics.train), ("test", topics.test)):
                of = losses_of(judge(model.scores(batch), batch), [f"cover_{name}"])[f"cover_{name}"]
                found["errors"][part][update][name] = float(np.mean(of))
                tested[update] = of
        more = tested["sequential"] - tested["parallel"]
        p = wald(more)[0]
        found["wald"][name] = {"p": None if np.isnan(p) else p, "more": float(more.mean())}
    return found


def lines(found: dict[str, Any]) -> list[str]:
    """Return the losses after some rounds, and the errors in the end, with Wald's test of their difference."""
    losses, rounds = found["losses"], found["settings"]["rounds"]
    steps = sorted({*(step for step in SHOWN if step < rounds), rounds})
    rows = (
        [f"{name} {update}", *(f"{losses[update][name][step]:.4f}" for step in steps)]
        for name in COVERINGS
        for update in UPDATES
    )
    text = [settings_line(found), "", "covering loss of training documents after so many rounds",
            text_table(["learnt", *(f"{step:,}" for step in steps)], rows)]  # fmt: skip
    ends = (
        [
            f"{name} {update}",
            *(f"{found['errors'][part][update][name]:.4f}" for part in ("train", "test")),
            f"{found['words'][update][name]:.1f}",
            "" if update == "parallel" else _p(found["wald"][name]["p"]),
        ]
        for name in COVERINGS
        for update in UPDATES
    )
    text += ["", f"its own covering error after round {rounds}, the words that a label has a weight for, and p of the "
             "paired Wald test that both updates err alike on test documents",
             text_table(["learnt", "train", "test", "words", "p"], ends)]  # fmt: skip
    lower = [name for name in COVERINGS if losses["sequential"][name][-1] < losses["parallel"][name][-1]]
    fewer = [name for name in COVERINGS if found["wald"][name]["more"] < 0]
    return [
        *text,
        "",
        f"the sequential update has the lower loss in {len(lower)} of {len(COVERINGS)}, and fewer test errors in "
        f"{len(fewer)}",
        "the paper describes both, and measures the parallel one",
    ]


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw a panel for each covering: its loss by round, a line for each update."""
    from telex.adapters.plots import lines_picture  # noqa: PLC0415 - matplotlib is an extra

    panels = {
        f"covering loss, {name}": {
            update: (range(len(curves[name])), curves[name]) for update, curves in found["losses"].items()
        }
        for name in COVERINGS
    }
    return lines_picture(panels, path, columns=len(COVERINGS), along="rounds", overwrite=overwrite)


def _p(p: float | None) -> str:
    return "" if p is None else "<.001" if p < 0.001 else f"{p:.3f}"

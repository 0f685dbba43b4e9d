"""Figure 3 of AdaBoost.LC's paper: each covering error of the training documents after every round of each covering."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.lc.topics import EPS, best, diagonal_line, losses_of, read_topics, settings_line
from telex.adapters.terminal import text_table
from telex.learners.boosting import AdaBoostLC
from telex.learners.boosting.coverings import COVERINGS
from telex.learners.losses import judge

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

TITLE = "training errors of five coverings of AdaBoost.LC after every round, by every covering error (RCV1; minutes)"
TAKES = {"rounds": 60, "terms": 100}
ERRORS = tuple(f"cover_{name}" for name in COVERINGS)
SHOWN = (1, 2, 5, 10, 20, 40, 60, 100, 200, 500)
"""The rounds of the table; the picture has all."""
_ASYMPTOTE = 20
"""After about so many rounds the paper's curves are flat."""


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
    """Return five curves of training errors for each covering learnt: ``errors[learnt][measured]``, a value a round.

    Documents are those of :func:`read_topics`. ``best`` names the covering with the fewest errors after the last round.
    """
    topics = read_topics(data, terms, progress, train, test)
    errors: dict[str, dict[str, list[float]]] = {}
    for k, name in enumerate(COVERINGS, 1):
        progress(f"learning {name}, {k} of {len(COVERINGS)} coverings")
        model = AdaBoostLC(covering=name, rounds=rounds, eps=eps)
        model.keep_stages(range(1, rounds + 1))
        model.fit(topics.train)
        progress(f"errors of {name}")
        curves: dict[str, list[float]] = {measured: [] for measured in ERRORS}
        for after in range(1, rounds + 1):
            found = losses_of(judge(model.staged_scores(topics.train, after), topics.train), ERRORS)
            for measured, of in found.items():
                curves[measured].append(float(np.mean(of)))
        errors[name] = curves
    return {
        "settings": topics.settings(per_label=terms, rounds=rounds, eps=eps),
        "errors": errors,
        "best": best({name: {one: curve[-1] for one, curve in curves.items()} for name, curves in errors.items()}),
    }


def lines(found: dict[str, Any]) -> list[str]:
    """Return a table for each covering measured, with the settings, and what holds of what the paper says."""
    text, errors = [settings_line(found)], found["errors"]
    last = len(errors["zo"][ERRORS[0]])
    steps = sorted({*(step for step in SHOWN if step < last), last})
    for measured in ERRORS:
        rows = ([name, *(f"{curves[measured][step - 1]:.4f}" for step in steps)] for name, curves in errors.items())
        heading = ["learnt", *(f"{step:,}" for step in steps)]
        text += ["", f"{measured} on training documents after so many rounds", text_table(heading, rows)]
    text += ["", diagonal_line(f"after {last} rounds", found["best"])]
    for name in COVERINGS:
        curve = errors[name][f"cover_{name}"]
        text.append(f"{name}: its own error after round {min(_ASYMPTOTE, last)} is {_later(curve):.0%} above the last")
    return [*text, "the paper draws these curves without figures; there the diagonal is best, and they are flat after "
            f"about {_ASYMPTOTE} rounds"]  # fmt: skip


def misses(found: dict[str, Any]) -> list[str]:
    """Say in which panels another covering ends lower than the panel's own, and which curves still fall."""
    errors, said = found["errors"], []
    for asked, name in found["best"].items():
        if name != asked:
            own, other = (errors[one][f"cover_{asked}"][-1] for one in (asked, name))
            said.append(f"{asked}: after the last round {name} has {other:.3f}, and what was learnt for it {own:.3f}.")
    falling = [name for name in COVERINGS if _later(errors[name][f"cover_{name}"]) > 0.05]
    if falling:
        said.append(
            f"The errors of {', '.join(falling)} still fall after round {_ASYMPTOTE}, when the paper's are flat. It "
            "does not say how far one round moves: its templates may have any weights that sum up to 1 or less, and "
            "ours are all 1 divided by the largest sum of a document's features."
        )
    return said


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw a panel for each covering measured, with a line for each covering learnt."""
    from telex.adapters.plots import lines_picture  # noqa: PLC0415 - matplotlib is an extra

    panels = {
        measured: {
            name: (range(1, 1 + len(curves[measured])), curves[measured]) for name, curves in found["errors"].items()
        }
        for measured in ERRORS
    }
    return lines_picture(panels, path, columns=len(ERRORS), along="rounds", overwrite=overwrite)


def _later(curve: list[float]) -> float:
    """Return by how much the error after round 20 is more than the last, as a share of the last."""
    then = curve[min(_ASYMPTOTE, len(curve)) - 1]
    return then / curve[-1] - 1 if curve[-1] else float(then > 0)

"""Table 2 of MP-Boost's paper: F1 of AdaBoost.MH and MP-Boost after 5 to 1,000 rounds, on Reuters-21578."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.mpboost_shared import TITLES, fit_committees, tables_text
from telex.learners.losses import MEASURES, judge, measures, no_counts, tally

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from telex.adapters.reproductions.modapte import Parts
    from telex.learners.boosting import StumpBooster

TITLE = "F1 of AdaBoost.MH and MP-Boost after 5 to 1,000 rounds (Reuters-21578)"
TAKES = {"rounds": 1000}
PAPER = {
    "micro_f1": {
        "full": {
            "adaboost-mh": (0.416, 0.483, 0.611, 0.723, 0.776, 0.798, 0.811, 0.811),
            "mpboost": (0.704, 0.759, 0.795, 0.822, 0.837, 0.843, 0.848, 0.846),
        },
        "reduced": {
            "adaboost-mh": (0.416, 0.483, 0.611, 0.723, 0.773, 0.790, 0.811, 0.806),
            "mpboost": (0.704, 0.760, 0.794, 0.826, 0.839, 0.845, 0.846, 0.839),
        },
    },
    "macro_f1": {
        "full": {
            "adaboost-mh": (0.235, 0.271, 0.325, 0.392, 0.454, 0.461, 0.485, 0.482),
            "mpboost": (0.529, 0.556, 0.586, 0.589, 0.608, 0.600, 0.604, 0.603),
        },
        "reduced": {
            "adaboost-mh": (0.235, 0.271, 0.325, 0.392, 0.457, 0.474, 0.485, 0.484),
            "mpboost": (0.515, 0.560, 0.567, 0.596, 0.614, 0.623, 0.617, 0.619),
        },
    },
}
"""The printed figures, of 20,123 and 2,012 terms; a category without any count has F1 = 1."""


def reproduce(
    data: str | os.PathLike[str], progress: Callable[[str], None] = lambda _: None, *, rounds: int = TAKES["rounds"]
) -> dict[str, Any]:
    """Return micro- and macro-averaged F1 of the test documents after 5, 10, .. rounds.

    Averages are over the categories that a training document has; labels that only test documents have do not count.
    """
    return fit_committees(data, progress, rounds, PAPER, f1)


def lines(found: dict[str, Any]) -> list[str]:
    """Return the tables as text, with the settings, the paper's own figures, and what holds."""
    text = [*tables_text(found, 3), ""]
    for name, sets in found["ours"].items():
        for terms, ours in sets.items():
            if "adaboost-mh" not in ours:
                continue
            better = sum(ours["mpboost"][step] > ours["adaboost-mh"][step] for step in ours["mpboost"])
            paper = found["paper"][name][terms]
            far = {one: max(abs(of[step] - paper[one][step]) for step in of) for one, of in ours.items()}
            text.append(
                f"{name}, {TITLES[terms]}: MP-Boost is better at {better} of {len(ours['mpboost'])} S; farthest from "
                "the paper " + ", ".join(f"{one} {most:.3f}" for one, most in far.items())
            )
    return text


def f1(model: StumpBooster, parts: Parts, rounds: int) -> dict[str, float]:
    """Return both averages over the model's labels, for the test documents after ``rounds`` rounds."""
    marks = judge(model.staged_scores(parts.test, rounds), parts.test).marks
    known = np.array([parts.test.label_names.get(label) for label in model.labels])
    found = measures(tally(no_counts(), marks[np.isin(marks // 4, known)]), len(known))
    figures = dict(zip(MEASURES, found, strict=True))
    return {name: figures[name] for name in PAPER}

"""Table 1 of MP-Boost's paper: how many distinct pivots the committees have, on Reuters-21578."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.mpboost_shared import fit_committees, tables_text

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from telex.adapters.reproductions.modapte import Parts
    from telex.learners.boosting import StumpBooster

TITLE = "distinct pivots of AdaBoost.MH and MP-Boost after 5 to 1,000 rounds (Reuters-21578)"
TAKES = {"rounds": 1000}
PAPER = {
    "distinct pivots": {
        "full": {
            "adaboost-mh": (5, 10, 20, 50, 98, 192, 433, 766),
            "mpboost": (4.5, 8.4, 15.0, 30.6, 50.1, 79.8, 136.6, 191.7),
        },
        "reduced": {
            "adaboost-mh": (5, 10, 20, 50, 98, 192, 433, 703),
            "mpboost": (4.5, 8.4, 15.1, 31.3, 51.1, 81.4, 134.7, 181.5),
        },
    }
}
"""The printed figures, of 20,123 and 2,012 terms; for MP-Boost the mean over categories."""


def reproduce(
    data: str | os.PathLike[str], progress: Callable[[str], None] = lambda _: None, *, rounds: int = TAKES["rounds"]
) -> dict[str, Any]:
    """Return the distinct pivots of the first 5, 10, .. rounds; for MP-Boost the mean over categories."""
    return fit_committees(data, progress, rounds, PAPER, distinct)


def lines(found: dict[str, Any]) -> list[str]:
    """Return the tables as text, with the settings, the paper's own figures, and what holds."""
    fewer = all(
        algorithms["mpboost"][step] < algorithms["adaboost-mh"][step]
        for terms, algorithms in found["ours"]["distinct pivots"].items()
        if terms != "local"
        for step in algorithms["mpboost"]
    )
    verdict = "has" if fewer else "does not always have"
    return [*tables_text(found, 1), "", f"a category of MP-Boost {verdict} fewer distinct pivots than AdaBoost.MH"]


def distinct(model: StumpBooster, _: Parts, rounds: int) -> dict[str, float]:
    """Return how many distinct pivots the first ``rounds`` rounds have, over all labels or as the mean over labels."""
    pivots = model.committee.pivots[:rounds]
    return {"distinct pivots": float(np.mean([len(np.unique(column)) for column in pivots.T]))}

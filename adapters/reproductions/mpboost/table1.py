"""Table 1 of MP-Boost's paper: how many distinct pivots the committees have, on Reuters-21578 and RCV1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.mpboost.committees import TITLES
from telex.adapters.reproductions.mpboost.printed import PIVOTS, printed_table1
from telex.adapters.reproductions.mpboost.tables import tables, tables_picture, tables_text

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

    from telex.learners.boosting import StumpBooster

TITLE = "distinct pivots of AdaBoost.MH and MP-Boost after 5 to 1,000 rounds (Reuters-21578, RCV1)"
TAKES = {"rounds": 1000}


def reproduce(
    data: str | os.PathLike[str], progress: Callable[[str], None] = lambda _: None, *, rounds: int = TAKES["rounds"]
) -> dict[str, Any]:
    """Return the distinct pivots of the first 5, 10, .. rounds, by collection; for MP-Boost means over categories."""
    return tables(data, progress, rounds, printed_table1(), lambda fit, _, step: {PIVOTS: distinct(fit.model, step)})


def lines(found: dict[str, Any]) -> list[str]:
    """Return the tables as text, with the settings, the paper's own figures, and what holds."""
    text = []
    for name, one in found.items():
        fewer = all(
            algorithms["mpboost"][step] < algorithms["adaboost-mh"][step]
            for terms, algorithms in one["ours"][PIVOTS].items()
            if terms != "local"
            for step in algorithms["mpboost"]
        )
        verdict = "has" if fewer else "does not always have"
        told = f"{name}: a category of MP-Boost {verdict} fewer distinct pivots than AdaBoost.MH"
        text += ["", *tables_text(one, {PIVOTS: (1, 1)}), "", told]
    return text[1:]


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw the distinct pivots by rounds, ours beside the paper's."""
    return tables_picture(found, path, columns=2, overwrite=overwrite)


def misses(found: dict[str, Any]) -> list[str]:
    """Say where a committee has a tenth more pivots than in the paper, or fewer, and where MP-Boost has not fewer."""
    said = []
    for name, one in found.items():
        for terms, printed in one["paper"][PIVOTS].items():
            of = one["ours"][PIVOTS][terms]
            for algorithm, paper in printed.items():
                ours = {step: value for step, value in of[algorithm].items() if step in paper}
                last = next(reversed(ours), None)
                if last is not None and abs(ours[last] - paper[last]) > paper[last] / 10:
                    who = "a category of MP-Boost" if algorithm == "mpboost" else "AdaBoost.MH"
                    said.append(
                        f"{name}, {TITLES[terms]}: after {last} rounds {who} has {ours[last]:.1f} distinct pivots, and "
                        f"{paper[last]:.1f} in the paper, which had {_differing(name)}."
                    )
            more = [step for step, value in of["mpboost"].items() if value >= of["adaboost-mh"][step]]
            if more:
                said.append(
                    f"{name}, {TITLES[terms]}: after {', '.join(more)} rounds a category of MP-Boost has no fewer "
                    "distinct pivots than AdaBoost.MH."
                )
    return said


def distinct(model: StumpBooster, rounds: int) -> float:
    """Return how many distinct pivots the first ``rounds`` rounds have, over all labels or as the mean over labels."""
    pivots = model.committee.pivots[:rounds]
    return float(np.mean([len(np.unique(column)) for column in pivots.T]))


def _differing(name: str) -> str:
    return "other words (20,123)" if name == "reuters21578" else "23,149 training documents and other words (55,051)"

"""What the tables of MP-Boost's paper have in common: the committees, on all terms and on a tenth of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from telex.adapters.reproductions.modapte import TEXT, Parts, modapte
from telex.adapters.terminal import text_table
from telex.learners.boosting import AdaBoostMH, MPBoost
from telex.learners.selection import Selected

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping

    from telex.learners.boosting import StumpBooster
    from telex.learners.selection import Policy

    Figures = Callable[[StumpBooster, Parts, int], dict[str, float]]
    Printed = Mapping[str, Mapping[str, Mapping[str, tuple[float, ...]]]]

ROUNDS = (5, 10, 20, 50, 100, 200, 500, 1000)
PER_LABEL = 48
"""How many terms of highest information gain each category adds to the reduced set: the paper's tenth of all."""
TITLES = {
    "full": "full feature set",
    "reduced": "reduced feature set",
    "local": "each category's own terms, not in the paper",
}


class Fit(NamedTuple):
    """A committee: the ``terms`` it was fitted on (a key of TITLES), how many those are, its ``algorithm``."""

    terms: str
    size: int
    algorithm: str
    model: StumpBooster


def fit_committees(
    data: str | os.PathLike[str], progress: Callable[[str], None], rounds: int, paper: Printed, figures: Figures
) -> dict[str, Any]:
    """Fit all committees, and return their ``figures`` after 5, 10, .. rounds, beside the paper's.

    ``paper`` has a tuple along ROUNDS for each figure, feature set and algorithm; the result has a dict by rounds
    instead, up to ``rounds``.
    """
    progress("reading Reuters-21578")
    parts = modapte(data)
    steps = [step for step in ROUNDS if step <= rounds]
    ours: dict[str, Any] = {}
    counts = {}
    for fit in _fits(parts, rounds, progress):
        counts[fit.terms] = fit.size
        for step in steps:
            for name, value in figures(fit.model, parts, step).items():
                ours.setdefault(name, {}).setdefault(fit.terms, {}).setdefault(fit.algorithm, {})[str(step)] = value
    theirs = {
        name: {
            terms: {algorithm: dict(zip(map(str, steps), of, strict=False)) for algorithm, of in algorithms.items()}
            for terms, algorithms in sets.items()
        }
        for name, sets in paper.items()
    }
    return {"settings": _settings(parts, rounds), "terms": counts, "ours": ours, "paper": theirs}


def tables_text(found: dict[str, Any], digits: int) -> list[str]:
    """Return the settings, and a table for each figure and feature set, with the paper's columns beside ours."""
    text = ["settings: " + ", ".join(f"{key} {value}" for key, value in found["settings"].items())]
    for name, sets in found["ours"].items():
        for terms, ours in sets.items():
            paper = found["paper"][name].get(terms, {})
            columns = [(head, of) for one in ours for head, of in ((one, ours[one]), ("paper", paper.get(one))) if of]
            steps = next(iter(ours.values()))
            rows = ([step, *(f"{of[step]:.{digits}f}" for _, of in columns)] for step in steps)
            heading = ["rounds", *(head for head, _ in columns)]
            text += ["", f"{name}, {TITLES[terms]} ({found['terms'][terms]:,} terms)", text_table(heading, rows)]
    return text


def _fits(parts: Parts, rounds: int, progress: Callable[[str], None]) -> Iterator[Fit]:
    algorithms = {"adaboost-mh": AdaBoostMH, "mpboost": MPBoost}
    for name, make in algorithms.items():
        progress(f"{name}, {TITLES['full']}")
        model = make(rounds=rounds)
        model.fit(parts.train)
        yield Fit("full", parts.terms, name, model)
    selections: tuple[tuple[str, Policy, str], ...] = (
        ("reduced", "pooled", "adaboost-mh"),
        ("reduced", "pooled", "mpboost"),
        ("local", "local", "mpboost"),
    )
    for terms, policy, name in selections:
        progress(f"{name}, {TITLES[terms]}")
        model = algorithms[name](rounds=rounds)
        step = Selected(model, by="ig", terms=PER_LABEL, policy=policy)
        step.fit(parts.train)
        yield Fit(terms, len(step.chosen(parts.train)), name, model)


def _settings(parts: Parts, rounds: int) -> dict[str, Any]:
    return {
        "collection": "Reuters-21578 ModApte",
        "train": len(parts.train),
        "test": len(parts.test),
        "categories": len(parts.categories),
        "terms": parts.terms,
        "text": TEXT,
        "reduced": f"{PER_LABEL} terms of highest information gain a category",
        "variant": "R",
        "eps": "1/(documents x categories)",
        "rounds": rounds,
    }

"""Compares learners over several collections, by their ranks."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.terminal import figure_text, p_text, text_table
from telex.learners import BASELINES, describe_losses, did_you_mean
from telex.learners.base import UsageError, without_nan
from telex.stream.compare import friedman
from telex.stream.crossval import read_figures
from telex.stream.run_folder import read_curves, read_facts, split_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.adapters.cli.commands.compare import CompareOptions
    from telex.learners.base import Reals
    from telex.stream.compare import Ranks


@dataclass(frozen=True, slots=True, eq=False)
class _Ranked:
    """The learners ``names`` by one figure: its ``values``, a row for each of the ``folders``, and their ranks."""

    figure: str
    names: Sequence[str]
    folders: Sequence[str]
    values: Reals
    ranks: Ranks


_NOTE = """\
Rank: 1 is the best of a collection; learners with the same figure share their ranks. Friedman's
test is whether any learner differs, Iman and Davenport's is less cautious. By Nemenyi's test two
learners differ, with all pairs looked at, if their mean ranks are more than {critical:.2f} apart
(p below {alpha:g}). The tests are approximate for fewer than ten collections."""


def compare_collections(options: CompareOptions) -> int:
    """Rank the learners on each collection, test the ranks, print the results, and return the exit code."""
    folders = [Path(one) for one in options.collections]
    figures = {str(folder): _figures(folder) for folder in folders}
    if len(figures) < len(folders):
        raise UsageError("a folder is named twice in --collections; name each once")
    names = _learners(options.learners, figures)
    found = [_ranked(figure, figures, names, options.alpha) for figure in options.loss or (_usual(figures),)]
    if options.json:
        ranked = [_plain(one) for one in found]
        print(json.dumps({"alpha": options.alpha, "collections": list(figures), "ranks": ranked}))
        return 0
    for one in found:
        print("\n".join(_text(one, options.alpha)), end="\n\n")
    print(_NOTE.format(critical=found[0].ranks.critical, alpha=options.alpha))
    return 0


def _figures(folder: Path) -> Mapping[str, Mapping[str, float | None]]:
    """Return each learner's figures: on the test parts of a cross-validation, or at the end of a run's curves."""
    if read_facts(folder).get("command") == "crossval":
        found = read_figures(folder).get("learners", {})
        figures = {name: learner["test"] for name, learner in found.items()}
    else:
        curves = read_curves(folder)
        learners = {} if curves is None else curves.learners
        figures = {name: {one: float(column[-1]) for one, column in own.items()} for name, own in learners.items()}
    if not figures:
        raise UsageError(f"{folder} has no figures yet; wait for the end of its first learner, or leave it out")
    return figures


def _learners(given: str | None, figures: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the learners that all collections have, or those given."""
    first = next(iter(figures.values()))
    known = list(dict.fromkeys(name for found in figures.values() for name in found))
    names = split_names(given, known) if given else [one for one in first if one not in BASELINES]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"the learner {twice} is named twice; name it once")
    shared = [name for name in names if all(name in found for found in figures.values())]
    if given and len(shared) < len(names):
        missing = next(name for name in names if name not in shared)
        folder = next(folder for folder, found in figures.items() if missing not in found)
        known = list(figures[folder])
        hint = did_you_mean(missing, known)
        raise UsageError(f"{folder} has no learner {missing!r}{hint}; it has {', '.join(known)}")
    return shared


def _usual(figures: Mapping[str, Any]) -> str:
    return "iserr" if all("iserr" in one for found in figures.values() for one in found.values()) else "accuracy"


def _ranked(
    figure: str, figures: Mapping[str, Mapping[str, Mapping[str, float | None]]], names: Sequence[str], alpha: float
) -> _Ranked:
    known = describe_losses()
    if figure not in known:
        raise UsageError(f"there is no figure {figure!r}{did_you_mean(figure, known)}; `telex losses` lists them")
    values = np.array([[_value(found[name].get(figure)) for name in names] for found in figures.values()], float)
    for folder, row in zip(figures, values, strict=True):
        if np.isnan(row).any():
            learner = names[int(np.isnan(row).argmax())]
            raise UsageError(f"{folder} has no {figure} for {learner}; leave one of them out, or take another --loss")
    ranks = friedman(np.abs(values - known[figure]["best"]), alpha)
    return _Ranked(figure, names, list(figures), values, ranks)


def _value(given: float | None) -> float:
    return math.nan if given is None else given


def _plain(found: _Ranked) -> dict[str, Any]:
    names, ranks = found.names, found.ranks
    learners = {
        name: {"mean_rank": float(ranks.means[i]), "figures": found.values[:, i].tolist()}
        for i, name in enumerate(names)
    }
    pairs = [
        {"a": names[a], "b": names[b], "p": float(ranks.pairs[a, b])} for a, b in combinations(range(len(names)), 2)
    ]
    tests = {"friedman_p": ranks.p, "iman_davenport_p": ranks.p_iman, "critical_difference": ranks.critical}
    plain: dict[str, Any] = without_nan({"figure": found.figure, **tests, "learners": learners, "nemenyi": pairs})
    return plain


def _text(found: _Ranked, alpha: float) -> list[str]:
    names, ranks = found.names, found.ranks
    order = np.argsort(ranks.means, kind="stable").tolist()
    rows = [[folder, *(figure_text(found.values[row, i]) for i in order)] for row, folder in enumerate(found.folders)]
    rows.append(["mean rank", *(f"{ranks.means[i]:.2f}" for i in order)])
    lines = [text_table([found.figure, *(names[i] for i in order)], rows)]
    lines.append(f"Friedman p {p_text(ranks.p)}, Iman and Davenport p {p_text(ranks.p_iman)}")
    apart = [(a, b) for a, b in combinations(order, 2) if ranks.pairs[a, b] < alpha]
    lines += [f"{names[a]} is better than {names[b]} (Nemenyi p {p_text(float(ranks.pairs[a, b]))})" for a, b in apart]
    return lines if apart else [*lines, "no two learners differ by Nemenyi's test"]

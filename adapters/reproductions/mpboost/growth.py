"""Section 4 of MP-Boost's paper, measured: how the cost grows with documents, categories, terms and rounds."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.reproductions.mpboost.committees import classify, collections, fitted, settings, settings_line
from telex.adapters.reproductions.mpboost.printed import ALGORITHMS
from telex.adapters.terminal import text_table
from telex.learners.base import Names
from telex.learners.selection import keep_terms

if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from pathlib import Path

    from telex.learners.base import Batch, Ids, Offsets

TITLE = "how seconds of AdaBoost.MH and MP-Boost grow with documents, categories, terms, rounds (Reuters-21578, RCV1)"
TAKES = {"rounds": 200, "runs": 2, "seed": 0}
SHARES = (0.125, 0.25, 0.5, 1.0)
FACTORS = {"documents": "g", "categories": "m", "terms": "r", "rounds": "S"}
"""Each with the paper's letter: it derives O(g m r) for each of S rounds, so that twice as much takes twice as long."""
_SECONDS = ("training", "classification")
_LINEAR = 1.7


def reproduce(
    data: str | os.PathLike[str],
    progress: Callable[[str], None] = lambda _: None,
    *,
    rounds: int = TAKES["rounds"],
    runs: int = TAKES["runs"],
    seed: int = TAKES["seed"],
) -> dict[str, Any]:
    """Return the seconds of fits with an eighth, a quarter, a half and all of each factor, the others being whole.

    ``seed`` draws which documents, categories and terms these are; a larger share has those of a smaller one. Seconds
    are those of the processor, with one thread, the least of ``runs``: of a fit, and of the prediction of all test
    documents. ``sizes`` says how many they are, ``doubled`` by how much the last doubling multiplies them.
    """
    found = {}
    for name, parts in collections(data, progress):
        whole: dict[str, Ids | Offsets] = {
            "documents": np.arange(len(parts.train), dtype=np.int32), "categories": parts.categories,
            "terms": parts.train_terms, "rounds": np.arange(rounds),
        }  # fmt: skip
        orders = {factor: np.random.default_rng(seed).permutation(of) for factor, of in whole.items()}
        ours: dict[str, Any] = {kind: {one: {} for one in ALGORITHMS} for kind in _SECONDS}
        sizes = {factor: [max(1, math.ceil(share * len(of))) for share in SHARES] for factor, of in whole.items()}
        for factor, order in orders.items():
            progress(f"{name}: {factor}")
            for size in sizes[factor]:
                train = _part(parts.train, factor, order[:size])
                for algorithm in ALGORITHMS:
                    seconds = []
                    for _ in range(runs):
                        began = time.process_time()
                        model = fitted(algorithm, train, None, size if factor == "rounds" else rounds, threads=1)
                        seconds.append(time.process_time() - began)
                    ours["training"][algorithm].setdefault(factor, []).append(min(seconds))
                    taken = min(classify(model, parts.test, len(model.committee)) for _ in range(runs))
                    ours["classification"][algorithm].setdefault(factor, []).append(taken)
        found[name] = {
            "settings": settings(name, parts, rounds) | {"runs": runs, "seed": seed}, "sizes": sizes, "ours": ours,
            "doubled": {
                kind: {one: {factor: _ratio(*of[-2:]) for factor, of in by.items()} for one, by in algorithms.items()}
                for kind, algorithms in ours.items()
            },
            "paper": {"training": 2.0},
        }  # fmt: skip
    return found


def lines(found: dict[str, Any]) -> list[str]:
    """Return a table for each collection and kind of seconds, and by how much they grow with the last doubling."""
    text = []
    for name, one in found.items():
        text += ["", settings_line(one)]
        for kind, algorithms in one["ours"].items():
            heading = ["factor", "of", *(f"{share:g}" for share in SHARES), "doubled"]
            rows = (
                [
                    f"{algorithm} {factor}",
                    f"{one['sizes'][factor][-1]:,}",
                    *(f"{value:.4g}" for value in seconds),
                    f"x {one['doubled'][kind][algorithm][factor]:.2f}",
                ]
                for algorithm, by in algorithms.items()
                for factor, seconds in by.items()
            )
            text += ["", f"{name}: seconds of {kind}", text_table(heading, rows)]
    told = "doubled: by how much the seconds are multiplied from a half to all; the paper derives x 2 for training"
    return [*text[1:], "", told]


def misses(found: dict[str, Any]) -> list[str]:
    """Say with which factors the cost of training grows more slowly than in the paper, and why."""
    said = []
    for name, one in found.items():
        slow = [
            f"{algorithm} with {factor} (x {value:.2f})"
            for algorithm, by in one["doubled"]["training"].items()
            for factor, value in by.items()
            if value < _LINEAR
        ]
        if slow:
            said.append(
                f"{name}: twice as much does not take twice as long: {', '.join(slow)}. The paper sums over all "
                "documents for each term and category; ours over those that have the term, and only where sums "
                "changed. And preparing the documents, and comparing the terms of a round, take their own time."
            )
    return said


def picture(found: dict[str, Any], path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Draw a row for each collection: training seconds along the share of each factor."""
    from telex.adapters.plots import lines_picture  # noqa: PLC0415 - matplotlib is an extra

    panels = {
        f"seconds by {factor} ({letter}), {name}": {
            algorithm: ([share * one["sizes"][factor][-1] for share in SHARES], by[factor])
            for algorithm, by in one["ours"]["training"].items()
        }
        for name, one in found.items()
        for factor, letter in FACTORS.items()
    }
    return lines_picture(panels, path, columns=len(FACTORS), along="how many", overwrite=overwrite)


def _part(batch: Batch, factor: str, chosen: Any) -> Batch:
    """Return the documents with some of the documents, categories or terms; all of them where rounds vary."""
    if factor == "documents":
        return batch.take(np.sort(chosen))
    if factor == "terms":
        return keep_terms(batch, chosen)
    if factor == "categories":
        names = Names(batch.label_names[c] for c in np.sort(chosen).tolist())
        known = set(names)
        return batch.with_labels(
            [[label for label in batch.labels_of(row) if label in known] for row in range(len(batch))], names
        )
    return batch


def _ratio(half: float, whole: float) -> float:
    return whole / half if half else float("inf")

"""Who is better, and since when, as a page shows it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.report.files import reading
from telex.adapters.report.thinning import rounded
from telex.stream.compare import ALPHA, comparisons, sequences

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LOSSES = ("iserr", "avgp", "oneerr", "errsetsize")
_PLACES = 120
_DRAWN = 10
"""Pairs whose intervals are drawn, the first: those of five learners."""


def verdicts(folder: Path) -> dict[str, Any] | None:
    """Return how pairs of learners stand by a few losses, and the intervals of the first by the first of them.

    None where the run kept no losses, or has no two learners.
    """
    header = folder / "losses.json"
    if not header.is_file():
        return None
    with reading(header):
        told = json.loads(header.read_text(encoding="utf-8"))
        learners, there = told["learners"], told["losses"]
    losses = [name for name in LOSSES if name in there] or list(there)[:1]
    if len(learners) < 2 or not losses:
        return None
    found = comparisons(folder, losses)
    return {
        "alpha": ALPHA,
        "pairs": [{"part": part, **plain(pair)} for part, pairs in found.items() for pair in pairs],
        "drawn": _drawn(folder, losses[0], max((pair.n for pair in found["train"]), default=0))
        if there[losses[0]]["bounded"]
        else None,
    }


def plain(told: Any) -> dict[str, Any]:
    """Return a pair or a standing as JSON has it: what is undefined is None."""

    def plain_of(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: plain_of(one) for key, one in value.items()}
        return None if value != value else value  # noqa: PLR0124 - NaN

    return dict(plain_of(asdict(told)))


def _drawn(folder: Path, loss: str, documents: int) -> dict[str, Any]:
    places = np.unique(np.geomspace(1, max(1, documents), _PLACES).astype(np.int64))
    found = list(sequences(folder, loss, at=places.tolist()).items())[:_DRAWN]
    return {"loss": loss, "documents": places.tolist(), "pairs": [_lines(pair, bounds) for pair, bounds in found]}


def _lines(pair: Iterable[str], bounds: Any) -> dict[str, Any]:
    a, b = pair
    ends = {name: rounded(getattr(bounds, name)) for name in ("difference", "lower", "upper")}
    return {"a": a, "b": b, **ends}

"""The comparisons of learners as plain data for a page."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.report.thinned_points import rounded
from telex.learners import known_losses as installed
from telex.learners.base import without_nan
from telex.stream.compare import ALPHA
from telex.stream.run_folder import comparisons, has_losses, read_losses, sequences

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from telex.learners.losses import Shown

_LOSSES = 4
"""The number of losses by which pairs are compared: the most important ones."""
_PLACES = 120
_DRAWN = 10
"""The number of pairs whose intervals are drawn: all pairs of five learners."""


def comparison_data(folder: Path, shown: Shown) -> dict[str, Any] | None:
    """Return the comparisons of all pairs of learners by a few losses, and the intervals of the first pairs and loss.

    None if the run stored no losses, or has fewer than two learners.
    """
    if not has_losses(folder):
        return None
    stored = read_losses(folder)
    learners, there = stored.learners, stored.losses
    names = shown.by_priority([loss for name, loss in installed().items() if name in there])
    losses = [name for name in names if name in there][:_LOSSES] or list(there)[:1]
    if len(learners) < 2 or not losses:
        return None
    found = comparisons(folder, losses)
    return {
        "alpha": ALPHA,
        "pairs": [{"part": part, **without_nan(asdict(pair))} for part, pairs in found.items() for pair in pairs],
        "drawn": _drawn(folder, losses[0], int(stored.documents().max(initial=1)))
        if there[losses[0]]["bounded"]
        else None,
    }


def _drawn(folder: Path, loss: str, documents: int) -> dict[str, Any]:
    places = np.unique(np.geomspace(1, documents, _PLACES).astype(np.int64))
    found = list(sequences(folder, loss, at=places.tolist()).items())[:_DRAWN]
    return {"loss": loss, "documents": places.tolist(), "pairs": [_lines(pair, bounds) for pair, bounds in found]}


def _lines(pair: Iterable[str], bounds: Any) -> dict[str, Any]:
    a, b = pair
    ends = {name: rounded(getattr(bounds, name)) for name in ("difference", "lower", "upper")}
    return {"a": a, "b": b, **ends}

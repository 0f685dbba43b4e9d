"""The decisive terms of the boosted committees in a checkpoint, label by label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners.base import FirstForgotten
from telex.learners.boosting import AdaBoostLC, AdaBoostMH, BoostingMH, MPBoost
from telex.stream.sources import FrozenFeatures

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.stream.checkpoints.snapshot import Snapshot

_BOOSTED = {made.stored_name: made for made in (AdaBoostLC, AdaBoostMH, BoostingMH, MPBoost)}
_WRAPPED = {"refit": "model", "select": "model", "windowed": "boost"}


def find_decisive_terms(checkpoint: Snapshot, terms: int, labels: int) -> dict[str, dict[str, Any]]:
    """Return, for each boosted learner, the ``terms`` most decisive terms for each of its first ``labels`` labels.

    ``weights`` are what the presence of a term adds to a label's score, of either sign, the largest first. AdaBoost.LC
    weighs values; there it is what the term adds at the largest value that it had in the window. ``pivots`` are the
    terms of the label's first rounds in their order, each named once; None is a term that the vocabulary has
    forgotten since. AdaBoost.LC has no pivots. A learner that has not been fitted yet is left out.
    """
    decisive: dict[str, dict[str, Any]] = {}
    frozen: FrozenFeatures | None = None
    for name in checkpoint.tree["settings"]["learners"]:
        given, state = checkpoint.tree["settings"][f"learner {name}"], checkpoint.tree["learners"][name]
        while isinstance(given, dict) and given["kind"] in _WRAPPED:
            given = given[_WRAPPED[given["kind"]]]
        made = _BOOSTED.get(given["kind"]) if isinstance(given, dict) else None
        if made is not None and state is not None and state.get("model") is not None:
            frozen = frozen or FrozenFeatures(checkpoint)
            model = made()
            model.load(checkpoint.part("learners", name, "model", "state"))
            gone = FirstForgotten()
            gone.load(checkpoint.part("learners", name, "gone"))
            decisive[name] = _of(model, set(gone.features().tolist()), frozen.name, terms, labels)
    return decisive


def _of(
    model: AdaBoostLC | AdaBoostMH | MPBoost, gone: set[int], named: Callable[[int], str], terms: int, labels: int
) -> dict[str, Any]:
    sums, committee = model.sums(), None if isinstance(model, AdaBoostLC) else model.committee
    strongest = sums.strongest(terms + len(gone))  # enough, however many of them are gone
    rows = []
    for column, label in enumerate(list(model.labels)[:labels]):
        weights = [(f, weight) for f, weight in strongest[column] if f not in gone][:terms]
        rounds = [] if committee is None else committee.stumps(column)
        pivots = list(dict.fromkeys(stump.pivot for stump in rounds))[:terms]
        rows.append(
            {
                "label": label,
                "bias": float(sums.bias[column]),
                "weights": [[named(f), weight] for f, weight in weights],
                "pivots": [None if f < 0 or f in gone else named(f) for f in pivots],
            }
        )
    rounds_there = None if committee is None else len(committee)
    return {"rounds": rounds_there, "known": len(model.labels), "labels": rows}

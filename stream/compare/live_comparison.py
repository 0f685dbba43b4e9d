"""The comparison that a run makes as it goes: its learners, its loss and its events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from telex.learners import BASELINES
from telex.stream.compare.comparison import Comparison

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from telex.learners.losses import Loss
    from telex.stream.compare.pair_leads import OrderChange
    from telex.stream.monitor import Champion

MOST = 10
"""How many learners, the first ones, are compared during a run: 10 make 45 pairs."""


def choose_comparison_loss(losses: Sequence[Loss], champion: Champion | None) -> Loss | None:
    """Return the loss to compare by: the champion's, else iserr, else the first whose values lie in [0, 1].

    >>> from telex.learners.losses import LOSSES
    >>> pairs = (["avgp", "iserr"], ["margin", "avgp"])
    >>> [choose_comparison_loss([LOSSES[name] for name in names], None).name for names in pairs]
    ['iserr', 'avgp']
    """
    wanted = [] if champion is None else [champion.loss]
    wanted += [*(loss for loss in losses if loss.name == "iserr"), *losses]
    return next((loss for loss in wanted if loss.bounded), None)


def make_comparison(names: Iterable[str], loss: Loss | None) -> Comparison | None:
    """Return the comparison of the first ``MOST`` learners without the baselines; None if there are fewer than two."""
    chosen = [name for name in names if name not in BASELINES][:MOST]
    return None if loss is None or len(chosen) < 2 else Comparison(chosen, loss.best, binary=loss.binary)


def order_event(change: OrderChange, comparison: Comparison, loss: Loss) -> dict[str, Any]:
    """Return the event for a pair that has an order, or has lost it (``better`` is None)."""
    a, b = comparison.pairs[change.pair]
    return {
        "event": "order",
        "document": change.document,
        "loss": loss.name,
        "learners": [a, b],
        "better": {1: b, -1: a}.get(change.sign),
        "since": change.since,
    }

"""The comparison of learners by one loss, document by document."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from telex.learners import BASELINES
from telex.learners.base import UsageError
from telex.stream.compare.confidence_sequence import BINARY, GRADED, Mixture
from telex.stream.compare.pair_leads import Orders
from telex.stream.compare.running_sums import RunningSums, Trace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from telex.learners.base import Offsets, Reals, State
    from telex.stream.compare.pair_leads import OrderChange

ALPHA = 0.05


@dataclass(frozen=True, slots=True)
class PairStanding:
    """The state of one pair: how much more ``a`` loses than ``b`` on average, over the ``n`` documents scored for both.

    With probability 1 - alpha, the mean of the expected differences lies between ``lower`` and ``upper``, for all pairs
    and at all times at once. ``better`` names the learner that is better by these bounds, without a break ``since``
    that many documents had come; both are None while the order is open.
    """

    a: str
    b: str
    n: int
    difference: float
    lower: float
    upper: float
    better: str | None
    since: int | None


class Comparison:
    """Compares all pairs of ``names``, document by document, by a loss with values in [0, 1].

    ``alpha`` is the probability that any interval of any pair is ever wrong; it is shared among the pairs and their two
    sides. A loss whose ``best`` is 1 counts as 1 - loss; one that is not ``binary`` has intervals that are narrow for
    small differences too. Losses are rounded to float32, as a run folder stores them.
    However documents are cut into calls, the results are the same to the bit. ``pairs`` are in the order of the names.

    >>> duel = Comparison(["mmp", "nb"])
    >>> losses = {"mmp": np.zeros(200), "nb": np.arange(200) % 2}
    >>> [order.since for order in duel.add(losses, np.arange(1, 201))]
    [54]
    >>> duel.standings()[0].better, duel.standings()[0].difference, round(duel.standings()[0].upper, 3)
    ('mmp', -0.5, -0.338)
    """

    def __init__(self, names: Iterable[str], best: float = 0.0, alpha: float = ALPHA, *, binary: bool = True) -> None:
        self.names, self.best, self.alpha = tuple(names), best, alpha
        if len(self.names) < 2:
            raise UsageError(
                f"{', '.join(self.names) or 'no learner'} cannot be compared alone; name two learners or more"
            )
        if not 0 < alpha < 1:
            raise UsageError(f"alpha is {alpha}; give a probability between 0 and 1, such as 0.05")
        self.pairs = tuple(combinations(self.names, 2))
        self._first, self._second = (
            np.array(side) for side in zip(*combinations(range(len(self.names)), 2), strict=True)
        )
        self._mixture = Mixture(alpha / (2 * len(self.pairs)), BINARY if binary else GRADED)
        self._running, self._orders = RunningSums(len(self.pairs)), Orders(len(self.pairs))

    def add(self, values: Mapping[str, Any], documents: Offsets) -> list[OrderChange]:
        """Add each learner's losses of some documents, NaN where undefined; return the orders to report.

        ``documents`` says for each how many documents had come when it was scored.
        """
        if not len(documents):
            return []
        trace = self.trace(values)
        return self._orders.follow(self._mixture.crossed(trace.sums, trace.spreads), documents)

    def trace(self, values: Mapping[str, Any]) -> Trace:
        """Add losses; return the sums after each document, without following orders."""
        rows = np.array([values[name] for name in self.names], np.float32).astype(np.float64)
        costs = self.best - rows if self.best > 0 else rows
        return self._running.add(costs[self._first] - costs[self._second])

    def bounds(self, counts: Offsets, sums: Reals, spreads: Reals) -> tuple[Reals, Reals, Reals]:
        """Return means and the ends of their intervals for the sums of a trace; NaN where nothing was scored yet."""
        counts = np.where(counts, counts, np.nan)
        means, radii = sums / counts, self._mixture.radius(spreads) / counts
        return means, np.maximum(means - radii, -1.0), np.minimum(means + radii, 1.0)

    def standings(self) -> list[PairStanding]:
        """Return the current state of each pair."""
        running, orders = self._running, self._orders
        means, lower, upper = self.bounds(running.counts, running.sums, running.spreads)
        standings = []
        for i, (a, b) in enumerate(self.pairs):
            better = {1: b, -1: a}.get(int(orders.signs[i]))
            since = None if better is None else int(orders.since[i])
            ends = (float(means[i]), float(lower[i]), float(upper[i]))
            standings.append(PairStanding(a, b, int(running.counts[i]), *ends, better, since))
        return standings

    def save(self) -> State:
        """Return sums and orders as plain data."""
        return {"running": self._running.save(), "orders": self._orders.save()}

    def load(self, state: State) -> None:
        """Restore what :meth:`save` returned; names and settings must be the same."""
        self._running.load(state["running"])
        self._orders.load(state["orders"])


def contestants(names: Sequence[str]) -> list[str]:
    """Return the learners compared by default: all but the baselines, or all if that leaves fewer than two.

    >>> contestants(["mmp", "nb", "prior", "last"]), contestants(["mmp", "prior"])
    (['mmp', 'nb'], ['mmp', 'prior'])
    """
    others = [name for name in names if name not in BASELINES]
    return others if len(others) > 1 else list(names)

"""Solves the maximum margin problem of H-M3, some passes at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.base import Reals, Values
    from telex.learners.trees.fitted.tree_window import TreeWindow

    Arrays = tuple[Values, Values, Reals, Reals, Reals]


@dataclass(frozen=True, slots=True)
class MarginProblem:
    """Documents on a tree, what a mistake at each node costs, and how long to solve.

    ``strength`` weighs violated margins. The solver ends when primal and dual objective differ by at most the share
    ``gap``, or after ``passes``.
    """

    window: TreeWindow
    costs: Reals
    below_right: bool
    strength: float
    passes: int
    steps: int
    gap: float
    seed: int


class NativeSolver(Protocol):
    """Solves passes from ``first`` to ``stop``; returns how many are done in all, and whether the gap is reached."""

    def __call__(self, problem: MarginProblem, arrays: Arrays, first: int, stop: int, /) -> tuple[int, bool]:
        """Change the state and the marginals, and fill the passes of the three curves, which follow them."""
        ...


@dataclass(frozen=True, slots=True)
class MarginSolution:
    """The ``state`` that scores follow from, the marginals, and by pass dual objective, gap and primal objective.

    ``stages`` has the states after the numbers of passes that were asked for, as far as they came.
    """

    state: Values
    marginals: Values
    curve: Reals
    stages: dict[int, Values]


def solve(
    problem: MarginProblem, native: NativeSolver, rows: int, marginals: Values, stages: Sequence[int] = ()
) -> MarginSolution:
    """Solve from ``marginals``, which change; the result does not depend, in any bit, on the ``stages`` asked for."""
    state = np.zeros((rows, marginals.shape[1]), np.float32)
    dual, gap, primal = np.zeros(problem.passes), np.zeros(problem.passes), np.full(problem.passes, np.nan)
    arrays = state, marginals, dual, gap, primal
    kept: dict[int, Values] = {}
    passes, solved = 0, False
    for stop in sorted({*(one for one in stages if 0 < one < problem.passes), problem.passes}):
        passes, solved = native(problem, arrays, passes, stop)
        if solved:
            break
        if stop < problem.passes:
            kept[stop] = state.copy()
    return MarginSolution(state, marginals, np.stack([dual, gap, primal], axis=1)[:passes].copy(), kept)

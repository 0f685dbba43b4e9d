"""The two forms of H-M3: weights of features, or documents with a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners import _trees
from telex.learners.trees.fitted.tree_model import is_weights

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Ids, Offsets, Values
    from telex.learners.trees import Tree
    from telex.learners.trees.fitted.margin_solver import Arrays, MarginProblem
    from telex.learners.trees.fitted.tree_window import TreeWindow

    Rows = tuple[Offsets, Ids, Values]

KERNELS = ("linear", "poly", "rbf")


@dataclass(frozen=True, slots=True)
class Similarity:
    """How similar two documents are: x.z, (gamma x.z + coef0)^degree, or exp(-gamma |x - z|^2)."""

    kernel: str = "linear"
    degree: int = 2
    gamma: float = 1.0
    coef0: float = 1.0

    @property
    def native(self) -> dict[str, Any]:
        """The parameters as the native core takes them."""
        kind = KERNELS.index(self.kernel)
        return {"kind": kind, "degree": self.degree, "gamma": self.gamma, "coef0": self.coef0}


@dataclass(frozen=True, slots=True, eq=False)
class LinearForm:
    """A row of ``state`` for each feature: the weights of the labellings of each edge."""

    state: Values

    def save(self) -> dict[str, Any]:
        """Return the weights as plain data."""
        return {"state": self.state}

    def label(self, rows: Rows, tree: Tree, scores: Values, relevant: Any) -> None:
        """Fill the score of each node, and whether the best labelling has it."""
        _trees.label(*rows, tree.parents, self.state, scores, relevant)


@dataclass(frozen=True, slots=True, eq=False)
class KernelForm:
    """A row of ``state`` for each fitted document: C times its true labelling, less its marginals.

    ``starts``, ``rows`` and ``values`` are the documents by their features.
    """

    state: Values
    starts: Offsets
    rows: Ids
    values: Values
    similarity: Similarity

    @classmethod
    def of(cls, window: TreeWindow, similarity: Similarity) -> KernelForm:
        """Return the form of the documents of a window, before it is solved."""
        order = np.argsort(window.places, kind="stable")
        documents = np.repeat(np.arange(len(window.relevant), dtype=np.int32), np.diff(window.indptr))
        wide = int(window.places.max(initial=-1)) + 1
        starts = np.searchsorted(window.places[order], np.arange(wide + 1)).astype(np.int64)
        state = np.zeros((len(window.relevant), 3 * len(window.tree)), np.float32)
        return cls(state, starts, documents[order], window.values[order], similarity)

    def solve(self, problem: MarginProblem, arrays: Arrays, first: int, stop: int) -> tuple[int, bool]:
        """Solve some passes; see :class:`~telex.learners.trees.fitted.margin_solver.NativeSolver`."""
        return _trees.hm3_kernel(**_arguments(problem, arrays), first=first, stop=stop, **self._documents)

    def label(self, rows: Rows, tree: Tree, scores: Values, relevant: Any) -> None:
        """Fill the score of each node, and whether the best labelling has it."""
        _trees.label_kernel(*rows, tree.parents, self.state, scores, relevant, **self._documents)

    @property
    def _documents(self) -> dict[str, Any]:
        return {"starts": self.starts, "rows": self.rows, "row_values": self.values, **self.similarity.native}

    def of_states(self, states: Sequence[Values]) -> list[KernelForm]:
        """Return the form with each of the states, and the documents that count in any of them."""
        kept = np.flatnonzero(np.any([(state != 0).any(1) for state in states], axis=0))
        place = np.full(len(self.state), -1, np.int32)
        place[kept] = np.arange(len(kept))
        stay = place[self.rows] >= 0
        starts = np.append(0, np.cumsum(stay))[self.starts].astype(np.int64)
        rows, values = place[self.rows[stay]], self.values[stay]
        return [KernelForm(state[kept], starts, rows, values, self.similarity) for state in states]

    def save(self) -> dict[str, Any]:
        """Return the documents and their state as plain data."""
        return {"state": self.state, "starts": self.starts, "rows": self.rows, "values": self.values}

    @classmethod
    def load(cls, saved: Mapping[str, Any], features: int, columns: int, similarity: Similarity) -> KernelForm | None:
        """Restore what :meth:`save` returned for so many features and columns; None if it does not fit."""
        state, starts, rows, values = (saved[name] for name in ("state", "starts", "rows", "values"))
        types = [one.dtype for one in (starts, rows, values)] == [np.int64, np.int32, np.float32]
        fits = types and is_weights(state, len(state), columns) and starts.ndim == rows.ndim == values.ndim == 1
        fits = fits and 1 <= len(starts) <= features + 1 and starts[0] == 0 and starts[-1] == len(rows) == len(values)
        fits = fits and bool((np.diff(starts) >= 0).all() and np.isfinite(values).all())
        if not fits or rows.min(initial=0) < 0 or rows.max(initial=-1) >= len(state):
            return None
        return cls(state, starts, rows, values, similarity)


def solve_linear(problem: MarginProblem, arrays: Arrays, first: int, stop: int) -> tuple[int, bool]:
    """Solve some passes; see :class:`~telex.learners.trees.fitted.margin_solver.NativeSolver`."""
    return _trees.hm3(**_arguments(problem, arrays), first=first, stop=stop)


def _arguments(problem: MarginProblem, arrays: Arrays) -> dict[str, Any]:
    window = problem.window
    return {
        "indptr": window.indptr, "terms": window.places, "values": window.values, "relevant": window.relevant,
        "parents": window.tree.parents, "costs": problem.costs, "below_right": problem.below_right,
        "strength": problem.strength, "steps": problem.steps, "gap": problem.gap, "seed": problem.seed,
        **dict(zip(("state", "marginals", "dual", "gaps", "primal"), arrays, strict=True)),
    }  # fmt: skip

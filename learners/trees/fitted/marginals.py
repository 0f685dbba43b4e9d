"""The marginals of H-M3's dual, which a later fit can begin with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.trees import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Offsets, Values
    from telex.learners.trees.fitted.tree_window import TreeWindow

_OFF, _ON, _ABSENT = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Marginals:
    """The mass of each labelling of each edge of ``tree``, a row for each document, which adds up to ``strength``.

    ``numbers`` are the documents' numbers in the stream. Documents that have all mass on their true labelling are left
    out. The columns are those of the edges whose child alone is off, then those with both on, then with both off.
    """

    numbers: Offsets
    tree: Tree
    strength: float
    mass: Values

    @classmethod
    def empty(cls) -> Marginals:
        """Return the marginals of no document."""
        return cls(np.zeros(0, np.int64), Tree.empty(), 0.0, np.zeros((0, 0), np.float32))

    @classmethod
    def of(cls, numbers: Offsets, window: TreeWindow, strength: float, mass: Values) -> Marginals:
        """Return the marginals of those documents of a window that have mass elsewhere than on the truth."""
        moved = (mass != true_marginals(window, strength)).any(1)
        return cls(numbers[moved], window.tree, strength, mass[moved])

    def begin(self, numbers: Offsets, window: TreeWindow, strength: float) -> Values:
        """Return marginals for a window: of documents that were there before their own, of others the true ones.

        They add up to the new ``strength``. At a node that is new, no earlier document has mass on its being on. If a
        node has another parent than before, all begin with the truth.
        """
        whole = true_marginals(window, strength)
        if not len(self.numbers) or not self._has_parents_of(window.tree):
            return whole
        rows = {number: row for row, number in enumerate(self.numbers.tolist())}
        here = np.array([row for row, number in enumerate(numbers.tolist()) if number in rows], np.int64)
        before = self.mass[[rows[number] for number in numbers[here].tolist()]] * np.float32(strength / self.strength)
        was = before.reshape(len(here), 3, len(self.tree))
        mass = np.zeros((len(here), 3, len(window.tree)), np.float32)
        for node, (label, parent) in enumerate(zip(window.tree.labels, window.tree.parents.tolist(), strict=True)):
            if label in self.tree:
                mass[:, :, node] = was[:, :, self.tree.place[label]]
                continue
            above = np.full(len(here), strength, np.float32) if parent < 0 else mass[:, _ON, parent]
            mass[:, _OFF, node], mass[:, _ABSENT, node] = above, np.float32(strength) - above
        whole[here] = mass.reshape(len(here), -1)
        return whole

    def _has_parents_of(self, tree: Tree) -> bool:
        return all(self.tree.path(label)[1:2] == tree.path(label)[1:2] for label in tree.labels if label in self.tree)

    def save(self) -> dict[str, Any]:
        """Return the marginals as plain data, without the tree."""
        return {"numbers": self.numbers, "strength": self.strength, "mass": self.mass}

    @classmethod
    def load(cls, state: Mapping[str, Any], tree: Tree) -> Marginals | None:
        """Restore what :meth:`save` returned, on ``tree``; None if it does not fit."""
        numbers, strength, mass = state["numbers"], float(state["strength"]), state["mass"]
        fits = numbers.dtype == np.int64 and numbers.ndim == 1 and mass.dtype == np.float32
        fits = fits and mass.shape == (len(numbers), 3 * len(tree) if len(numbers) else mass.shape[1])
        fits = fits and 0 <= strength < np.inf and bool(np.isfinite(mass).all() and (mass >= 0).all())
        return cls(numbers, tree, strength, mass) if fits and (strength or not len(numbers)) else None


def true_marginals(window: TreeWindow, strength: float) -> Values:
    """Return the marginals with all mass on the true labelling of each document."""
    n, nodes = window.relevant.shape
    parents = window.tree.parents
    below = (parents < 0) | (window.relevant[:, parents] > 0)
    labelling = np.where(below, window.relevant, _ABSENT).astype(np.int64)
    marginals = np.zeros((n, 3 * nodes), np.float32)
    marginals[np.arange(n)[:, None], labelling * nodes + np.arange(nodes)] = strength
    return marginals

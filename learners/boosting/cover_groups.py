"""Many label sets at once: their losses, their errors, and the weights that they give to labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.arrays import Flags, Offsets, Reals


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Sets behind each other: the cells of their labels, -y of each; how often each set is there, and in which row."""

    cells: Offsets
    signs: Reals
    weights: Reals
    documents: Offsets
    lengths: Offsets


class Alone(Group):
    """Sets of one label each, the most there are: numpy takes long over stretches of one."""

    __slots__ = ()

    def wrong(self, f: Reals) -> Reals:
        """Return 1 for each set in which the label is wrong, else 0."""
        return _wrong(self, f)

    def weigh(self, f: Reals) -> tuple[Reals, Reals]:
        """Return each set's loss, once, and the weight q of each label in it, as often as the set is there."""
        z = self.signs * f.ravel()[self.cells]
        small = np.exp(-np.abs(z))
        return np.maximum(z, 0.0) + np.log1p(small), np.where(z > 0, 1.0, small) / (1 + small) * self.weights


class Tied(Group):
    """Sets of several labels."""

    __slots__ = ()

    def wrong(self, f: Reals) -> Reals:
        """Return 1 for each set in which some label is wrong, else 0."""
        return self._over(np.maximum, _wrong(self, f))

    def weigh(self, f: Reals) -> tuple[Reals, Reals]:
        """Return each set's loss, once, and the weight q of each label in it, as often as the set is there."""
        # With t = max(0, -y f) a label that many rounds have pushed to the wrong side does not overflow; rest is the
        # set's 1 + sum, over e^t, less 1.
        z = self.signs * f.ravel()[self.cells]
        top = np.maximum(self._over(np.maximum, z), 0.0)
        parts = np.exp(z - np.repeat(top, self.lengths))
        rest = self._over(np.add, parts) + np.expm1(-top)
        return top + np.log1p(rest), parts * np.repeat(self.weights / (1 + rest), self.lengths)

    def _over(self, what: np.ufunc, values: Reals) -> Reals:
        starts = np.cumsum(self.lengths) - self.lengths
        found: Reals = what.reduceat(values, starts) if len(starts) else values
        return found


def _wrong(sets: Group, f: Reals) -> Reals:
    """Return 1 for each label that is predicted and should not be, or the other way round, else 0."""
    wrong: Flags = (f.ravel()[sets.cells] > 0) != (sets.signs < 0)
    return wrong.astype(np.float64)

"""Groups of label sets in flat arrays: their losses, their errors, and the weights that they give to labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from telex.learners.base import Flags, Offsets, Reals


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Sets one after the other: ``cells`` (of f, flattened) and ``signs`` (-y) per label, the other arrays per set.

    ``weights`` is how often a set occurs, ``documents`` the row of its document, ``lengths`` its number of labels.
    """

    cells: Offsets
    signs: Reals
    weights: Reals
    documents: Offsets
    lengths: Offsets


class Alone(Group):
    """Sets of one label each: the most common ones, and faster alone than with numpy's ``reduceat``."""

    __slots__ = ()

    def wrong(self, f: Reals) -> Reals:
        """Return 1 for each set in which the label is wrong, else 0."""
        return _wrong(self, f)

    def weigh(self, f: Reals) -> tuple[Reals, Reals]:
        """Return each set's loss, counted once, and the weight q of each of its labels, times the set's weight."""
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
        """Return each set's loss, counted once, and the weight q of each of its labels, times the set's weight."""
        # The loss is log(1 + sum e^z) with z = -y f. Divided by e^t, t = max(0, z), no term overflows, even for a label
        # that many rounds have pushed to the wrong side. rest is (1 + sum e^z) / e^t - 1.
        z = self.signs * f.ravel()[self.cells]
        top = np.maximum(self._over(np.maximum, z), 0.0)
        parts = np.exp(z - np.repeat(top, self.lengths))
        rest = self._over(np.add, parts) + np.expm1(-top)
        return top + np.log1p(rest), parts * np.repeat(self.weights / (1 + rest), self.lengths)

    def _over(self, what: np.ufunc, values: Reals) -> Reals:
        starts = np.cumsum(self.lengths) - self.lengths
        reduced: Reals = what.reduceat(values, starts) if len(starts) else values
        return reduced


def _wrong(sets: Group, f: Reals) -> Reals:
    """Return 1 for each label that is predicted but wrong, or right but not predicted, else 0."""
    wrong: Flags = (f.ravel()[sets.cells] > 0) != (sets.signs < 0)
    return wrong.astype(np.float64)

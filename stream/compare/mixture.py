"""The gamma-exponential mixture: how far sums of differences stray by chance, however often one looks."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from telex.learners.arrays import Reals

INTRINSIC = 500.0
"""The sum of squares at which the boundary is nearest to what is possible: some thousand documents of a 0/1 loss."""
RANGE = 2.0
"""How far apart two differences of losses in [0, 1] can be."""
_GRID = 2.0 ** (np.arange(8 * 48) / 8 - 4)
_NEARLY = 1e-6
"""More than rounding may make of a radius, as a share of it."""


class Mixture:
    """Bounds sums on one side so that with probability ``1 - level`` none is ever outside.

    Let D_i be differences in [-1, 1], m_i their means given all that came before, S = sum(D_i - m_i), and V = sum of
    (D_i - g_i)^2 where g_i in [-1, 1] is known before D_i. Then exp(x S - psi(x) V) is on average never more than 1 for
    0 <= x < 1/c, with c = 2 and psi(x) = (-log(1 - cx) - cx) / c^2, and so is its mean over x, of which
    :meth:`log_value` is the logarithm. It exceeds 1 / level at any time with probability ``level`` at most (Ville).
    docs/compare.md derives it.

    >>> mixture = Mixture(0.025)
    >>> mixture.radius(np.array([10.0, 1000.0])).round(2).tolist()
    [25.79, 103.65]
    >>> mixture.crossed(np.array([103.6, 103.7, -200.0]), np.full(3, 1000.0)).tolist()
    [0, 1, -1]
    """

    def __init__(self, level: float) -> None:
        self.threshold = -math.log(level)
        double = -math.log(2 * level)
        self.rho = INTRINSIC / (2 * double + math.log1p(2 * double))

    def log_value(self, sums: Reals, spreads: Reals) -> Reals:
        """Return the logarithm of the mean over x, for sums from 0 and their V."""
        from scipy.special import gammainc, gammaln, xlogy  # noqa: PLC0415 - a third of a second, where it is needed

        # Functions of scipy, one number at a time: where a number stands in an array is of no account to them.
        shape = (spreads + self.rho) / RANGE**2
        rate = sums / RANGE + shape
        found: Reals = gammaln(shape) + xlogy(1.0, gammainc(shape, rate)) - xlogy(shape, rate) + rate - self._constant
        return found

    @cached_property
    def _constant(self) -> float:
        from scipy.special import gammainc, gammaln  # noqa: PLC0415

        k = self.rho / RANGE**2
        return float(gammaln(k) + math.log(gammainc(k, k)) - k * math.log(k) + k)

    def radius(self, spreads: Reals) -> Reals:
        """Return the least sum that is too large where V is this."""
        low = np.sqrt(2 * self.threshold * spreads)  # psi(x) >= x^2 / 2: no mixture has one below
        high = low + 1.0
        while (small := self.log_value(high, spreads) <= self.threshold).any():
            high = np.where(small, 2 * high, high)
        for _ in range(60):
            middle = (low + high) / 2
            inside = self.log_value(middle, spreads) <= self.threshold
            low, high = np.where(inside, middle, low), np.where(inside, high, middle)
        return high

    def crossed(self, sums: Reals, spreads: Reals) -> npt.NDArray[np.int8]:
        """Return 1 where a sum is too large, -1 where it is too small, else 0; each row of ``spreads`` ascends."""
        sizes = np.abs(sums)
        if "_table" not in vars(self) and not (sizes * sizes > 2 * self.threshold * spreads).any():
            return np.zeros(sums.shape, np.int8)
        # Of a row all is clear but what lies between the radii at its two ends.
        ends = np.searchsorted(_GRID, spreads[..., (0, -1)])
        low = self._table[np.maximum(ends[..., :1] - 1, 0)] * (ends[..., :1] > 0)
        high = self._table[np.minimum(ends[..., 1:], len(_GRID) - 1)]
        near = sizes >= low * (1 - _NEARLY)
        outside = sizes > high * (1 + _NEARLY)
        if not np.array_equal(near, outside):
            open_ = near & ~outside
            outside[open_] = self.log_value(sizes[open_], spreads[open_]) > self.threshold
        return (np.sign(sums) * outside).astype(np.int8)

    @cached_property
    def _table(self) -> Reals:
        return self.radius(_GRID)

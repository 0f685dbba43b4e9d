"""The gamma-exponential mixture: how far sums of differences stray by chance, however often one looks.

The boundary is that of Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence
sequences" (2021), used as in Choe and Ramdas, "Comparing sequential forecasters" (2021).
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from telex.learners.base import Reals

BINARY = (500.0,)
"""The sum of squares V at which the boundary is tightest for a loss that is 0 or 1: some thousand documents."""
GRADED = (500.0, 5.0)
"""Those for any other loss in [0, 1]: learners may differ by a hundredth a document, and V be 5 after ten thousands."""
RANGE = 2.0
"""c: how far apart two differences of losses in [0, 1] can be."""
_GRID = 2.0 ** (np.arange(8 * 48) / 8 - 4)
"""Values of V whose radii are tabulated: eight per power of two, from 1/16 on."""
_NEARLY = 1e-6
"""A relative error larger than rounding can cause in a radius."""


class Mixture:
    """A bound on sums, on one side, that holds at all times at once with probability ``1 - level``.

    Let D_i be differences in [-1, 1], m_i their means given all that came before, S = sum(D_i - m_i), and V = sum of
    (D_i - g_i)^2 where g_i in [-1, 1] is known before D_i. For 0 <= x < 1/c, with c = 2 and
    psi(x) = (-log(1 - cx) - cx) / c^2, the process exp(x S - psi(x) V) is a nonnegative supermartingale that starts at
    1. So is its mean over x, where 1 - c x has a gamma distribution cut off at 1, and the mean of several such means:
    one for each V in ``tightest``. :meth:`log_value` is the logarithm of it. By Ville's inequality it ever exceeds 1 /
    level with probability ``level`` at most. docs/compare.md derives it.

    >>> mixture = Mixture(0.025)
    >>> mixture.radius(np.array([10.0, 1000.0])).round(2).tolist()
    [25.79, 103.65]
    >>> mixture.crossed(np.array([103.6, 103.7, -200.0]), np.full(3, 1000.0)).tolist()
    [0, 1, -1]
    """

    def __init__(self, level: float, tightest: Sequence[float] = BINARY) -> None:
        self.threshold = -math.log(level)
        double = -math.log(2 * level)
        self.rhos = tuple(v / (2 * double + math.log1p(2 * double)) for v in tightest)

    def log_value(self, sums: Reals, spreads: Reals) -> Reals:
        """Return the logarithm of the mean over x, for sums from 0 on and their V.

        With a = (V + rho) / c^2, b = S / c + a and k = rho / c^2 it is, for a single rho, the logarithm of
        [Gamma(a) P(a, b) b^-a e^b] / [Gamma(k) P(k, k) k^-k e^k], where P is the regularised lower incomplete gamma
        function.
        """
        logs = [self._log_value(sums, spreads, rho, constant) for rho, constant in self._constants]
        mean: Reals = logs[0] if len(logs) == 1 else np.logaddexp.reduce(logs) - math.log(len(logs))
        return mean

    @staticmethod
    def _log_value(sums: Reals, spreads: Reals, rho: float, constant: float) -> Reals:
        from scipy.special import gammainc, gammaln, xlogy  # noqa: PLC0415 - takes a third of a second; often not needed

        # scipy's functions, and no numpy.log: they give a number the same bits at any place in an array, as logaddexp.
        shape = (spreads + rho) / RANGE**2
        rate = sums / RANGE + shape
        logs: Reals = gammaln(shape) + xlogy(1.0, gammainc(shape, rate)) - xlogy(shape, rate) + rate - constant
        return logs

    @cached_property
    def _constants(self) -> list[tuple[float, float]]:
        from scipy.special import gammainc, gammaln  # noqa: PLC0415

        ks = [(rho, rho / RANGE**2) for rho in self.rhos]
        return [(rho, float(gammaln(k) + math.log(gammainc(k, k)) - k * math.log(k) + k)) for rho, k in ks]

    def radius(self, spreads: Reals) -> Reals:
        """Return the smallest sum that is too large, for each V; found by bisection."""
        low = np.sqrt(2 * self.threshold * spreads)  # psi(x) >= x^2 / 2, so no mixture has a smaller radius
        high = low + 1.0
        while (small := self.log_value(high, spreads) <= self.threshold).any():
            high = np.where(small, 2 * high, high)
        for _ in range(60):
            middle = (low + high) / 2
            inside = self.log_value(middle, spreads) <= self.threshold
            low, high = np.where(inside, middle, low), np.where(inside, high, middle)
        return high

    def crossed(self, sums: Reals, spreads: Reals) -> npt.NDArray[np.int8]:
        """Return 1 where a sum is too large, -1 where it is too small, else 0; each row of ``spreads`` ascends.

        The exact test is slow, so most entries are decided without it. ``near`` is False for entries that are surely
        inside, ``outside`` is True for those that are surely outside; only those between are tested.
        """
        sizes = np.abs(sums)
        # Without the table, which takes long to make, the lower bound of radius() may already decide all.
        if "_table" not in vars(self) and not (sizes * sizes > 2 * self.threshold * spreads).any():
            return np.zeros(sums.shape, np.int8)
        # The radius grows with V, so those at grid points around a row's first and last V bound all radii of the row.
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

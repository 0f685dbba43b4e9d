"""Slow readings of docs/compare.md, one document and one pair at a time."""

import math
from itertools import pairwise

from scipy.integrate import quad
from scipy.optimize import brentq


def mixed(s, v, *rhos):
    """The mean over rhos of the mean of exp(x s - psi(x) v) where 1 - c x has a gamma distribution, cut off at 1."""
    return sum(mixed_by(s, v, rho) for rho in rhos) / len(rhos)


def mixed_by(s, v, rho, c=2.0):
    k = rho / c**2
    root = min(k, 1.0)  # by u = w^(1/k) where u^(k - 1) has a pole at 0

    def density(w):
        u = w ** (1 / root)
        return w ** (k / root - 1) * math.exp(-k * (u - 1))

    def value(w):
        u = w ** (1 / root)
        x = (1 - u) / c
        return density(w) * math.exp(x * s - (-math.log(u) - c * x) / c**2 * v) if u else 0.0

    parts = [0.0, 0.3, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0]
    above, below = (
        sum(quad(one, low, high, epsabs=0, epsrel=1e-11)[0] for low, high in pairwise(parts))
        for one in (value, density)
    )
    return above / below


def radius(v, level, *rhos):
    """The sum from which on the mean is above 1 / level."""
    return brentq(lambda s: math.log(mixed(s, v, *rhos)) + math.log(level), 0, 1000, xtol=1e-10)


def sums(differences):
    """Count, sum and spread after each difference; None is left out."""
    count, total, spread, found = 0, 0.0, 0.0, []
    for one in differences:
        if one is not None:
            spread += (one - (total / count if count else 0.0)) ** 2
            total += one
            count += 1
        found.append((count, total, spread))
    return found


def orders(signs, documents, held):
    """The order at the end, since when, and what was reported: (document, sign, since)."""
    now, since, length, told, found = 0, 0, 0, 0, []
    for sign, document in zip(signs, documents, strict=True):
        if sign != now:
            now, since, length = sign, document, 0
        length += 1
        if length == held and told != now:
            told = now
            found.append((document, now, since))
    return now, since, found


def holm(values):
    """Holm 1979, step by step."""
    found = {}
    left = dict(enumerate(values))
    highest = 0.0
    while left:
        least = min(left, key=left.get)
        highest = max(highest, min(1.0, left[least] * len(left)))
        found[least] = highest
        del left[least]
    return [found[i] for i in range(len(values))]

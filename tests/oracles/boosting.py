"""AdaBoost.MH and MP-Boost by their pseudocode: dense float64, everything recomputed in every round.

Names follow "MP-Boost" (Esuli, Fagni, Sebastiani 2006): W[x][b] is equation (5), a[x] equation (4) with its epsilon, Z
equation (6). The variants RA and D are those of BoosTexter (Schapire, Singer 2000), sections 3.2 and 3.3.
"""

import numpy as np

TIE = {"R": 2.0**-40, "RA": 2.0**-40, "D": 2.0**-32}


class Boosting:
    """`w` has a row a document, True where it has the term; `phi` True where it has the category.

    `order` are the terms in the order that decides ties.
    """

    def __init__(self, w, phi, variant, multiple, order=None, eps=1):
        self.w, self.phi = np.asarray(w, bool), np.asarray(phi, bool)
        self.variant, self.multiple = variant, multiple
        g, m = self.phi.shape
        self.order = list(range(self.w.shape[1])) if order is None else order
        self.eps = eps / (g * m)
        self.weights = np.full((g, m), 1 / (g * m))
        self.pivots, self.a0, self.a1 = [], [], []
        self.gaps = []

    def all_sums(self):
        """Return W[x, b] as (terms, categories) arrays: x present, b relevant."""
        sides = {}
        for x in (0, 1):
            there = (self.w if x else ~self.w).astype(float)
            for b in (0, 1):
                sides[x, b] = there.T @ np.where(self.phi if b else ~self.phi, self.weights, 0)
        return sides

    def normalisers(self, sums):
        with_it = 2 * np.sqrt(sums[1, 1] * sums[1, 0])
        if self.variant == "R":
            return with_it + 2 * np.sqrt(sums[0, 1] * sums[0, 0])
        if self.variant == "RA":
            return with_it + sums[0, 1] + sums[0, 0]
        return -(
            np.abs(sums[1, 1] - sums[1, 0]) + np.abs(sums[0, 1] - sums[0, 0])
        )  # the edge: the larger, the smaller Z

    def choose(self, z, total):
        """Return the first term, in order, whose Z is the least; and how far the next is that is no tie."""
        near = [t for t in self.order if z[t] <= z.min() + TIE[self.variant] * total]
        others = [z[t] for t in self.order if t not in near]
        self.gaps.append(min(others, default=np.inf) - z.min())
        return near[0]

    def round(self):
        sums = self.all_sums()
        z = self.normalisers(sums)
        m = self.phi.shape[1]
        if self.multiple:
            pivots = [self.choose(z[:, j], self.weights[:, j].sum()) for j in range(m)]
        else:
            pivots = [self.choose(z.sum(axis=1), self.weights.sum())] * m
        at = {side: sums[side][pivots, range(m)] for side in sums}
        a = {}
        if self.variant == "D":
            right = np.maximum(at[0, 0], at[0, 1]) + np.maximum(at[1, 0], at[1, 1])
            wrong = np.minimum(at[0, 0], at[0, 1]) + np.minimum(at[1, 0], at[1, 1])
            if not self.multiple:
                right, wrong = np.full(m, right.sum()), np.full(m, wrong.sum())
            alpha = 0.5 * np.log((right + self.eps) / (wrong + self.eps))
            for x in (0, 1):
                up = at[x, 1] - at[x, 0] > TIE["D"] * (at[x, 1] + at[x, 0])
                a[x] = np.where(up, alpha, -alpha)
        else:
            for x in (0, 1):
                a[x] = 0.5 * np.log((at[x, 1] + self.eps) / (at[x, 0] + self.eps))
            if self.variant == "RA":
                a[0] = np.zeros(m)
        said = np.where(self.w[:, pivots], a[1], a[0])
        weights = self.weights * np.exp(np.where(self.phi, -said, said))
        self.weights = weights / (weights.sum(axis=0) if self.multiple else weights.sum())
        self.pivots.append(pivots)
        self.a0.append(a[0])
        self.a1.append(a[1])

    def run(self, rounds):
        for _ in range(rounds):
            self.round()
        return self

    def scores(self, w):
        """Return the sum of all rounds, float64, for other documents over the same terms."""
        w = np.asarray(w, bool)
        total = np.zeros((len(w), self.phi.shape[1]))
        for pivots, a0, a1 in zip(self.pivots, self.a0, self.a1, strict=True):
            total += np.where(w[:, pivots], a1, a0)
        return total

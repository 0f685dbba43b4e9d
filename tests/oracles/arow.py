"""AROW with a diagonal covariance: of the full update of the covariance only the diagonal is kept."""

import numpy as np
from oracles.linear import Linear
from oracles.table import F, Table


class AROW(Linear):
    def __init__(self, r=0.1, bias=0.1, seed=0):
        super().__init__(bias, seed, variances=Table(1, lambda f, c: 1))
        self.r = F(r)

    def update(self, y, s, ids, values):
        inside = y * s < 1
        means, variances = self.weights.weights, self.tables["variances"].weights
        v = np.zeros(len(y), F)
        for f, x in zip(ids, values, strict=True):
            v = v + x * x * variances[f]
        beta = np.where(inside, 1 / (v + self.r), F(0))
        alpha = np.where(inside, y * (1 - y * s), F(0)) * beta
        for f, x in zip(ids, values, strict=True):
            along = x * variances[f]
            means[f] += alpha * along
            variances[f] = np.maximum(variances[f] - beta * along * along, 0)

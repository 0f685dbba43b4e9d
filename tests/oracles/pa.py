"""Passive-aggressive learners: PA-I, PA-II, and PA itself where C is infinite."""

import numpy as np
from oracles.linear import Linear
from oracles.table import F


class PA(Linear):
    def __init__(self, C=3.0, variant="II", bias=0.1, seed=0):  # noqa: N803 - the paper's name
        super().__init__(bias, seed)
        self.most = F(C if variant == "I" else np.inf)
        self.slack = F(1 / (2 * C) if variant == "II" else 0)

    def update(self, y, s, ids, values):
        size = F(0)
        for x in values:
            size = size + x * x
        if size == 0:
            return
        loss = np.where(y * s < 1, 1 - y * s, F(0))
        self.weights.add(y * np.minimum(loss / (size + self.slack), self.most), ids, values)

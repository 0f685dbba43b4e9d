"""Perceptrons with uneven margins."""

import numpy as np
from oracles.linear import Linear
from oracles.table import F


class Uneven(Linear):
    def __init__(self, tau_plus=1.0, tau_minus=0.3, bias=0.1, seed=0):
        super().__init__(bias, seed)
        self.tau = {1: F(tau_plus), -1: F(tau_minus)}

    def update(self, y, s, ids, values):
        tau = np.array([self.tau[int(one)] for one in y], F)
        self.weights.add(np.where(y * s <= tau, y, F(0)), ids, values)

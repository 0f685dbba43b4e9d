"""Logistic regression, by steps of eta, of eta / sqrt(t) or of AdaGrad."""

import math

import numpy as np
from oracles.linear import Linear
from oracles.table import F, Table


class Logistic(Linear):
    def __init__(self, eta=10.0, steps="adagrad", bias=0.1, seed=0):
        squares = {"squares": Table(1)} if steps == "adagrad" else {}
        super().__init__(bias, seed, **squares)
        self.eta, self.steps = F(eta), steps

    def update(self, y, s, ids, values):
        wrong = y / (1 + exp(y * s))
        if self.steps != "adagrad":
            rate = self.eta / F(math.sqrt(self.learnt + 1)) if self.steps == "sqrt" else self.eta
            self.weights.add(rate * wrong, ids, values)
            return
        weights, squares = self.weights.weights, self.tables["squares"].weights
        for f, x in zip(ids, values, strict=True):
            g = wrong * x
            squares[f] += g * g
            weights[f] += self.eta * g / (np.sqrt(squares[f]) + 1)


def exp(x):
    """exp of float32 numbers, cut off at -87 and 88: 2^n exp r, r by a polynomial."""
    x = np.minimum(np.maximum(x, F(-87)), F(88))
    n = np.rint(x * F(1.44269504))
    r = (x - n * F(0.693359375)) - n * F(-2.12194440e-4)
    series = F(0)
    for term in (0.000198756915, 0.00139819995, 0.00833345191, 0.0416657959, 0.166666654, 0.5):
        series = F(term) + r * series
    return np.ldexp((r * r) * series + r + 1, n.astype(int)).astype(F)

"""Duels whose weights are bytes, of quanta of 1/32: every move is rounded up or down by chance."""

import math

import numpy as np
from oracles import ties
from oracles.duels import Duels
from oracles.table import F

TWO32 = 2**32


def chance(seed, number, label, feature):
    """From 0 to 1, without 1."""
    h = ties.mix(ties.mix(ties.mix(seed % ties.TWO64) ^ number) ^ label) >> 32
    h ^= feature * 0x9E3779B1 % TWO32
    h = (h ^ (h >> 16)) * 0x85EBCA6B % TWO32
    h = (h ^ (h >> 13)) * 0xC2B2AE35 % TWO32
    return F((h ^ (h >> 16)) >> 8) / F(2**24)


def quanta(move, chance):
    """By how many quanta a weight moves."""
    with np.errstate(over="ignore"):
        return math.floor(min(max(F(move) * F(32), F(-256)), F(256)) + chance)


class Int8Duels(Duels):
    def __init__(self, columns, rule, *, seed=0, **start):
        super().__init__(columns, rule, seed=seed, **start)
        self.seed = seed

    def of(self, number, labels):
        """What is learnt next: a document by its number, whose label in each column is this one."""
        self.number, self.labels = number, labels

    def move(self, steps, ids, values):
        for c in np.flatnonzero(steps):
            for f, x in zip(ids, values, strict=True):
                by = quanta(steps[c] * F(x), chance(self.seed, self.number, int(self.labels[c]), f))
                self.w.weights[f, c] = min(max(self.w.weights[f, c] + F(by / 32), F(-127 / 32)), F(127 / 32))

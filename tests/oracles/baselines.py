"""Baselines that need no features: labels by their frequency, and the last document's labels."""

from oracles.oracle import Oracle
from oracles.table import F


class Prior(Oracle):
    def __init__(self, seed=0):
        super().__init__(seed)
        self.counts = {}

    def predict(self, x, number):
        del x
        scores = [F(self.counts[c] / self.learnt) for c in self.labels]
        by_name, _, order = self.answer(scores, [False] * len(scores), number)
        twice = 2 * sum(self.counts.values())
        size = (twice + self.learnt) // (2 * self.learnt) if self.learnt else 0  # the mean, rounded half up
        return by_name, set(order[:size]), order

    def learn(self, x, labels, number):
        del x, number
        self.labels += self.new(labels)
        for c in set(labels):
            self.counts[c] = self.counts.get(c, 0) + 1
        self.learnt += 1


class Last(Oracle):
    last = frozenset()

    def predict(self, x, number):
        del x
        on = [c in self.last for c in self.labels]
        return self.answer([F(flag) for flag in on], on, number)

    def learn(self, x, labels, number):
        del x, number
        self.labels += self.new(labels)
        self.last = frozenset(labels)
        self.learnt += 1

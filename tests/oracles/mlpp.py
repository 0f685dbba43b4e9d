"""Multilabel pairwise perceptrons (figure 3 of the paper), and their duels with a virtual label."""

import numpy as np
from oracles.duels import Duels, Rule
from oracles.int8 import Int8Duels
from oracles.oracle import Oracle
from oracles.table import F


class MLPP(Oracle):
    def __init__(self, decode="votes", init="zero", init_scale=0.05, seed=0, storage="float32", **rule):
        super().__init__(seed)
        self.decode, self.init, self.rule = decode, init, Rule(**rule)
        start = {"seed": seed, "init": init, "init_scale": init_scale}
        self.rounded = storage != "float32"
        duels = Int8Duels if self.rounded else Duels
        self.duels = duels(0, self.rule, **start)
        self.virtual = Duels(1, self.rule, alike=True, **start)  # column 0: a label that never was
        self.never = duels(0, self.rule, seed=seed)  # the duel of each label with a label that never was

    def pairs(self):
        """(u, v), u < v, in the order of their columns v(v-1)/2 + u."""
        return [(u, v) for v in range(len(self.labels)) for u in range(v)]

    def predict(self, x, number):
        row = self.row(x)
        b, s = self.virtual.shown(*row, self.learnt)[1:], self.duels.shown(*row, self.learnt)
        votes, weighted = np.zeros(len(self.labels), F), np.zeros(len(self.labels), F)
        for (u, v), margin in zip(self.pairs(), s, strict=True):
            won = self.rule.wins(margin)
            votes[u] += won
            votes[v] += F(1) - won
            weighted[u] += margin
            weighted[v] -= margin
        if self.decode == "weighted":
            return self.answer(weighted, weighted + b > -np.sum(b), number)
        beats = self.rule.wins(b)
        relevant = votes + beats > np.sum(F(1) - beats)
        if self.decode == "votes+weight":
            below = [np.sum((votes == votes[c]) & (weighted < weighted[c])) for c in range(len(self.labels))]
            apart = F(8192 if self.rule.ties == "half" else 4096)
            return self.answer(votes + np.array(below, F) / apart, relevant, number)
        return self.answer(votes, relevant, number)

    def know(self, labels):
        """Give labels their columns; calling it ahead of the stream is knowing all labels ahead."""
        for label in self.new(labels):
            for u in range(len(self.labels)):
                if self.init == "random":
                    self.duels.append(1)
                else:
                    self.duels.append_copy_from(self.never, u)
            self.labels.append(label)
            self.virtual.append_copy_from(self.virtual, 0)
            self.never.append(1)

    def learn(self, x, labels, number):
        self.know(labels)
        row, relevant = self.row(x), [c in labels for c in self.labels]
        for duels in (self.duels, self.virtual, self.never):
            duels.need(row[0])
        if self.rounded:
            self.duels.of(number, [u if relevant[u] else v for u, v in self.pairs()])
            self.never.of(number, range(len(self.labels)))
        self.duels.train([relevant[u] - relevant[v] for u, v in self.pairs()], *row, self.learnt)
        self.virtual.train([-1] + [1 if on else -1 for on in relevant], *row, self.learnt)
        self.never.train(relevant, *row, self.learnt)
        self.learnt += 1

    def forget(self, feature):
        for duels in (self.duels, self.virtual, self.never):
            duels.forget(feature)

    def arrays(self):
        found = self.duels.arrays("pairs") | self.virtual.arrays("br")
        if self.rule.averaged and self.rule.mean == "own":
            found["trainings"] = np.array(self.duels.trainings, np.int64)
        return found | (self.never.arrays("never") if self.rule.moves_alone and self.init == "zero" else {})

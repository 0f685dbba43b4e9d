"""Multilabel pairwise perceptrons (figure 3 of the paper), calibrated by BR's duels with a virtual label."""

import numpy as np
from oracles.br import BR
from oracles.oracle import Oracle
from oracles.table import F, Perceptrons, theta


class MLPP(Oracle):
    def __init__(self, decode="votes", init="zero", averaged=False, seed=0):
        super().__init__(seed)
        self.decode = decode
        self.perceptrons = Perceptrons(0, seed=seed, init=init, averaged=averaged)
        self.br = BR(init, averaged, seed)

    def pairs(self):
        """(u, v), u < v, in the order of their columns v(v-1)/2 + u."""
        return [(u, v) for v in range(len(self.labels)) for u in range(v)]

    def predict(self, x, number):
        duels = self.br.duels(x)
        s = self.perceptrons.predicted(*self.row(x), self.learnt)
        votes, weighted = np.zeros(len(self.labels), F), np.zeros(len(self.labels), F)
        for (u, v), margin in zip(self.pairs(), s, strict=True):
            votes[u if margin >= 0 else v] += 1
            weighted[u] += margin
            weighted[v] -= margin
        beats = duels >= 0
        if self.decode == "weighted":
            return self.answer(weighted, weighted + duels > -np.sum(duels), number)
        relevant = votes + beats > np.sum(~beats)
        if self.decode == "votes+weight":
            below = [np.sum((votes == votes[c]) & (weighted < weighted[c])) for c in range(len(self.labels))]
            return self.answer(votes + np.array(below, F) / F(4096), relevant, number)
        return self.answer(votes, relevant, number)

    def know(self, labels):
        for label in self.new(labels):
            self.perceptrons.append(len(self.labels))
            self.labels.append(label)
        self.br.know(labels)

    def learn(self, x, labels, number):
        self.know(labels)
        ids, values = self.row(x)
        self.perceptrons.need(ids)
        s = self.perceptrons.scores(ids, values)
        steps = np.zeros(len(s), F)
        for column, (u, v) in enumerate(self.pairs()):
            first, second = self.labels[u] in labels, self.labels[v] in labels
            if first != second:
                steps[column] = theta(1 if first else -1, s[column])
        self.perceptrons.step(steps, ids, values, self.learnt)
        self.br.learn(x, labels, number)
        self.learnt += 1

    def forget(self, feature):
        self.perceptrons.forget(feature)
        self.br.forget(feature)

    def arrays(self):
        tables = dict(zip(["pairs", "pairs_sum"], self.perceptrons.tables(), strict=False))
        duels = dict(zip(["br", "br_sum"], self.br.perceptrons.tables(), strict=False))
        return {name: table.weights for name, table in (tables | duels).items()}

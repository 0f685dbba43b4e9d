"""A chain of AROW classifiers: a label sees those before it as features, true ones in learning, else predicted ones."""

import numpy as np
from oracles.linear import Linear
from oracles.table import F, Table


class Chain(Linear):
    def __init__(self, model="arow", order="frequency", link=0.5, r=0.1, bias=0.1, seed=0):
        del model
        super().__init__(bias, seed, variances=Table(1, lambda f, c: 1))
        self.order, self.link, self.r = order, F(link), F(r)
        self.chain, self.counts = [], []  # columns in order, and documents by column
        # what a label, by row, is to each column as a feature
        self.tables |= {"links": Table(1), "link_variances": Table(1)}
        self.links, self.link_variances = self.tables["links"], self.tables["link_variances"]

    def predict(self, x, number):
        scores = self.weights.scores(*self.row(x))[1:]
        chosen = np.zeros(len(scores), bool)
        for c in self.chain:
            chosen[c] = scores[c] > 0
            if chosen[c]:
                scores = scores + self.link * self.links.weights[c][1:]
        return self.answer(scores, chosen, number)

    def know(self, labels):
        for label in self.new(labels):
            column = len(self.labels)
            super().know([label])
            for table in (self.links, self.link_variances):
                table.need(column + 1)
            self.link_variances.weights[column] = [1] + [0] * (column + 1)  # those that come later are behind it
            self.chain.append(column)
            self.counts.append(0)

    def learn(self, x, labels, number):
        del number
        self.know(labels)
        ids, values = self.row(x)
        for name in ("weights", "variances"):
            self.tables[name].need(max(ids, default=-1) + 1)
        y = np.array([-1] + [1 if c in labels else -1 for c in self.labels], F)
        true = [c for c, label in enumerate(self.labels) if label in labels]
        features = [("weights", "variances", f, value) for f, value in zip(ids, values, strict=True)]
        features += [("links", "link_variances", c, self.link) for c in true]
        s = self.links.scores(true, [self.link] * len(true)) + self.weights.scores(ids, values)
        v = np.zeros(len(y), F)
        for _, variances, f, value in features:
            v = v + value * value * self.tables[variances].weights[f]
        inside = y * s < 1
        beta = np.where(inside, 1 / (v + self.r), F(0))
        alpha = np.where(inside, y * (1 - y * s), F(0)) * beta
        for means, variances, f, value in features:
            along = value * self.tables[variances].weights[f]
            self.tables[means].weights[f] += alpha * along
            left = self.tables[variances].weights[f] - beta * along * along
            self.tables[variances].weights[f] = np.maximum(left, 0)
        self.learnt += 1
        for c in true:
            self.counts[c] += 1
        if self.order == "frequency" and self.learnt & (self.learnt - 1) == 0:
            self.reorder()

    def reorder(self):
        """Put frequent labels first; the links of two labels that have changed places begin anew."""
        before = {c: place for place, c in enumerate(self.chain)}
        self.chain.sort(key=lambda c: (-self.counts[c], c))
        after = {c: place for place, c in enumerate(self.chain)}
        for c in self.chain:
            for d in self.chain:
                if (before[c] < before[d]) != (after[c] < after[d]):
                    self.links.weights[c, d + 1] = 0
                    self.link_variances.weights[c, d + 1] = after[c] < after[d]

    def forget(self, feature):
        for name in ("weights", "variances"):
            self.tables[name].forget(feature + (self.bias > 0))

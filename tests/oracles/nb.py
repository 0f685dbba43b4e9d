"""Multinomial naive Bayes, one label against the rest, weights taken as counts."""

import math

import numpy as np
from oracles.oracle import Oracle
from oracles.table import F, Table


class NB(Oracle):
    def __init__(self, seed=0):
        super().__init__(seed)
        self.counts = Table(1)  # column 0: over all documents
        self.totals, self.documents = [0.0], [0]  # entry 0: T and m
        self.seen = set()

    def positive(self, x):
        ids, values = self.row(x)
        return ids, [max(F(0), v) for v in values]

    def predict(self, x, number):
        ids, values = self.positive(x)
        size = sum(map(float, values))
        total, m, d = self.totals[0], self.documents[0], len(self.seen)
        scores = []
        for c in range(1, len(self.labels) + 1):
            score = math.log((self.documents[c] + 1) / (m - self.documents[c] + 1))
            if d:
                score -= size * math.log((self.totals[c] + d) / (total - self.totals[c] + d))
            for f, value in zip(ids, values, strict=True):
                if f < self.counts.rows:
                    with_label, everywhere = (
                        float(self.counts.weights[f, c]),
                        float(self.counts.weights[f, 0]),
                    )
                    score += float(value) * math.log((with_label + 1) / (everywhere - with_label + 1))
            scores.append(score)
        return self.answer(scores, [score > 0 for score in scores], number)

    def know(self, labels):
        for label in self.new(labels):
            self.labels.append(label)
            self.counts.append(1)
            self.totals.append(0.0)
            self.documents.append(0)

    def learn(self, x, labels, number):
        del number
        self.know(labels)
        ids, values = self.positive(x)
        self.seen.update(ids)
        self.counts.need(max(ids, default=-1) + 1)
        takes = [True] + [c in labels for c in self.labels]
        self.counts.add(takes, ids, values)
        for c, on in enumerate(takes):
            if on:
                self.documents[c] += 1
                for value in values:
                    self.totals[c] += float(value)
        self.learnt += 1

    def forget(self, feature):
        if feature not in self.seen:
            return
        for c, count in enumerate(self.counts.weights[feature].tolist()):
            self.totals[c] -= count
        self.counts.forget(feature)
        self.seen.remove(feature)

    def arrays(self):
        return {
            "counts": self.counts.weights,
            "label_totals": np.array(self.totals),
            "label_documents": np.array(self.documents),
        }

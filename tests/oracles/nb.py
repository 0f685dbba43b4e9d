"""Naive Bayes, one label against the rest."""

import math

import numpy as np
from oracles.oracle import Oracle
from oracles.table import F, Table

from telex.learners._core import log  # of a float32, to the kernels' bits


def log_of_ratio(p, q):
    """Log p / q in float32: p = 2^e m q with m about 1, log m = 2 artanh((m - 1) / (m + 1))."""
    p, q = F(p), F(q)
    e = (int(p.view(np.int32)) - int(q.view(np.int32)) + (1 << 22)) >> 23
    mq = np.int32(int(p.view(np.int32)) - (e << 23)).view(F)
    s = (mq - q) / (mq + q)
    z, series = s * s, F(0.18181819)
    for term in (0.22222222, 0.28571430, 0.4, 0.66666669):
        series = F(term) + z * series
    return float(F(e) * F(0.69314575) + (F(e) * F(1.4286068e-06) + (s + s + s * (z * series))))


def log_ratio(numerator, denominator):
    return math.log(numerator) - math.log(denominator)


class NB(Oracle):
    def __init__(self, variant="dirichlet", alpha=0.05, counts="unit", seed=0):
        super().__init__(seed)
        self.variant, self.alpha, self.unit = variant, alpha, counts == "unit"
        self.counts = Table(1)  # column 0: over all documents
        self.totals, self.documents = [0.0], [0]  # entry 0: T and m
        self.seen = set()
        self.logs = [0.0]  # of `normalised`

    def counted(self, x, asked):
        """The document's feature ids, and what it counts of each."""
        ids, values = self.row(x)
        values = [max(F(0), v) for v in values]
        if not self.unit:
            return ids, values
        logs, squares = [log(F(1) + v) for v in values], 0.0
        for one in logs:
            squares += one * one
        often = math.sqrt(math.sqrt(sum(one > 0 for one in logs))) if asked else 1.0
        return ids, [F(one * (often / math.sqrt(squares))) if one else F(0) for one in logs]

    def count(self, f, c):
        return float(self.counts.weights[f, c]) if f < self.counts.rows else 0.0

    def added(self, f):
        if self.variant != "dirichlet":
            return self.alpha
        return self.alpha * len(self.seen) * self.count(f, 0) / self.totals[0]

    def evidence(self, f, c):
        """The log ratio of a feature's share in documents with a label (complement: in all) to that in the rest."""
        n, own, total = self.count(f, 0), self.count(f, c), self.totals[0]
        if self.variant == "dirichlet" and (n == 0 or total == 0):
            return 0.0
        with_label, sum_of_those = (own, self.totals[c]) if self.variant in {"dirichlet", "multinomial"} else (n, total)
        a, all_added = self.added(f), self.alpha * len(self.seen)
        shares = log_ratio(sum_of_those + all_added, total - self.totals[c] + all_added) if self.seen else 0.0
        return log_ratio(with_label + a, n - own + a) - shares

    def log_share(self, f):
        """The log of a feature's share in all documents."""
        return log_ratio(self.count(f, 0) + self.alpha, self.totals[0] + self.alpha * len(self.seen))

    def sums(self):
        """By column: the sum of all log shares in the documents without the label, or for 0 in all documents."""
        if self.variant != "normalised" or len(self.seen) < 2:
            return None
        shares = {f: self.log_share(f) for f in self.seen}
        return [
            math.fsum(share - (self.evidence(f, c) if c else 0) for f, share in shares.items())
            for c in range(len(self.labels) + 1)
        ]

    def weight(self, f, c, sums):
        if sums is None:
            return self.evidence(f, c)
        return self.log_share(f) - (self.log_share(f) - self.evidence(f, c)) / sums[c] * sums[0]

    def predict(self, x, number):
        ids, values = self.counted(x, asked=True)
        scores, sums = [], self.sums()
        for c in range(1, len(self.labels) + 1):
            score = math.log((self.documents[c] + 1) / (self.documents[0] - self.documents[c] + 1))
            for f, value in zip(ids, values, strict=True):
                if value > 0:
                    score += float(value) * self.weight(f, c, sums)
            scores.append(score)
        return self.answer(scores, [score > 0 for score in scores], number)

    def know(self, labels):
        for label in self.new(labels):
            self.labels.append(label)
            self.counts.append(1)
            self.totals.append(0.0)
            self.documents.append(0)
            self.logs.append(0.0)

    def learn(self, x, labels, number):
        del number
        self.know(labels)
        ids, values = self.counted(x, asked=False)
        self.counts.need(max(ids, default=-1) + 1)
        takes = [True] + [c in labels for c in self.labels]
        for f, value in zip(ids, values, strict=True):
            self.count_logs(f, -1)
            self.seen.add(f)
            self.counts.add(takes, [f], [value])
            self.count_logs(f, 1)
        for c, on in enumerate(takes):
            if on:
                self.documents[c] += 1
                for value in values:
                    self.totals[c] += float(value)
        self.learnt += 1

    def count_logs(self, f, sign):
        """Add a feature's logs to their sums, or take them away: column 0 of its count, the others of their ratios."""
        if f in self.seen and self.variant == "normalised":
            (n, *own), a = self.counts.weights[f], F(self.alpha)
            self.logs[0] += sign * log(n + a)
            for c, one in enumerate(own, 1):
                self.logs[c] += sign * log_of_ratio(n + a, n - one + a)

    def forget(self, feature):
        if feature not in self.seen:
            return
        self.count_logs(feature, -1)
        for c, count in enumerate(self.counts.weights[feature].tolist()):
            self.totals[c] -= count
        self.counts.forget(feature)
        self.seen.remove(feature)
        self.totals[0] = max(0.0, self.totals[0]) if self.seen else 0.0
        self.totals = [min(max(0.0, total), self.totals[0]) for total in self.totals]

    def arrays(self):
        found = {
            "counts": self.counts.weights,
            "label_totals": np.array(self.totals),
            "label_documents": np.array(self.documents),
        }
        return found | ({"label_logs": np.array(self.logs)} if self.variant == "normalised" else {})

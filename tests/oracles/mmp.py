"""Multiclass multilabel perceptrons (figure 1 of the paper), and the threshold prototype w_0."""

import numpy as np
from oracles import ties
from oracles.oracle import Oracle
from oracles.table import F, Perceptrons, Table


class MMP(Oracle):
    def __init__(self, loss="iserr", penalty="uniform", init="zero", init_scale=0.05, averaged=False, seed=0):
        super().__init__(seed)
        self.loss, self.penalty = loss, penalty
        self.perceptrons = Perceptrons(
            1, seed=seed, init=init, init_scale=init_scale, averaged=averaged
        )  # column 0: w_0

    def predict(self, x, number):
        scores = self.perceptrons.predicted(*self.row(x), self.learnt)
        return self.answer(scores[1:], scores[1:] > scores[0], number)

    def learn(self, x, labels, number):
        ids, values = self.row(x)
        self.perceptrons.need(ids)
        new = self.new(labels)
        scores = self.perceptrons.scores(ids, values)
        s0, s = float(scores[0]), {c: float(v) for c, v in zip(self.labels, scores[1:], strict=True)}
        order = ties.ranking(s, self.seed, number) + new
        s.update(dict.fromkeys(new, 0.0))
        self.labels += new
        self.perceptrons.append(len(new))
        relevant = [c for c in self.labels if c in labels]
        irrelevant = [c for c in self.labels if c not in labels]
        keys = {c: ties.key(self.seed, number, c) for c in self.labels}
        keys[None] = ties.key(self.seed, number, "")
        g = self.pushes(s, relevant, irrelevant, order, keys)
        g0 = self.push_of_threshold(s, s0, relevant, irrelevant, new, keys)
        self.perceptrons.step([g0] + [g[c] for c in self.labels], ids, values, self.learnt)
        self.learnt += 1

    def pushes(self, s, relevant, irrelevant, order, keys):
        """g_c for every label."""
        r = {c: position for position, c in enumerate(order, 1)}
        errors = [(c, d) for c in relevant for d in irrelevant if r[c] > r[d]]
        if not errors:
            return dict.fromkeys(s, np.float32(0))
        worst = (max(relevant, key=r.get), min(irrelevant, key=r.get))
        precision = sum(sum(r[b] <= r[c] for b in relevant) / r[c] for c in sorted(relevant, key=r.get))
        delta = {
            "iserr": 1.0,
            "errsetsize": float(len(errors)),
            "margin": float(r[worst[0]] - r[worst[1]]),
            "avgp": 1.0 - precision / len(relevant),
        }[self.loss]
        p = {
            "uniform": lambda c, d: 1.0,
            "proportional": lambda c, d: max(0.0, s[d] - s[c]),
            "random": lambda c, d: ties.chance(keys[c], keys[d]),
            "worst": lambda c, d: float((c, d) == worst),
        }[self.penalty]
        tau, sigma = self._shares(p, errors, s, relevant)
        if sigma == 0:
            tau, sigma = self._shares(lambda c, d: 1.0, errors, s, relevant)
        return {c: np.float32(delta * tau[c] / sigma) for c in s}

    @staticmethod
    def _shares(p, errors, s, relevant):
        tau = dict.fromkeys(s, 0.0)
        for c, d in errors:  # relevant labels ascending, and for each the irrelevant ones ascending
            tau[c] += p(c, d)
            tau[d] -= p(c, d)
        sigma = 0.0
        for c in relevant:
            sigma += tau[c]
        return tau, sigma

    def push_of_threshold(self, s, s0, relevant, irrelevant, new, keys):
        low = [c for c in relevant if c in new or not s[c] > s0]
        high = [c for c in irrelevant if s[c] > s0]
        if not low and not high:
            return np.float32(0)
        pairs = low + high
        difference = {c: max(0.0, s0) if c in new else abs(s[c] - s0) for c in pairs}
        largest = max(pairs, key=difference.get)  # the first of the largest
        share = len(pairs) / (len(relevant) + len(irrelevant))
        delta = share if self.loss in {"iserr", "avgp"} else share * len(pairs)

        def p(c):
            if self.penalty == "proportional":
                return difference[c]
            if self.penalty == "random":
                return ties.chance(keys[c], keys[None]) if c in low else ties.chance(keys[None], keys[c])
            return float(c == largest) if self.penalty == "worst" else 1.0

        down, up = sum(map(p, low), 0.0), sum(map(p, high), 0.0)
        if down + up == 0:
            down, up = float(len(low)), float(len(high))
        return np.float32(delta * ((up - down) / (down + up)))

    def forget(self, feature):
        self.perceptrons.forget(feature)

    def arrays(self):
        tables = dict(zip(["weights", "weights_sum"], self.perceptrons.tables(), strict=False))
        return {name: table.weights for name, table in tables.items()}


class MarginMMP(Oracle):
    """MMP with margins: columns are the threshold, the labels, and a label that never was."""

    def __init__(self, update="arow", r=1.0, seed=0):
        super().__init__(seed)
        self.r, self.weights, self.spent = F(r), Table(2), Table(2)

    def predict(self, x, number):
        scores = self.weights.scores(*self.row(x))
        return self.answer(scores[1:-1], scores[1:-1] > scores[0], number)

    def know(self, labels):
        """Give labels their columns; the last one, of the label that never was, is theirs too."""
        for label in self.new(labels):
            self.labels.append(label)
            for table in (self.weights, self.spent):
                table.append_copy_of(table.columns - 1)

    def learn(self, x, labels, number):
        self.know(labels)
        ids, values = self.row(x)
        for table in (self.weights, self.spent):
            table.need(max(ids, default=-1) + 1)
        s = self.weights.scores(ids, values)
        relevant = [c for c, label in enumerate(self.labels, 1) if label in labels]
        irrelevant = [c for c in range(1, len(self.labels) + 1) if c not in relevant]
        for column, pull in enumerate(self.pulls(s, relevant, irrelevant)):
            if pull:
                self.move(column, pull, ids, values)
        self.learnt += 1

    def pulls(self, s, relevant, irrelevant):
        def lacks(pairs, margin):
            return [F(margin) - (s[high] - s[low]) for high, low in pairs if F(margin) - (s[high] - s[low]) > 0]

        def added(values):
            return sum(values, F(0))

        def mean(values):
            return added(values) / F(len(values)) if values else F(0)

        found = [F(0)] * len(s)
        for c in relevant if irrelevant else []:
            found[c] = added(lacks([(c, d) for d in irrelevant], 1)) / F(len(irrelevant))
        for d in [*irrelevant, len(s) - 1] if relevant else []:
            found[d] = -added(lacks([(c, d) for c in relevant], 1)) / F(len(relevant))
        up, down = lacks([(0, d) for d in irrelevant], 0.5), lacks([(c, 0) for c in relevant], 0.5)
        found[0] = mean(up) - mean(down)
        return found

    def move(self, column, pull, ids, values):
        w, u, size = self.weights.weights, self.spent.weights, F(0)
        for f, x in zip(ids, values, strict=True):
            size += (F(1) - u[f, column]) * F(x) * F(x)
        shrink = F(1) / (size + self.r)
        for f, x in zip(ids, values, strict=True):
            g = (F(1) - u[f, column]) * F(x)
            w[f, column] += pull * shrink * g
            u[f, column] = min(u[f, column] + shrink * g * g, F(1))

    def forget(self, feature):
        for table in (self.weights, self.spent):
            table.forget(feature)

    def arrays(self):
        return {"weights": self.weights.weights, "weights_spent": self.spent.weights}

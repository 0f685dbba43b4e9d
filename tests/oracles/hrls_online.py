"""Regularised least squares along a tree: each node learns from the documents of its parent."""

import numpy as np
from oracles import ties
from oracles.oracle import Oracle
from oracles.table import F, Table


class Nodes(Oracle):
    """Labels with parents, closed sets, and scores that are the least on a path."""

    def __init__(self, strength, bias, seed, tree):
        super().__init__(seed)
        self.strength, self.bias, self.tree = strength, F(bias), tree
        self.parents, self.inner = [], [None]  # columns by column; inner nodes by number, the first above all roots

    def row(self, x):
        """With a bias, a feature of that value everywhere comes first."""
        ids, values = super().row(x)
        return ([0, *(f + 1 for f in ids)], [self.bias, *values]) if self.bias > 0 else (ids, values)

    def path(self, label):
        """The label and its ancestors, the highest first."""
        return [] if label is None else [*self.path(self.parent(label)), label]

    def parent(self, label):
        return None if self.tree is None else self.tree.parent(label)

    def know(self, labels):
        """Give labels and their ancestors their columns; calling it ahead of the stream is knowing all labels ahead."""
        for one in ties.in_order(labels):
            for label in self.path(one):
                if label in self.labels:
                    continue
                above = self.parent(label)
                self.labels.append(label)
                self.parents.append(-1 if above is None else self.labels.index(above))
                self.begin(self.inner.index(above))
                if self.tree is not None and self.tree.may_have_children(label):
                    self.inner.append(label)
                    self.begin_inner()

    def above(self):
        """By column, the number of the parent as an inner node."""
        return [self.inner.index(None if p < 0 else self.labels[p]) for p in self.parents]

    def answer_of(self, own, number):
        """The prediction, of the scores that each label has by itself."""
        scores = list(own)
        for c, parent in enumerate(self.parents):
            if parent >= 0:
                scores[c] = min(scores[c], scores[parent])
        return self.answer(scores, [s > 0 for s in scores], number)

    def learn(self, x, labels, number):
        del number
        self.know(labels)
        closed = {one for label in labels for one in self.path(label)}
        ids, values = self.row(x)
        targets = np.array([1 if label in closed else -1 for label in self.labels], F)
        for n, label in enumerate(self.inner):
            if label is None or label in closed:
                self.learn_children(n, [c for c, above in enumerate(self.above()) if above == n], targets, ids, values)
        self.learnt += 1


class HRLSOnline(Nodes):
    """The diagonal form: of each P = A^-1 only the diagonal is kept."""

    def __init__(self, strength=1.0, form="diagonal", bias=0.1, seed=0, tree=None):
        del form
        super().__init__(strength, bias, seed, tree)
        self.weights, self.never = Table(), Table(1)
        self.variances = Table(1, lambda f, c: F(1 / strength))

    def begin(self, n):
        self.weights.append(1)
        self.weights.weights[:, -1] = self.never.weights[:, n]

    def begin_inner(self):
        self.never.append(1)
        self.variances.append(1)

    def predict(self, x, number):
        ids, values = self.row(x)
        doubt = self.variances.scores(ids, [v * v for v in values])
        shrink = 1 / (1 + doubt)
        own = self.weights.scores(ids, values) * shrink[np.array(self.above(), int)]
        return self.answer_of(own, number)

    def learn_children(self, n, children, targets, ids, values):
        for table in (self.weights, self.never, self.variances):
            table.need(max(ids, default=-1) + 1)
        gains, doubt = [], F(0)
        for f, x in zip(ids, values, strict=True):
            v = self.variances.weights[f, n]
            gains.append(x * v)
            doubt += x * x * v
        rate = 1 / (1 + doubt)
        s, never = self.weights.scores(ids, values), self.never.scores(ids, values)[n]
        for f, along in zip(ids, gains, strict=True):
            self.weights.weights[f, children] += (targets[children] - s[children]) * rate * along
            self.never.weights[f, n] += (-1 - never) * rate * along
            self.variances.weights[f, n] = max(self.variances.weights[f, n] - rate * along * along, F(0))

    def forget(self, feature):
        for table in (self.weights, self.never, self.variances):
            table.forget(feature + (self.bias > 0))

    def arrays(self):
        inner = np.array([label in self.inner for label in self.labels], np.uint8)
        names = {"weights": self.weights, "never": self.never, "variances": self.variances}
        tables = {name: table.weights for name, table in names.items()}
        return {"parents": np.array(self.parents, np.int32), "inner": inner, **tables}


class FullHRLSOnline(Nodes):
    """The paper's form: each node has the sum of y x, each inner node A = lambda I + sum of x x', which is inverted."""

    room = 64

    def __init__(self, strength=1.0, form="full", bias=0.1, seed=0, tree=None):
        del form
        super().__init__(strength, bias, seed, tree)
        self.moments, self.never, self.squares = [], [], []
        self.begin_inner()

    def begin(self, n):
        self.moments.append(self.never[n].copy())

    def begin_inner(self):
        self.never.append(np.zeros(self.room))
        self.squares.append(np.eye(self.room) * self.strength)

    def dense(self, ids, values):
        x = np.zeros(self.room)
        x[ids] = values
        return x

    def predict(self, x, number):
        x = self.dense(*self.row(x))
        inverses = [np.linalg.inv(one + np.outer(x, x)) for one in self.squares]
        own = [F(x @ inverses[n] @ self.moments[c]) for c, n in enumerate(self.above())]
        return self.answer_of(own, number)

    def learn_children(self, n, children, targets, ids, values):
        x = self.dense(ids, values)
        for c in children:
            self.moments[c] += targets[c] * x
        self.never[n] -= x
        self.squares[n] += np.outer(x, x)

    def forget(self, feature):
        """The weight becomes 0, and what P says of the feature is as at first."""
        f = feature + (self.bias > 0)
        groups = [[c for c, above in enumerate(self.above()) if above == n] for n in range(len(self.inner))]
        for n, children in enumerate(groups):
            inverse = np.linalg.inv(self.squares[n])
            every = [*(self.moments[c] for c in children), self.never[n]]
            weights = [inverse @ one for one in every]
            inverse[f], inverse[:, f] = 0, 0
            inverse[f, f] = 1 / self.strength
            self.squares[n] = np.linalg.inv(inverse)
            for one, w in zip(every, weights, strict=True):
                w[f] = 0
                one[:] = self.squares[n] @ w

    def weights(self):
        """By row of features, by column."""
        inverses = [np.linalg.inv(one) for one in self.squares]
        return np.array([inverses[n] @ self.moments[c] for c, n in enumerate(self.above())]).T

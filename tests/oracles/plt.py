"""Online probabilistic label trees.

Whenever the tree changes, all that was learnt is learnt again from the start, with the tree as it is then: so the
oracle's weights are those of a tree that was known ahead.
"""

import heapq
import math

import numpy as np
from oracles.linear import Linear
from oracles.logistic import exp
from oracles.table import F, Table

from telex.learners._core import log  # of a float32, to the kernels' bits

TOP, SPARE = 0, 1  # families


class PLT(Linear):
    def __init__(self, top=20, arity=32, eta=10.0, steps="adagrad", bias=0.1, seed=0):
        super().__init__(bias, seed)
        self.top, self.arity, self.eta, self.steps = top, arity, F(eta), steps
        self.root, self.height, self.past = None, 0, []
        self.families = [[None] * arity, [None] * arity]  # what is at each place: None, a label, or a family's number
        self.heights, self.parents, self.leaves = {}, {}, {}
        self.clear()

    def clear(self):
        names = ("weights", "squares") if self.steps == "adagrad" else ("weights",)
        self.tables = {name: Table(len(self.families) * self.arity) for name in names}
        self.weights, self.learnt = self.tables["weights"], 0

    # -- the tree

    def open(self, parent, height):
        self.families.append([None] * self.arity)
        family = len(self.families) - 1
        self.parents[family], self.heights[family] = parent, height
        return family

    def below(self, family, at):
        """How many labels are below a node."""
        child = self.families[family][at]
        if child is None or self.heights[family] == 1:
            return int(child is not None)
        return sum(self.below(child, i) for i in range(self.arity))

    def choose(self, family, scores):
        """The place that a new label takes, or goes below."""
        if None in self.families[family]:
            return self.families[family].index(None)
        counts = {at: self.below(family, at) for at in range(self.arity)}
        free = {at: n for at, n in counts.items() if n < self.arity ** (self.heights[family] - 1)}
        near = [at for at, n in free.items() if n <= 2 * min(free.values())]
        return max(near, key=lambda at: (scores[family * self.arity + at], -at))

    def know(self, labels, x=None):
        row = self.row(x or {})
        for label in self.new(labels):
            before = len(self.families)
            if len(self.labels) == (self.arity**self.height if self.height else 0):
                self.height += 1
                old, self.root = self.root, self.open((TOP, 0), self.height)
                if old is not None:
                    self.families[self.root][0], self.parents[old] = old, (self.root, 0)
                self.learn_again()
            scores, family = self.weights.scores(*row), self.root
            while self.heights[family] > 1:
                at = self.choose(family, scores)
                if self.families[family][at] is None:
                    self.families[family][at] = self.open((family, at), self.heights[family] - 1)
                family = self.families[family][at]
            at = self.choose(family, scores)
            self.families[family][at] = len(self.labels)
            self.leaves[label] = family, at
            self.labels.append(label)
            if len(self.families) > before:
                self.learn_again()

    def path(self, label):
        """The nodes from the label up to the root."""
        nodes = [self.leaves[label]]
        while nodes[-1] != (TOP, 0):
            nodes.append(self.parents[nodes[-1][0]])
        return nodes

    # -- learning

    def learn(self, x, labels, number):
        del number
        self.know(labels, x)
        self.past.append((*self.row(x), labels))
        self.teach(*self.past[-1])

    def learn_again(self):
        self.clear()
        for ids, values, labels in self.past:
            if labels is None:
                super().forget(ids)
            else:
                self.teach(ids, values, labels)

    def forget(self, feature):
        self.past.append((feature, None, None))
        super().forget(feature)

    def teach(self, ids, values, labels):
        for table in self.tables.values():
            table.need(max(ids, default=-1) + 1)
        positive = {node for label in labels for node in self.path(label)} | ({(SPARE, 0)} if labels else set())
        for family in range(len(self.families)):
            above = True if family == TOP else bool(labels) if family == SPARE else self.parents[family] in positive
            if above:
                self.move(family, [1 if (family, at) in positive else -1 for at in range(self.arity)], ids, values)
        self.learnt += 1

    def move(self, family, targets, ids, values):
        columns, y = slice(family * self.arity, (family + 1) * self.arity), np.array(targets, F)
        wrong = y / (1 + exp(y * self.weights.scores(ids, values)[columns]))
        rate = {"sqrt": self.eta / F(math.sqrt(self.learnt + 1)), "constant": self.eta}.get(self.steps)
        weights = self.weights.weights[:, columns]
        for f, x in zip(ids, values, strict=True):
            if rate is None:
                g, squares = wrong * x, self.tables["squares"].weights[:, columns]
                squares[f] += g * g
                weights[f] += self.eta * g / (np.sqrt(squares[f]) + 1)
            else:
                weights[f] += (rate * wrong) * x

    # -- predicting

    def predict(self, x, number):
        scores, found, lowest = self.weights.scores(*self.row(x)), {}, F(np.inf)
        heap, met = [], 0
        if self.labels:
            heap.append((-log_probability(scores[0]), 0, self.root, False))
        while heap:
            best = heap[0]
            odds = log_odds(-best[0])
            if best[3] or len(found) >= self.top:
                lowest = min(lowest, odds)
            if len(found) >= self.top and odds <= 0:
                break
            heapq.heappop(heap)
            if best[3]:
                found[best[2]] = lowest
                continue
            for at, child in enumerate(self.families[best[2]]):
                if child is not None:
                    met += 1
                    own = log_probability(scores[best[2] * self.arity + at])
                    heapq.heappush(heap, (-(-best[0] + own), met, child, self.heights[best[2]] == 1))
        relevant = {c for c, odds in found.items() if odds > 0}
        for minus, _, child, is_label in heap:
            inside = [child] if is_label else self.labels_in(child)
            odds = log_odds(-minus if is_label else -minus - F(log(F(len(inside)))))
            found |= dict.fromkeys(inside, min(odds, lowest))
        columns = range(len(self.labels))
        return self.answer([found[c] for c in columns], [c in relevant for c in columns], number)

    def labels_in(self, family):
        children = [child for child in self.families[family] if child is not None]
        return children if self.heights[family] == 1 else [c for child in children for c in self.labels_in(child)]

    def arrays(self):
        places = []
        for label in self.labels:
            digits = [at for family, at in self.path(label) if family != TOP]
            places.append(sum(at * self.arity**i for i, at in enumerate(digits)))
        return {**super().arrays(), "places": np.array(places, np.int64)}


def paths_of(places, arity):
    """By label the nodes from the root down; families are numbered in the order in which labels opened them."""
    children, height, root = {}, 0, None
    for number, place in enumerate(places):
        if number == (arity**height if height else 0):
            old, root, height = root, 2 + len(children), height + 1
            children[root] = {} if old is None else {0: old}
        family = root
        for i in range(height - 1, 0, -1):
            at = place // arity**i % arity
            if at not in children[family]:
                children[family][at] = 2 + len(children)
                children[children[family][at]] = {}
            family = children[family][at]
    paths = []
    for place in places:
        family, path = root, [(TOP, 0)]
        for i in range(height - 1, -1, -1):
            at = place // arity**i % arity
            path.append((family, at))
            family = children[family].get(at)
        paths.append(path)
    return paths


def log_probability(s):
    """log 1 / (1 + exp(-s)) in float32."""
    z = exp(np.array([-s], F))[0]
    return -(z - F(0.5) * (z * z)) if z < F(2**-10) else -F(log(F(1) + z))


def log_odds(log_p):
    """log p / (1 - p), of log p, in float32."""
    small = log_p > F(-(2**-10))
    rest = -log_p - F(0.5) * (log_p * log_p) if small else F(1) - exp(np.array([log_p], F))[0]
    return log_p - F(log(rest))

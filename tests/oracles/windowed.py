"""Windowed boosting, document by document, in dense float64: rounds are stored apart, weights computed again."""

import numpy as np
from oracles.boosting import Boosting


class Windowed:
    """Terms are numbers; `multiple` is MP-Boost, else AdaBoost.MH."""

    def __init__(self, variant, multiple, *, window, every, add, rounds, weights="bounded"):
        self.variant, self.multiple, self.bounded = variant, multiple, weights == "bounded"
        self.window, self.every, self.add, self.rounds = window, every, add, rounds
        self.labels, self.documents, self.learnt = [], [], 0
        self.committee = []  # rounds, the oldest first: {label: (pivot, a0, a1)}
        self.spoken = []  # the labels that were known at the last step

    def learn(self, terms, labels):
        """One more document; every ``every``-th moves the committee."""
        self.labels += [label for label in labels if label not in self.labels]
        self.documents = [*self.documents, (set(terms), set(labels))][-self.window :]
        self.learnt += 1
        if self.learnt % self.every == 0:
            self.step()

    def forget(self, term):
        """The number is another term's from here on: no document has the old one, and no round means the new one."""
        for there, _ in self.documents:
            there.discard(term)
        for one in self.committee:
            for label, (pivot, a0, a1) in one.items():
                if pivot == term:
                    one[label] = (None, a0, a1)

    def f(self, terms, label):
        """What all rounds say, summed; a round that does not know the label says 0."""
        total = 0.0
        for one in self.committee:
            if label in one:
                pivot, a0, a1 = one[label]
                total += a1 if pivot in terms else a0
        return total

    def weights(self):
        """D of every document and label under the rounds there are."""
        g, m = len(self.documents), len(self.labels)
        if not self.committee:
            return np.full((g, m), 1 / (g * m))
        exponents = np.empty((g, m))
        for i, (terms, labels) in enumerate(self.documents):
            for j, label in enumerate(self.labels):
                exponents[i, j] = -self.f(terms, label) if label in labels else self.f(terms, label)
        if self.bounded:
            exponents = np.minimum(exponents, 0)
        d = np.exp(exponents - (exponents.max(axis=0) if self.multiple else exponents.max()))
        return d / (d.sum(axis=0) if self.multiple else d.sum())

    def step(self):
        """Rounds come, and the oldest go where there would be too many."""
        self.spoken = list(self.labels)
        if not self.labels:
            return
        while len(self.committee) + self.add > self.rounds:
            self.committee.pop(0)
        terms = sorted(set().union(*(there for there, _ in self.documents))) or [None]
        w = [[term in there for term in terms] for there, _ in self.documents]
        phi = [[label in labels for label in self.labels] for _, labels in self.documents]
        boosting = Boosting(w, phi, self.variant, self.multiple)
        boosting.weights = self.weights()
        boosting.run(self.add)
        for pivots, a0, a1 in zip(boosting.pivots, boosting.a0, boosting.a1, strict=True):
            said = {label: (terms[pivots[j]], a0[j], a1[j]) for j, label in enumerate(self.labels)}
            self.committee.append(said)

    def scores(self, terms):
        """The score of every label known, and whether it is predicted; one that no round knows is last."""
        known = {label: self.f(terms, label) for label in self.spoken}
        if not known:
            return dict.fromkeys(self.labels, (0.0, False))
        last = (min(known.values()) - 1, False)
        return {label: (known[label], known[label] > 0) if label in known else last for label in self.labels}

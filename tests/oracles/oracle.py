"""What every oracle has: growing tables of features and labels, a seed, a count of documents learnt."""

import numpy as np
from oracles import ties


class Oracle:
    def __init__(self, seed=0):
        self.seed, self.features, self.labels, self.learnt = seed, {}, [], 0

    def row(self, x):
        """The document's feature ids, ascending, and their values."""
        for feature in ties.in_order([f for f in x if f not in self.features]):
            self.features[feature] = len(self.features)
        row = sorted((self.features[f], np.float32(v)) for f, v in x.items())
        return [f for f, _ in row], [v for _, v in row]

    def new(self, relevant):
        """Labels met for the first time, in sorted order."""
        return ties.in_order({c for c in relevant if c not in self.labels})

    def forget(self, feature):
        """Be as if the feature of this id had never been met."""

    def answer(self, scores, relevant, number):
        """What `predict` returns, from scores by column and a flag by column."""
        by_name = dict(zip(self.labels, scores, strict=True))
        chosen = {c for c, on in zip(self.labels, relevant, strict=True) if on}
        return by_name, chosen, ties.ranking(by_name, self.seed, number)

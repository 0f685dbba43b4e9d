"""Binary relevance: one perceptron a label, and one for a label that no document has."""

from oracles.oracle import Oracle
from oracles.table import Perceptrons, theta


class BR(Oracle):
    def __init__(self, init="zero", init_scale=0.05, averaged=False, seed=0):
        super().__init__(seed)
        self.perceptrons = Perceptrons(
            1, seed=seed, init=init, init_scale=init_scale, averaged=averaged, alike=True
        )  # column 0: never

    def duels(self, x):
        return self.perceptrons.predicted(*self.row(x), self.learnt)[1:]

    def predict(self, x, number):
        scores = self.duels(x)
        return self.answer(scores, scores >= 0, number)

    def know(self, labels):
        """Give labels their columns; calling it ahead of the stream is knowing all labels ahead."""
        for label in self.new(labels):
            self.labels.append(label)
            self.perceptrons.append_copy_of(0)

    def learn(self, x, labels, number):
        del number
        self.know(labels)
        ids, values = self.row(x)
        self.perceptrons.need(ids)
        y = [-1] + [1 if c in labels else -1 for c in self.labels]
        self.perceptrons.step(theta(y, self.perceptrons.scores(ids, values)), ids, values, self.learnt)
        self.learnt += 1

    def forget(self, feature):
        self.perceptrons.forget(feature)

    def arrays(self):
        tables = dict(zip(["weights", "weights_sum"], self.perceptrons.tables(), strict=False))
        return {name: table.weights for name, table in tables.items()}

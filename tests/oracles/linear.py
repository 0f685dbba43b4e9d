"""One linear classifier a label, and one for a label that no document has; a subclass has the rule of updates."""

import numpy as np
from oracles.oracle import Oracle
from oracles.table import F, Table


class Linear(Oracle):
    def __init__(self, bias, seed, **tables):
        super().__init__(seed)
        self.bias, self.tables = F(bias), {"weights": Table(1), **tables}  # column 0: never
        self.weights = self.tables["weights"]

    def row(self, x):
        """With a bias, a feature of that value everywhere comes first: row 0 of the tables."""
        ids, values = super().row(x)
        return ([0, *(f + 1 for f in ids)], [self.bias, *values]) if self.bias > 0 else (ids, values)

    def predict(self, x, number):
        scores = self.weights.scores(*self.row(x))[1:]
        return self.answer(scores, scores > 0, number)

    def know(self, labels):
        """Give labels their columns; calling it ahead of the stream is knowing all labels ahead."""
        for label in self.new(labels):
            self.labels.append(label)
            for table in self.tables.values():
                table.append_copy_of(0)

    def learn(self, x, labels, number):
        del number
        self.know(labels)
        ids, values = self.row(x)
        for table in self.tables.values():
            table.need(max(ids, default=-1) + 1)
        y = np.array([-1] + [1 if c in labels else -1 for c in self.labels], F)
        self.update(y, self.weights.scores(ids, values), ids, values)
        self.learnt += 1

    def update(self, y, s, ids, values):
        """Move the labels, whose targets are y and whose scores are s."""
        raise NotImplementedError

    def forget(self, feature):
        for table in self.tables.values():
            table.forget(feature + (self.bias > 0))

    def arrays(self):
        return {name: table.weights for name, table in self.tables.items()}

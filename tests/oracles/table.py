"""Float32 perceptrons side by side: one row a feature id, one column a perceptron."""

import numpy as np
from oracles import ties

F = np.float32


class Table:
    """A table that grows both ways; `start(row, column)` is a weight before anything is learnt."""

    def __init__(self, columns=0, start=None):
        self.rows, self.columns, self.start = 0, columns, start
        self.room = np.zeros((16, 16), F)

    @property
    def weights(self):
        return self.room[: self.rows, : self.columns]

    def _make_room(self, rows, columns):
        if rows > self.room.shape[0] or columns > self.room.shape[1]:
            old = self.room
            self.room = np.zeros((max(2 * rows, old.shape[0]), max(2 * columns, old.shape[1])), F)
            self.room[: old.shape[0], : old.shape[1]] = old

    def _initial(self, rows, columns):
        for f in rows:
            for c in columns:
                self.room[f, c] = 0 if self.start is None else self.start(f, c)

    def need(self, rows):
        """Have rows 0 to rows-1."""
        if rows > self.rows:
            self._make_room(rows, self.columns)
            self._initial(range(self.rows, rows), range(self.columns))
            self.rows = rows

    def forget(self, feature):
        """Make a row what it was before anything was learnt."""
        if feature < self.rows:
            self._initial([feature], range(self.columns))

    def append(self, columns):
        self._make_room(self.rows, self.columns + columns)
        self._initial(range(self.rows), range(self.columns, self.columns + columns))
        self.columns += columns

    def append_copy_of(self, column):
        self._make_room(self.rows, self.columns + 1)
        self.room[: self.rows, self.columns] = self.room[: self.rows, column]
        self.columns += 1

    def scores(self, ids, values):
        """Each column's sum over the features by ascending id, one multiplication, one addition at a time."""
        total = np.zeros(self.columns, F)
        for f, x in zip(ids, values, strict=True):
            if f < self.rows:
                row = self.weights[f]
            else:
                row = np.array([0 if self.start is None else self.start(f, c) for c in range(self.columns)], F)
            total = total + row * F(x)
        return total

    def add(self, steps, ids, values):
        """w_c += steps_c x for every column."""
        steps = np.asarray(steps, F)
        for f, x in zip(ids, values, strict=True):
            self.room[f, : self.columns] = self.weights[f] + steps * F(x)


class Perceptrons:
    """A table of weights and, where averaged, the table u of steps times the documents learnt before them."""

    def __init__(self, columns=0, *, seed=0, init="zero", init_scale=0.05, averaged=False, alike=False):
        start = (lambda f, c: ties.start(seed, f, 0 if alike else c, init_scale)) if init == "random" else None
        self.w = Table(columns, start)
        self.u = Table(columns) if averaged else None

    def tables(self):
        return [self.w] if self.u is None else [self.w, self.u]

    def need(self, ids):
        for table in self.tables():
            table.need(max(ids, default=-1) + 1)

    def append(self, columns):
        for table in self.tables():
            table.append(columns)

    def append_copy_of(self, column):
        for table in self.tables():
            table.append_copy_of(column)

    def forget(self, feature):
        for table in self.tables():
            table.forget(feature)

    def scores(self, ids, values):
        """What learning uses."""
        return self.w.scores(ids, values)

    def predicted(self, ids, values, learnt):
        """What predictions use: the mean of the weights after each document learnt, where averaged."""
        s = self.w.scores(ids, values)
        return s if self.u is None or learnt == 0 else s - self.u.scores(ids, values) / F(learnt)

    def step(self, steps, ids, values, learnt):
        steps = np.asarray(steps, F)
        self.w.add(steps, ids, values)
        if self.u is not None:
            self.u.add(steps * F(learnt), ids, values)


def theta(y, s):
    """The perceptron's step for targets y in {-1, +1} and scores s: y - sgn(s), sgn(0) = +1."""
    return np.asarray(y, F) - np.where(np.asarray(s) >= 0, F(1), F(-1))

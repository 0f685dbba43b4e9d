"""Perceptrons side by side that learn by one of MLPP's updates, each from the documents that are its own."""

from dataclasses import dataclass

import numpy as np
from oracles.table import F, Perceptrons, theta


@dataclass(frozen=True)
class Rule:
    update: str = "pa"
    C: float = 3.0
    r: float = 0.1
    ties: str = "half"
    averaged: bool = False
    mean: str = "own"

    @property
    def moves_alone(self):
        """Whether a perceptron learns of documents that all have its first label."""
        return self.update != "perceptron" or self.ties == "half"

    def wins(self, s):
        """The votes that the first of a pair gets."""
        return np.where(s == 0, F(0.5), s > 0) if self.ties == "half" else np.asarray(s >= 0, F)


class Duels(Perceptrons):
    """w, and as u the sums of averages, or the variance that AROW has spent."""

    def __init__(self, columns, rule, **start):
        super().__init__(columns, averaged=rule.averaged or rule.update == "arow", **start)
        self.rule, self.trainings = rule, [0] * columns

    def append(self, columns):
        super().append(columns)
        self.trainings += [0] * columns

    def append_copy_from(self, other, column):
        self.append(1)
        for mine, theirs in zip(self.tables(), other.tables(), strict=True):
            for f in range(mine.rows):
                mine.room[f, mine.columns - 1] = theirs.room[f, column]
        self.trainings[-1] = other.trainings[column]

    def shown(self, ids, values, learnt):
        """The scores that predictions see."""
        s = self.w.scores(ids, values)
        if not self.rule.averaged:
            return s
        n = np.array(self.trainings if self.rule.mean == "own" else [learnt] * len(s), F)
        return np.where(n > 0, s - self.u.scores(ids, values) / np.maximum(n, F(1)), s)

    def train(self, y, ids, values, learnt):
        """Learn a document; y is 1 or -1 by column, 0 of those that do not learn it."""
        y, s = np.array(y, F), self.w.scores(ids, values)
        before = np.array(self.trainings if self.rule.mean == "own" else [learnt] * len(y), float)
        self.trainings = [n + (target != 0) for n, target in zip(self.trainings, y, strict=True)]
        if self.rule.update == "arow":
            self.train_arow(y, s, ids, values)
            return
        steps = self.steps(y, s, values)
        self.move(steps, ids, values)
        if self.u is not None:
            self.u.add(np.asarray(steps.astype(float) * before, F), ids, values)

    def steps(self, y, s, values):
        """How far each column goes along a document."""
        if self.rule.update == "perceptron":
            steps = np.where(y * s > 0, F(0), 2 * y) if self.rule.ties == "half" else theta(y, s)
            return np.where(y == 0, F(0), steps)
        squares = F(0)
        for x in values:
            squares += F(x) * F(x)
        loss = F(1) - y * s
        with np.errstate(divide="ignore", invalid="ignore"):
            steps = np.where(loss > 0, y * np.minimum(F(self.rule.C), loss / squares), F(0))
        return np.where(y == 0, F(0), steps)

    def move(self, steps, ids, values):
        self.w.add(steps, ids, values)

    def train_arow(self, y, s, ids, values):
        moved, loss, v = (y != 0) & (F(1) - y * s > 0), F(1) - y * s, np.zeros(len(y), F)
        for f, x in zip(ids, values, strict=True):
            v = v + (F(1) - self.u.weights[f]) * F(x) * F(x)
        shrink = F(1) / (v + F(self.rule.r))
        steps = y * (loss * shrink)
        for f, x in zip(ids, values, strict=True):
            g = (F(1) - self.u.weights[f]) * F(x)
            self.w.weights[f] = np.where(moved, self.w.weights[f] + steps * g, self.w.weights[f])
            spent = np.minimum(self.u.weights[f] + shrink * g * g, F(1))
            self.u.weights[f] = np.where(moved, spent, self.u.weights[f])

    def arrays(self, name):
        """The tables, as the core names them."""
        second = "_spent" if self.rule.update == "arow" else "_sum"
        return {name + end: table.weights for end, table in zip(["", second], self.tables(), strict=False)}

"""Batch learners in plain Python, importable by name, as a spawned process must be able to."""

import ctypes
import os
import signal

import numpy as np

from telex.learners import Names, Predictions


class Centroids:
    """A label's score is the inner product with the mean of its documents; its set, the scores above a half."""

    def __init__(self):
        self.labels, self.means = Names(), []

    def fit(self, batch):
        self.labels, sums = Names(), {}
        for row in range(len(batch)):
            x = pairs(batch, row)
            for label in batch.labels_of(row):
                count, total = sums.get(label, (0, {}))
                for f, v in x:
                    total[f] = total.get(f, 0.0) + v
                sums[label] = (count + 1, total)
        self.labels = Names(sums)
        self.means = [{f: v / count for f, v in total.items()} for count, total in sums.values()]

    def scores(self, batch):
        n, k = len(batch), len(self.labels)
        scores = [[sum(v * mean.get(f, 0.0) for f, v in pairs(batch, r)) for mean in self.means] for r in range(n)]
        scores = np.array(scores, np.float32).reshape(n, k)
        rows, columns = np.arange(n, dtype=np.int32), batch.label_names.columns(self.labels)
        known, hashes = np.full(n, k, np.int32), self.labels.hashes()
        return Predictions(scores, scores > 0.5, known, rows, columns, self.labels, hashes, 0, batch.numbers)


class Keeping(Centroids):
    """Keeps itself in a checkpoint; counts fits, of all its kind."""

    fits = 0

    def fit(self, batch):
        super().fit(batch)
        Keeping.fits += 1

    def save(self):
        keys = [list(mean) for mean in self.means]
        return {"labels": self.labels.save(), "keys": keys, "values": [list(mean.values()) for mean in self.means]}

    def load(self, state):
        self.labels = Names.of(state["labels"])
        self.means = [dict(zip(*pair, strict=True)) for pair in zip(state["keys"], state["values"], strict=True)]


def pairs(batch, row):
    span = slice(batch.indptr[row], batch.indptr[row + 1])
    return list(zip(batch.features[span].tolist(), batch.values[span].tolist(), strict=True))


class Waiting(Centroids):
    """Signals by one named pipe that a fit has begun, and waits for another before it continues."""

    def __init__(self, begun, go):
        super().__init__()
        self.begun, self.go = str(begun), str(go)

    def fit(self, batch):
        with open(self.begun, "w") as told:
            told.write(f"{os.getpid()} {len(batch)}\n")
        with open(self.go) as word:
            word.read()
        super().fit(batch)


class Holding(Centroids):
    """Fits for ever in native code, which holds the interpreter's lock; says so by a named pipe."""

    def __init__(self, begun):
        super().__init__()
        self.begun = str(begun)

    def fit(self, batch):
        with open(self.begun, "w") as told:
            told.write(str(os.getpid()))
        ctypes.PyDLL(None).pause()


class Failing(Centroids):
    """Cannot fit a window whose newest document is among `at`; 'die' kills the process that tries."""

    def __init__(self, at, how="raise"):
        super().__init__()
        self.at, self.how = at, how

    def fit(self, batch):
        if int(batch.numbers[-1]) in self.at:
            if self.how == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            raise ArithmeticError("no such\nwindow")
        super().fit(batch)


class Speechless(Centroids):
    """Fits, and cannot predict."""

    def scores(self, batch):
        raise RuntimeError("no words")


class Stubborn(Centroids):
    """Can be pickled, and not be unpickled."""

    def __reduce__(self):
        return int, ("no number",)


class Elsewhere(Centroids):
    """Invents a label."""

    def fit(self, batch):
        super().fit(batch)
        self.labels.id("invented")
        self.means.append({})

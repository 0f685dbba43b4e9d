"""A learner of one's own, in plain Python: it runs in a `Run` beside the native ones, exact under any batching."""

import dataclasses

import numpy as np
import pytest

from telex.learners import MMP, BatchBuilder, Events, Forget, Learner, Names, Predictions
from telex.stream import Run


class Centroids:
    """Rocchio: a label's score is the inner product with the mean of its documents; its set, the scores above half."""

    def __init__(self):
        self.labels = Names()
        self.sums = {}

    def scores(self, batch):
        return self.progress(Events(batch, np.arange(len(batch), dtype=np.int32)))

    def learn(self, batch):
        self.progress(Events(batch, ~np.flatnonzero(batch.labelled).astype(np.int32)))

    def progress(self, events):
        batch = events.batch
        undelayed = [s for r in range(len(batch)) for s in ((r, ~r) if batch.labelled[r] else (r,))]
        steps = undelayed if events.steps is None else events.steps.tolist()
        rows = np.array([s for s in steps if s >= 0], np.int32)
        width = len(self.labels) + len(batch.label_names)
        scores, known = np.zeros((len(rows), width), np.float32), np.zeros(len(rows), np.int32)
        forget = list(zip(batch.forget.rows, batch.forget.features, strict=True)) if batch.forget else []
        ask = 0
        for step in steps:
            row = step if step >= 0 else ~step
            while forget and forget[0][0] <= row:
                self.forget(forget.pop(0)[1])
            features = slice(batch.indptr[row], batch.indptr[row + 1])
            x = dict(zip(batch.features[features].tolist(), batch.values[features].tolist(), strict=True))
            if step >= 0:
                for c, (count, total) in self.sums.items():
                    scores[ask, c] = sum(v * total.get(f, 0.0) for f, v in x.items()) / count
                known[ask], ask = len(self.labels), ask + 1
                continue
            for label in batch.labels_of(row):
                count, total = self.sums.get(self.labels.id(label), (0, {}))
                for f, v in x.items():
                    total[f] = total.get(f, 0.0) + v
                self.sums[self.labels.id(label)] = (count + 1, total)
        for _, feature in forget:
            self.forget(feature)
        columns = batch.label_names.columns(self.labels)
        hashes, numbers = self.labels.hashes(), batch.numbers[rows]
        return Predictions(scores, scores > 0.5, known, rows, columns, self.labels, hashes, 0, numbers)

    def forget(self, feature):
        for _, total in self.sums.values():
            total.pop(int(feature), None)


def cut(stream, size):
    builder = BatchBuilder(Names(range(60)))
    for x, y in stream:
        builder.add(x, y)
    batch = builder.take()
    every = np.arange(0, len(stream), 10, dtype=np.int32)  # a feature leaves before every tenth document
    batch = dataclasses.replace(batch, forget=Forget(every, every * 7 % 60))
    for start in range(0, len(stream), size):
        yield batch.rows(start, min(start + size, len(stream)))


@pytest.fixture
def stream():
    draw = np.random.default_rng(5)
    topics = {c: draw.choice(60, 8, replace=False).tolist() for c in "abcdef"}
    made = []
    for _ in range(150):
        labels = draw.choice(list(topics), draw.integers(1, 3), replace=False).tolist()
        words = {int(draw.choice(topics[c])): 1.0 for c in labels for _ in range(3)}
        made.append((words, labels))
    return made


def test_it_is_a_learner():
    assert isinstance(Centroids(), Learner)


def test_it_runs_beside_the_native_ones_and_learns(stream):
    run = Run(list(cut(stream, 10)), {"own": Centroids(), "mmp": MMP()})
    last = list(run)[-1].learners
    assert last["own"]["oneerr_window"] < 0.3
    assert last["own"]["avgp"] > 0.6
    assert run.summary()["learners"]["own"]["docs"] == len(stream)


def test_its_curve_does_not_depend_on_the_batches(stream):
    curves = [
        [p.learners["own"] for p in Run(list(cut(stream, size)), {"own": Centroids()})] for size in (1, 7, len(stream))
    ]
    assert curves[0] == curves[1] == curves[2]

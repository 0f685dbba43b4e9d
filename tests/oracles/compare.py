"""Native learners compared with oracles, and against themselves."""

import dataclasses
import hashlib
from functools import partial
from itertools import pairwise

import numpy as np
from oracles import ties

from telex.learners import BatchBuilder, Events, Forget, Names


def batch_of(documents, builder=None):
    builder = BatchBuilder() if builder is None else builder
    for x, y in documents:
        builder.add(x, y)
    return builder.take()


def forgetful_batch(documents, gone, features):
    """The documents, whose features are numbers below `features`; before row r the features gone[r] are forgotten."""
    batch = batch_of(documents, BatchBuilder(Names(range(features))))
    events = [(row, f) for row, several in enumerate(gone) for f in several]
    rows, ids = (np.array([event[i] for event in events], np.int32) for i in (0, 1))
    return dataclasses.replace(batch, forget=Forget(rows, ids))


def said(predictions, k):
    """The k-th ask: scores by label, the set, the ranking."""
    row = predictions.scores[k, : predictions.known[k]]
    scores = dict(zip(predictions.labels, row, strict=False))
    return scores, set(predictions.set_of(k)), [label for label, _ in predictions.ranking(k)]


def told(predictions):
    """Everything that predictions say, in a form that compares to the bit."""
    found = []
    for k in range(len(predictions)):
        known = predictions.known[k]
        found.append((predictions.scores[k, :known].tobytes(), predictions.relevant[k, :known].tobytes()))
    return found


def state(learner):
    """The learner's tables, in a form that compares to the bit."""
    kept = {name: trimmed(table, start_of(learner, name)) for name, table in learner.arrays().items()}
    tables = {name: (table.shape, table.dtype.str, table.tobytes()) for name, table in kept.items()}
    return tables, list(learner.labels), learner.learnt, learner.known


def start_of(learner, name):
    """What an entry of the named table is before anything is learnt, by row and column."""
    if name == "variances":
        start = np.float32(1 / getattr(learner, "strength", 1.0))
        return lambda f, c: start
    if getattr(learner, "init", "zero") != "random" or name.endswith(("_sum", "_spent")):
        return lambda f, c: 0.0
    alike = name == "br" or type(learner).__name__ == "BR"
    return lambda f, c: ties.start(learner.seed, f, 0 if alike else c, learner.init_scale)


def trimmed(table, start):
    """The table without rows at its end that are as at the start: a learner may or may not hold them."""
    table = np.ascontiguousarray(table)
    if table.ndim < 2:
        return table
    rows = len(table)
    while rows and all(w == start(rows - 1, c) for c, w in enumerate(table[rows - 1].tolist())):
        rows -= 1
    return table[:rows]


def digest(learner, *predictions):
    """A hash of a learner's state and of its predictions."""
    return hashlib.sha256(repr((state(learner), [told(p) for p in predictions])).encode()).hexdigest()


def agree(learner, oracle, documents, *, tolerance=None, batch=None, gone=()):
    """Replay a stream through both and compare every score, set, ranking and weight.

    With `tolerance` scores are compared within it, and the ranking with the scores that it came from. `batch` is what
    the learner gets where documents alone do not say it; the oracle forgets gone[r] before row r.
    """
    batch = batch_of(documents) if batch is None else batch
    predictions = learner.progress(Events(batch))
    assert len(predictions) == len(documents)
    for number, (x, y) in enumerate(documents):
        for feature in gone[number] if gone else ():
            oracle.forget(feature)
        expected, found = oracle.predict(x, number), said(predictions, number)
        if tolerance is None:
            same(found, expected, number)
        else:
            near(found, expected, number, tolerance)
        if y is not None:
            oracle.learn(x, y, number)
    assert list(learner.labels) == oracle.labels
    assert learner.known == len(oracle.labels)
    assert learner.learnt == oracle.learnt
    if hasattr(oracle, "arrays"):
        same_arrays(learner.arrays(), oracle.arrays(), partial(start_of, learner))
    return batch, predictions


def same(found, expected, number):
    scores, chosen, ranking = found
    assert list(scores) == list(expected[0]), f"document {number}: other labels known"
    bits = [np.array(list(s.values()), np.float32).tobytes() for s in (scores, expected[0])]
    assert bits[0] == bits[1], f"document {number}: {scores} instead of {expected[0]}"
    assert chosen == expected[1], f"document {number}"
    assert ranking == expected[2], f"document {number}"


def near(found, expected, number, tolerance):
    scores, chosen, ranking = found
    assert list(scores) == list(expected[0]), f"document {number}: other labels known"
    a, b = (np.array(list(s.values()), float) for s in (scores, expected[0]))
    assert np.allclose(a, b, rtol=tolerance, atol=tolerance), f"document {number}: {a} instead of {b}"
    assert chosen == expected[1], f"document {number}"
    assert all(scores[c] >= scores[d] for c, d in pairwise(ranking)), f"document {number}"


def same_arrays(found, expected, start_of_table):
    for name, table in expected.items():
        rows = max(len(table), len(found[name]))
        a, b = (padded(t, rows, start_of_table(name)) for t in (found[name], table))
        assert (a.shape, a.dtype) == (b.shape, b.dtype), name
        wrong = np.argwhere(a != b)
        assert a.tobytes() == b.tobytes(), f"{name} differs at {wrong[:3]}: {a[a != b][:3]} instead of {b[a != b][:3]}"


def padded(table, rows, start):
    """The table with this many rows, new ones as they are before anything is learnt."""
    if table.ndim < 2 or len(table) == rows:
        return np.ascontiguousarray(table)
    more = [[start(f, c) for c in range(table.shape[1])] for f in range(len(table), rows)]
    return np.concatenate([table, np.array(more, table.dtype)])


def one_by_one(learner, documents):
    """River's calls in the order of the undelayed stream: the set before each answer."""
    sets = []
    for x, y in documents:
        sets.append({c for c, on in learner.predict_one(x).items() if on})
        learner.learn_one(x, y)
    return sets

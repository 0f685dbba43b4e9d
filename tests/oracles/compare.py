"""Native learners held against oracles, and against themselves."""

import hashlib

import numpy as np
from telex.learners import BatchBuilder, Events

from oracles import ties


def batch_of(documents, builder=None):
    builder = BatchBuilder() if builder is None else builder
    for x, y in documents:
        builder.add(x, y)
    return builder.take()


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
    kept = {name: trimmed(table) for name, table in learner.arrays().items()}
    tables = {name: (table.shape, table.dtype.str, table.tobytes()) for name, table in kept.items()}
    return tables, list(learner.labels), learner.learnt, learner.known


def trimmed(table):
    """The table without rows of zeros at its end: a learner may or may not hold them."""
    table = np.ascontiguousarray(table)
    if table.ndim < 2:
        return table
    used = np.flatnonzero(table.any(axis=1))
    return table[: used[-1] + 1 if len(used) else 0]


def digest(learner, *predictions):
    """A hash of a learner's state and of what it said."""
    return hashlib.sha256(repr((state(learner), [told(p) for p in predictions])).encode()).hexdigest()


def agree(learner, oracle, documents, *, tolerance=None):
    """Replay a stream through both and compare every score, set, ranking and weight.

    With `tolerance` scores are compared within it, and sets and rankings of labels that lie nearer than that are left out.
    """
    batch = batch_of(documents)
    predictions = learner.progress(Events(batch))
    assert len(predictions) == len(documents)
    for number, (x, y) in enumerate(documents):
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
        same_arrays(learner.arrays(), oracle.arrays(), start=getattr(oracle, "start", None))
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
    assert np.allclose(a, b, rtol=tolerance, atol=tolerance), f"document {number}: {scores} instead of {expected[0]}"
    # what lies within the tolerance of the bar may be on either side of it
    on, off = ([expected[0][c] for c in labels] for labels in (chosen - expected[1], expected[1] - chosen))
    assert all(abs(s) <= tolerance * max(1, np.abs(b).max()) for s in on + off), f"document {number}: {chosen}"
    steps = [scores[c] - scores[d] for c, d in zip(ranking, ranking[1:], strict=False)]
    assert all(step >= 0 for step in steps)


def same_arrays(found, expected, start=None):
    assert sorted(found) == sorted(expected)
    for name, table in expected.items():
        a, b = (padded(t, table, found[name], start) for t in (found[name], table))
        assert a.dtype == b.dtype or b.dtype == np.int64, name
        assert a.shape == b.shape, name
        wrong = np.argwhere(a != b)
        assert not len(wrong), f"{name}[{wrong[0]}] is {a[tuple(wrong[0])]!r} instead of {b[tuple(wrong[0])]!r}"
        assert a.astype(b.dtype).tobytes() == b.tobytes(), name


def padded(table, one, other, start):
    """A table with rows as they are before anything is learnt, as many as the longer of the two has."""
    rows = max(len(one), len(other))
    if table.ndim < 2 or len(table) == rows:
        return np.ascontiguousarray(table)
    full = np.zeros((rows, table.shape[1]), table.dtype)
    if start is not None:
        full[:] = [[start(f, c) for c in range(table.shape[1])] for f in range(rows)]
    full[: len(table)] = table
    return full


def one_by_one(learner, documents):
    """River's calls in the order of the undelayed stream: the set before each answer."""
    sets = []
    for x, y in documents:
        sets.append({c for c, on in learner.predict_one(x).items() if on})
        learner.learn_one(x, y)
    return sets


def judged(judged):
    """Judgements in a form that compares."""
    fields = [getattr(judged, name) for name in judged.__slots__]
    return [field.tobytes() for field in fields]


__all__ = ["agree", "batch_of", "digest", "judged", "one_by_one", "said", "same", "same_arrays", "state", "ties", "told"]

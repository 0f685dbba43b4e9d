"""What speaks for and against labels, read slowly out of a learner's arrays; and as a program, one line for a level."""

import hashlib
import math
from types import SimpleNamespace

import numpy as np
from oracles import kinds, plt, streams, ties
from oracles.compare import forgetful_batch
from oracles.logistic import exp
from oracles.nb import NB
from oracles.table import F

from telex.learners import Events, _core


def reasons(learner, batch, row):
    """By feature, by label: contributions; by label: what comes from no feature, and the sum of all sizes."""
    about = {"BR": perceptrons, "MMP": thresholded, "MLPP": duels, "NB": shares, "Prior": frequency, "Last": repeated}
    about |= {"Chain": chained, "HRLSOnline": on_paths, "PLT": products}
    return about.get(type(learner).__name__, linear)(learner, tables(learner), document(batch, row))


def tables(learner):
    return SimpleNamespace(**{name: table.tolist() for name, table in learner.arrays().items()})


def document(batch, row):
    """Feature ids and values."""
    span = slice(batch.indptr[row], batch.indptr[row + 1])
    return list(zip(batch.features[span].tolist(), batch.values[span].tolist(), strict=True))


class Weights:
    """x w, as predictions see w, of any feature and column."""

    def __init__(self, learner, state, name, *, alike=False):
        self.now, self.late = getattr(state, name), getattr(state, name + "_sum", [])
        self.learner, self.alike, self.learnt = learner, alike, learner.learnt
        self.trainings = getattr(state, "trainings", None) if name == "pairs" else None

    def terms(self, f, c, x):
        if f < len(self.now):
            start = self.now[f][c]
        else:
            place = f, 0 if self.alike else c
            random = self.learner.init == "random"
            start = ties.start(self.learner.seed, *place, self.learner.init_scale) if random else 0.0
        documents = self.trainings[c] if self.trainings else self.learnt
        if self.learner.averaged and documents and f < len(self.late):
            return [x * start, -(x * self.late[f][c] / documents)]
        return [x * start]

    def __call__(self, f, c, x):
        return sum(self.terms(f, c, x))


def sized(rows, terms, labels):
    """The rows, no base, and by label the sum of the sizes of its terms."""
    return rows, [0.0] * labels, [sum(map(abs, terms[c])) for c in range(labels)]


def perceptrons(learner, state, entries):
    weights, labels = Weights(learner, state, "weights", alike=True), range(learner.known)
    rows = [[weights(f, c + 1, x) for c in labels] for f, x in entries]
    terms = [[t for f, x in entries for t in weights.terms(f, c + 1, x)] for c in labels]
    return sized(rows, terms, learner.known)


def thresholded(learner, state, entries):
    weights, labels = Weights(learner, state, "weights"), range(learner.known)
    rows = [[weights(f, c + 1, x) - weights(f, 0, x) for c in labels] for f, x in entries]
    terms = [[t for f, x in entries for d in (c + 1, 0) for t in weights.terms(f, d, x)] for c in labels]
    return sized(rows, terms, learner.known)


def linear(learner, state, entries):
    def term(f, c, x):
        return x * state.weights[f][c + 1] if f < len(state.weights) else 0.0

    labels = range(learner.known)
    bias = float(np.float32(learner.bias))
    base = [term(0, c, bias) if bias else 0.0 for c in labels]
    rows = [[term(f + (bias > 0), c, x) for c in labels] for f, x in entries]
    return rows, base, [abs(base[c]) + sum(abs(row[c]) for row in rows) for c in labels]


def chained(learner, state, entries):
    """The base is what the predicted labels add to those behind them."""
    rows, base, sizes = linear(learner, state, entries)
    scores, link = np.zeros(learner.known, np.float32), np.float32(learner.link)
    biased = learner.bias > 0
    for f, x in [(0, learner.bias)] * biased + [(f + biased, x) for f, x in entries]:
        if f < len(state.weights):
            scores = scores + np.float32(x) * np.array(state.weights[f][1:], np.float32)
    for c in state.chain:
        if scores[c] > 0:
            scores = scores + link * np.array(state.links[c][1:], np.float32)
            base = [b + learner.link * w for b, w in zip(base, state.links[c][1:], strict=True)]
            sizes = [s + abs(learner.link * w) for s, w in zip(sizes, state.links[c][1:], strict=True)]
    return rows, base, sizes


def on_paths(learner, state, entries):
    """What speaks for the node on the path that decides, shrunk as its score is; scores and shrinking in float32."""
    biased, known = learner.bias > 0, learner.known
    features = [(0, float(F(learner.bias)))] * biased + [(f + biased, x) for f, x in entries]
    inner = np.where(state.inner, np.cumsum(state.inner), 0)
    above = [int(inner[parent]) if parent >= 0 else 0 for parent in state.parents]
    shrinks = [float(shrink(learner, state, features, n)) for n in above]
    weights = [state.weights[f] if f < len(state.weights) else [0.0] * known for f, _ in features]
    decides, own = list(range(known)), np.zeros(known, F)
    for (_, x), row in zip(features, weights, strict=True):
        own = own + F(x) * np.array(row, F)
    own *= np.array(shrinks, F)
    for c, parent in enumerate(state.parents):
        if parent >= 0 and own[decides[parent]] < own[c]:
            decides[c] = decides[parent]
    rows = [[x * row[c] * shrinks[c] for c in decides] for (_, x), row in zip(features, weights, strict=True)]
    base = rows[0] if biased else [0.0] * known
    return rows[biased:], base, [sum(abs(row[c]) for row in rows) for c in range(known)]


def products(learner, state, entries):
    """Each node's part of the log probability, and the log odds that come of it, in proportion to their causes."""
    biased, arity = learner.bias > 0, learner.arity
    features = [(0, float(F(learner.bias)))] * biased + [(f + biased, x) for f, x in entries]
    paths = plt.paths_of(state.places, arity)
    never = [0.0] * arity * (1 + max((family for path in paths for family, _ in path), default=0))
    weights = [state.weights[f] if f < len(state.weights) else never for f, _ in features]
    rows, base, sizes, even = [], [], [], plt.log_probability(F(0))
    for path in paths:
        columns, score = [family * arity + at for family, at in path], np.zeros(len(path), F)
        for (_, x), row in zip(features, weights, strict=True):
            score = score + F(x) * np.array([row[c] for c in columns], F)
        slopes, end, start = [], F(0), F(0)
        for s in score:
            own = plt.log_probability(s)
            slopes.append((float(own) - float(even)) / float(s) if s else 0.5)
            end, start = end + own, start + even
        odds = plt.log_odds(start)
        slope = 1 / (1 - float(exp(np.array([start], F))[0]))
        if end != start:
            slope = (float(plt.log_odds(end)) - float(odds)) / (float(end) - float(start))
        parts, size = [], abs(slope) * len(path) + abs(float(plt.log_odds(end))) + abs(float(odds))
        for (_, x), row in zip(features, weights, strict=True):
            weight = 0.0
            for c, own in zip(columns, slopes, strict=True):
                weight += own * row[c]
                size += abs(x * slope * own * row[c])
            parts.append(x * (slope * weight))
        rows.append(parts[biased:])
        base.append(float(odds) + parts[0] if biased else float(odds))
        sizes.append(size)
    return [list(row) for row in zip(*rows, strict=True)] or [[] for _ in entries], base, sizes


def shrink(learner, state, features, n):
    """1 / (1 + x'Px) of an inner node."""
    start, rows, doubt = F(1 / learner.strength), len(state.weights), 0.0
    if learner.form == "diagonal":
        doubt = F(0)
        for f, x in features:
            doubt += F(x) * F(x) * (F(state.variances[f][n]) if f < rows else start)
        return 1 / (1 + doubt)
    for f, x in features:
        along = sum(y * state.covariances[(n * rows + f) * rows + g] for g, y in features if max(f, g) < rows)
        doubt += x * along if f < rows else x * x * float(start)
    return F(1 / (1 + max(doubt, 0.0)))


def duels(learner, state, entries):
    pairs, virtual = Weights(learner, state, "pairs"), Weights(learner, state, "br", alike=True)
    labels, rows, terms = range(learner.known), [], [[] for _ in range(learner.known)]
    for f, x in entries:
        row = []
        for c in labels:
            total = 0.0
            for other in labels:
                u, v = min(c, other), max(c, other)
                if u == v:
                    continue
                column = v * (v - 1) // 2 + u
                total += pairs(f, column, x) if c == u else -pairs(f, column, x)
                terms[c] += pairs.terms(f, column, x)
            total += virtual(f, c + 1, x)
            terms[c] += virtual.terms(f, c + 1, x)
            if learner.decode == "weighted":
                total += sum(virtual(f, other + 1, x) for other in labels)
                terms[c] += [t for other in labels for t in virtual.terms(f, other + 1, x)]
            row.append(total)
        rows.append(row)
    return sized(rows, terms, learner.known)


def shares(learner, state, entries):
    oracle = NB(learner.variant, learner.alpha, learner.counts)
    oracle.labels, oracle.features = list(learner.labels), {f: f for f, _ in entries}
    oracle.counts.need(len(state.counts))
    oracle.counts.append(learner.known)
    if state.counts:
        oracle.counts.weights[:] = state.counts
    oracle.totals, oracle.documents = state.label_totals, state.label_documents
    oracle.seen = {f for f, seen in enumerate(state.seen) if seen}
    (m, *own), sums = oracle.documents, oracle.sums()
    ids, counted = oracle.counted(dict(entries), asked=True)
    columns = range(1, learner.known + 1)
    base = [math.log((n + 1) / (m - n + 1)) for n in own]
    rows = [
        [float(x) * oracle.weight(f, c, sums) if x else 0.0 for c in columns] for f, x in zip(ids, counted, strict=True)
    ]
    return rows, base, [abs(b) + sum(abs(row[c]) for row in rows) for c, b in enumerate(base)]


def frequency(learner, state, entries):
    base = [n / learner.learnt for n in state.label_documents]
    return [[0.0] * learner.known for _ in entries], base, base


def repeated(learner, state, entries):
    base = [float(c in state.last) for c in range(learner.known)]
    return [[0.0] * learner.known for _ in entries], base, base


def fingerprint():
    """A hash of every learner's reasons over a seeded stream that forgets, features never met among them."""
    stream = [({int(f[1:]): v for f, v in x.items()}, y) for x, y in streams.zipf(31, 120, labels=43)]
    batch = forgetful_batch(stream, streams.leaving(31, 120, 60), 60)
    asked = forgetful_batch([(dict.fromkeys(range(12 * i, 12 * i + 20), 0.7), None) for i in range(5)], [[]] * 5, 90)
    found = {}
    for kind in kinds.KINDS:
        learner, bits = kinds.native(kind), b""
        learner.progress(Events(batch))
        for row in range(5):
            reasons = learner.reasons(asked, row)
            bits += reasons.contributions.tobytes() + reasons.base.tobytes()
        found[kind] = hashlib.sha256(bits).hexdigest()
    return found


if __name__ == "__main__":
    print(_core.level, fingerprint())

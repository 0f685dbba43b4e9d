"""AdaBoost.LC as figure 2 of its paper prints it, one loop a sum; and AdaBoost.MH with log loss, which HM is to be."""

from math import exp, log, sqrt

COVERINGS = {
    "zo": lambda y, k: [set(range(k))],
    "hm": lambda y, k: [{c} for c in range(k)],
    "ts": lambda y, k: [set(y), set(range(k)) - y],
    "wp": lambda y, k: [set(y)] * 6 + [{c} for c in range(k) if c not in y],
    "wn": lambda y, k: [set(range(k)) - y] * 4 + [{c} for c in y],
}


def scaled(documents, features):
    """h_j(x_i) as rows: each value over the largest size of its feature; and those sizes."""
    largest = [max([abs(x.get(j, 0.0)) for x, _ in documents], default=0.0) for j in features]
    return [[x.get(j, 0.0) / m if m else 0.0 for j, m in zip(features, largest, strict=True)] for x, _ in documents]


def templates(update, h, width):
    """B: unit vectors, or given ones, none with sum_j b_j |h_j(x_i)| above 1 for any i."""
    if update == "sequential":
        return [[float(j == k) for j in range(width)] for k in range(width)]
    given = [[1.0] * width] if update == "parallel" else update
    found = []
    for b in given:
        largest = max([1.0] + [sum(bj * abs(hj) for bj, hj in zip(b, row, strict=True)) for row in h])
        found.append([bj / largest for bj in b])
    return found


def loss(f, y, sets):
    """L(f, (x, y), A), y as a set."""
    return sum(log(1 + sum(exp(-(1 if c in y else -1) * f[c]) for c in a)) for a in sets)


def error(chosen, y, sets):
    """err(f, (x, y), A): the sets in which some label is wrong."""
    return sum(any((c in chosen) != (c in y) for c in a) for a in sets)


class LC:
    """`alpha[j][l]`, `losses` before and after each round, and `bounds`: (8) with the d that was used.

    Where two templates are as good but for rounding, and are not the same on all documents, it is undefined which will
    be taken: `clear` is the number of rounds before that.
    """

    def __init__(self, covering, update, rounds, eps):
        self.covering, self.update, self.rounds, self.eps = covering, update, rounds, eps

    def fit(self, documents, features, k):
        """Learn (features by name, set of columns) pairs."""
        h, truths = scaled(documents, features), [y for _, y in documents]
        m, width = len(documents), len(features)
        sets = [self.covering(y, k) for y in truths]
        b = templates(self.update, h, width)
        self.alpha = [[0.0] * k for _ in range(width)]
        self.clear = self.rounds
        self.losses, self.bounds = [self.mean_loss(h, truths, sets, k)], []
        for t in range(self.rounds):
            bound = 0.0
            q = [self.weights(self.f(row, k), y, a, k) for row, y, a in zip(h, truths, sets, strict=True)]
            steps = []
            for c in range(k):
                right, wrong = [0.0] * width, [0.0] * width
                for i in range(m):
                    for s in range(len(sets[i])):
                        for j in range(width):
                            part = q[i][s][c] * (1 if c in truths[i] else -1) * h[i][j]
                            right[j] += max(0.0, part)
                            wrong[j] += max(0.0, -part)
                d = [0.5 * log((p + self.eps) / (n + self.eps)) for p, n in zip(right, wrong, strict=True)]
                worth = [
                    sum(bj * (sqrt(p) - sqrt(n)) ** 2 for bj, p, n in zip(one, right, wrong, strict=True)) for one in b
                ]
                best = max(range(len(b)), key=lambda one: worth[one]) if b else None
                for other in range(len(b)):
                    if worth[best] - worth[other] < 1e-9 and not alike(b[best], b[other], h):
                        self.clear = min(self.clear, t)
                if best is not None:
                    steps.append((c, b[best], d))
                    for bj, dj, p, n in zip(b[best], d, right, wrong, strict=True):
                        bound += bj * (p * (1 - exp(-dj)) + n * (1 - exp(dj)))
            for c, chosen, d in steps:
                for j in range(width):
                    self.alpha[j][c] += chosen[j] * d[j]
            self.losses.append(self.mean_loss(h, truths, sets, k))
            self.bounds.append(bound / m)

    def f(self, row, k):
        return [sum(a[c] * v for a, v in zip(self.alpha, row, strict=True)) for c in range(k)]

    def mean_loss(self, h, truths, sets, k):
        return sum(loss(self.f(row, k), y, a) for row, y, a in zip(h, truths, sets, strict=True)) / len(h)

    def weights(self, f, y, sets, k):
        """q(s, l) of one document."""
        found = []
        for a in sets:
            terms = [exp(-(1 if c in y else -1) * f[c]) if c in a else 0.0 for c in range(k)]
            found.append([term / (1 + sum(terms)) for term in terms])
        return found


def alike(one, other, h):
    """Whether two templates move every document alike: then it is all the same which is taken."""
    return all([b * v for b, v in zip(one, row, strict=True) if b * v] ==
               [b * v for b, v in zip(other, row, strict=True) if b * v] for row in h)  # fmt: skip


def log_loss_mh(documents, features, k, rounds, eps):
    """AdaBoost.MH with log loss in place of the exponential one, parallel: each label for itself, no covering."""
    h = scaled(documents, features)
    most = max([1.0] + [sum(map(abs, row)) for row in h])
    decisions = []
    for c in range(k):
        sign = [1.0 if c in y else -1.0 for _, y in documents]
        f = [0.0] * len(documents)
        for _ in range(rounds):
            w = [1 / (1 + exp(s * v)) for s, v in zip(sign, f, strict=True)]
            move = [0.0] * len(documents)
            for j in range(len(features)):
                agreeing = sum(wi * abs(row[j]) for wi, row, s in zip(w, h, sign, strict=True) if s * row[j] > 0)
                differing = sum(wi * abs(row[j]) for wi, row, s in zip(w, h, sign, strict=True) if s * row[j] < 0)
                step = 0.5 * log((agreeing + eps) / (differing + eps)) / most
                move = [v + step * row[j] for v, row in zip(move, h, strict=True)]
            f = [v + u for v, u in zip(f, move, strict=True)]
        decisions.append(f)
    return [list(row) for row in zip(*decisions, strict=True)] if decisions else [[] for _ in documents]

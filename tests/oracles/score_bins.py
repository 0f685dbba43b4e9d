"""Probabilities and sets from binned scores, slowly, as docs/definitions.md ("Thresholds") has them."""

import math
from collections import defaultdict

import numpy as np

SHARED, HALF_LIFE = 20, 1000
one = np.float32(1)


class ScoreBins:
    """What is learnt of scores; a bin is (above the cut or not, how far from it), and they ascend as such pairs."""

    def __init__(self, decide):
        self.decide = decide
        self.met, self.hits = defaultdict(float), defaultdict(float)  # by bin
        self.own_met, self.own_hits = defaultdict(np.float32), defaultdict(np.float32)  # by label and bin
        self.positives, self.own_positives = 0.0, defaultdict(np.float32)
        self.rates, self.f1, self.own_f1 = {}, 0.5, {}
        self.answers = self.again = 0

    def ask(self, scores, relevant):
        """The probabilities and the set, by column."""
        cut = own_cut(scores, relevant)
        self.bins = [bin_of(np.float32(s) - cut) for s in scores]
        p = [self.probability(c, b) for c, b in enumerate(self.bins)]
        half = [np.float32(self.own_f1.get(c) or self.f1) / 2 for c in range(len(p))]
        if self.decide == "micro":
            half = [np.float32(self.f1) / 2] * len(p)
        return p, list(relevant) if self.decide == "sign" else [q >= h for q, h in zip(p, half, strict=True)]

    def probability(self, column, where):
        rate = self.rates.get(where, np.float32(0.55 if where[0] else 0.05))
        shared = np.float32(SHARED)
        return (self.own_hits[column, where] + shared * rate) / (self.own_met[column, where] + shared)

    def answer(self, columns):
        """The columns of the labels; those without a score were not known at the last ask."""
        for c, where in enumerate(self.bins):
            self.own_met[c, where] += one
            self.met[where] += 1
            if c in columns:
                self.own_hits[c, where] += one
                self.hits[where] += 1
        for c in columns:
            self.own_positives[c] += one
            self.positives += 1
        self.answers += 1
        if self.answers % HALF_LIFE == 0:
            for table in (self.met, self.hits, self.own_met, self.own_hits, self.own_positives):
                for key in table:
                    table[key] /= 2
            self.positives /= 2
        if self.answers >= self.again:
            self.again = self.answers + min(64, max(1, self.answers // 16))
            self.refresh()

    def refresh(self):
        self.rates = {b: np.float32((self.hits[b] + (0.55 if b[0] else 0.05)) / (n + 1)) for b, n in self.met.items()}
        if not self.positives:
            return
        bins = sorted(self.met, reverse=True)
        self.f1 = best_f1([(self.met[b], self.hits[b]) for b in bins], self.positives)
        share = SHARED / self.positives
        for c, positives in self.own_positives.items():
            counts = [
                (float(self.own_met[c, b]) + self.met[b] * share, float(self.own_hits[c, b]) + self.hits[b] * share)
                for b in bins
            ]
            self.own_f1[c] = np.float32(best_f1(counts, float(positives) + SHARED)) if self.decide == "macro" else 0


def best_f1(counts, positives):
    """The best F1 of predicting all bins from one on; `counts` are of the highest bin first."""
    met = hits = best = 0.0
    for more, found in counts:
        met, hits = met + more, hits + found
        best = max(best, 2 * hits / (met + positives))
    return best


def own_cut(scores, relevant):
    """0 where the learner may cut there, else the middle between its lowest score inside and its highest outside."""
    inside = [s for s, on in zip(scores, relevant, strict=True) if on and not math.isnan(s)]
    outside = [s for s, on in zip(scores, relevant, strict=True) if not on and not math.isnan(s)]
    low, high = max(outside, default=None), min(inside, default=None)
    if (low is None or low <= 0) and (high is None or high >= 0):
        return np.float32(0)
    low, high = (high if low is None else low), (low if high is None else high)
    middle = np.float32(high) / 2 + np.float32(low) / 2
    return middle if np.isfinite(middle) else np.float32(0)


def bin_of(distance):
    """Two bins an octave from 2^-12 to 2^20 on either side; NaN is in the lowest."""
    if math.isnan(distance):
        return (False, -63)
    size = abs(float(distance))
    if size == math.inf:
        place = 63
    elif size < 2**-12:
        place = 0
    else:
        mantissa, octave = math.frexp(size)  # mantissa in [1/2, 1)
        place = min(63, 2 * (octave - 1 + 12) + (mantissa >= 0.75))
    return (True, place) if distance > 0 else (False, -place)

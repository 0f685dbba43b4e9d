"""Words, read slowly from docs/definitions.md ("Words")."""

import math
import unicodedata
from collections import Counter
from decimal import Decimal

import numpy as np
import Stemmer
from oracles import ties

BRIM = 2.0**256


def ln(x):
    """x = m 2^e with m from sqrt(1/2) to sqrt(2); ln m = 2 artanh((m - 1) / (m + 1)), as a series."""
    m, e = math.frexp(x)
    if m < 0.7071067811865476:
        m, e = 2 * m, e - 1
    s = (m - 1) / (m + 1)
    z = s * s
    p = 2 / 21
    for odd in (19, 17, 15, 13, 11, 9, 7, 5, 3, 1):
        p = p * z + 2 / odd
    return e * float.fromhex("0x1.62e42feep-1") + (s * p + e * float.fromhex("0x1.a39ef35793c76p-33"))


def tokens(text, kind="letters"):
    if kind == "blanks":
        found = "".join(" " if "\ud800" <= c <= "\udfff" else c for c in text).split()
    else:
        found, inside = [], False
        for c in text.casefold():
            letter = c.isalpha() if kind == "letters" else c.isalnum()
            mark = unicodedata.category(c).startswith("M")
            if letter and not inside:
                found.append("")
            inside = letter or (mark and inside)
            if inside:
                found[-1] += c
    return [token for token in found if len(token) <= 100]


def damped(tf):
    return tf if tf < 1 else 1 + ln(tf)


class Words:
    """`stop` are lines; `values` the terms of idf=FILE. `names` are the terms by id."""

    def __init__(
        self, *, tokens="letters", stop=(), stem="none", vocabulary="growing", size=0, weight="ltc", idf="all",
        halflife=100_000, window=100_000, title=1.0, slope=0.3, terms=None, values=None,
    ):  # fmt: skip
        self.kind, self.vocabulary, self.size, self.weight, self.idf = tokens, vocabulary, size, weight, idf
        self.window, self.title, self.slope, self.terms, self.values = window, title, slope, terms, values
        self.stop = {token for line in stop for token in self.tokens(line)}
        self.stem = (lambda token: token) if stem == "none" else Stemmer.Stemmer(stem, 0).stemWord
        self.growth = float(Decimal(2) ** (1 / Decimal(halflife)))
        self.names, self.now, self.number, self.settled = [], 1.0, 0, False
        self.n, self.m = 0.0, 0.0
        self.df, self.occurrences = Counter(), Counter()
        self.useful, self.last, self.since = {}, {}, {}
        self.past = []  # (number, {id: times}) of the documents in the window

    def tokens(self, text):
        return tokens(text, self.kind)

    def counted(self, text):
        found = Counter()
        for token in self.tokens(text):
            if token not in self.stop and (term := self.stem(token)):
                found[term] += 1
        return found

    def name_of(self, term):
        return str(ties.name(term) % self.size) if self.vocabulary == "hashed" else term

    def row(self, title, text, counting=True):
        """The document's {id: weight}, and the ids that went to another term on its account."""
        counting = counting and not self.settled
        if counting:
            self.tick()
        of_title, of_text = self.counted(title) if self.title else Counter(), self.counted(text)
        terms = sorted({*of_title, *of_text})
        if self.values is not None:
            terms = [term for term in terms if term in self.values]
        hand = {self.names.index(name) for name in map(self.name_of, terms) if name in self.names}
        forgotten = []
        for term in terms if counting else ():
            if (name := self.name_of(term)) not in self.names:
                self.admit(name, hand, forgotten)
        tf, times = Counter(), Counter()
        for term in terms:
            if (name := self.name_of(term)) in self.names:
                tf[self.names.index(name), "text"] += of_text[term]
                tf[self.names.index(name), "title"] += of_title[term]
        ids = sorted({i for i, _ in tf})
        times = {i: tf[i, "text"] + tf[i, "title"] for i in ids}
        if counting:
            self.count(times)
        return self.weigh({i: tf[i, "text"] + self.title * tf[i, "title"] for i in ids}), forgotten

    def tick(self):
        self.number += 1
        self.now *= self.growth
        if self.now >= BRIM:
            self.now /= BRIM
            for sums in [self.useful] + [self.df, self.occurrences] * (self.idf == "decayed"):
                for i in sums:
                    sums[i] = 0 if sums[i] / BRIM < 1 / BRIM else sums[i] / BRIM
            if self.idf == "decayed":
                self.n, self.m = self.n / BRIM, self.m / BRIM

    def admit(self, name, hand, forgotten):
        if self.vocabulary == "bounded" and len(self.names) == self.size:
            free = [i for i in range(self.size) if i not in hand]
            if not free:
                return
            i = min(free, key=lambda i: (self.useful[i], self.last[i], i))
            forgotten.append(i)
            self.names[i] = name
            self.df[i] = self.occurrences[i] = 0
        else:
            i = len(self.names)
            self.names.append(name)
        self.useful[i], self.last[i], self.since[i] = 0.0, self.number, self.number
        hand.add(i)

    def count(self, times):
        for i in times:
            self.useful[i] += self.now
            self.last[i] = self.number
        one = self.now if self.idf == "decayed" else 1.0
        self.n += one
        self.m += one * len(times)
        for i in times:
            self.df[i] += one
            self.occurrences[i] += one * times[i]
        if self.idf == "windowed":
            self.past = [*self.past, (self.number, times)][-self.window :]
            self.n, self.m = float(len(self.past)), float(sum(len(old) for _, old in self.past))
            held = [{i: old[i] for i in old if number >= self.since[i]} for number, old in self.past]
            self.df = Counter(i for old in held for i in old)
            self.occurrences = Counter()
            for old in held:
                self.occurrences.update(old)

    def weigh(self, tf):
        first, second, third = self.weight
        mean = sum(tf.values()) / len(tf) if tf else 1
        weights = {}
        for i, x in tf.items():
            weight = {"n": x, "b": 1.0, "l": damped(x), "L": damped(x) / damped(mean)}[first]
            if second != "n":
                weight *= self.idf_of(i, self.df if second == "t" else self.occurrences)
            weights[i] = weight
        squares = 0.0
        for weight in weights.values():
            squares += weight * weight
        by = 1.0
        if third == "c" and squares:
            by = math.sqrt(squares)
        if third == "u" and self.m:
            by = 1 - self.slope + self.slope * (len(tf) / (self.m / self.n))
        return {i: float(np.float32(weight / by)) for i, weight in weights.items()}

    def idf_of(self, i, counts):
        if self.values is not None:
            return self.values[self.names[i]]
        one = self.now if self.idf == "decayed" else 1.0
        found = ln((self.n if self.settled else self.n + one) / (counts[i] or one))
        return max(found, 0.0)

    def settle(self):
        if self.terms is not None and self.terms < len(self.names):
            best = sorted(range(len(self.names)), key=lambda i: (-self.df[i], self.names[i]))[: self.terms]
            kept = sorted(best)
            self.names = [self.names[i] for i in kept]
            self.df, self.occurrences = (
                Counter({new: counts[i] for new, i in enumerate(kept)}) for counts in (self.df, self.occurrences)
            )
            self.m = 0.0
            for i in range(len(kept)):
                self.m += self.df[i]
        self.settled = True

"""Seeded streams of (features, labels) pairs; labels are None where there is no answer."""

import random

NAMES = [
    "CCAT",
    "GCAT",
    "M14",
    "Börse",
    "sport",
    "war",
    "C151",
    "E21",
    "trade",
    "Ölpreis",
    "weather",
    "a",
    "GDIP",
    "art",
]


def zipf(seed, documents=300, features=60, labels=12, length=8, *, dyadic=False, unlabelled=0.0):
    """Sparse documents with Zipf features; each label has features that speak for it, late labels are rare.

    With `dyadic` values are small multiples of 1/4, so that every sum is exact in whatever order.
    """
    rng = random.Random(seed)
    names = (NAMES + [f"L{i}" for i in range(labels)])[:labels]
    terms = [f"t{i}" for i in range(features)]
    weights = [1 / (i + 2) for i in range(features)]
    speaks = {c: set(rng.sample(terms, 4)) for c in names}
    stream = []
    for _ in range(documents):
        chosen = dict.fromkeys(rng.choices(terms, weights, k=rng.randrange(length + 1)))
        x = {t: rng.randrange(1, 9) / 4 if dyadic else rng.random() + 0.05 for t in chosen}
        if x and rng.random() < 0.1:
            x[rng.choice(list(x))] *= -1
        noisy = [c for c in names if rng.random() < 0.02 or (speaks[c] & x.keys() and rng.random() < 0.6)]
        stream.append((x, None if rng.random() < unlabelled else noisy[:4]))
    return stream


def dense(seed, documents=300, features=10, labels=6):
    """Documents that all have the same features, of both signs; labels are linear in them, with noise."""
    rng = random.Random(seed)
    planes = {f"y{j}": [rng.gauss(0, 1) for _ in range(features)] for j in range(labels)}
    stream = []
    for _ in range(documents):
        x = {i: rng.gauss(0, 1) for i in range(features)}
        y = [c for c, w in planes.items() if sum(a * b for a, b in zip(w, x.values(), strict=True)) > rng.gauss(1, 1)]
        stream.append((x, y))
    return stream


def leaving(seed, documents, features):
    """For each document some numbers below `features`: mostly none, else one or a few, also some that never came."""
    rng = random.Random(seed)
    return [[rng.randrange(features) for _ in range(rng.choice([0, 0, 0, 1, 1, 4]))] for _ in range(documents)]


def shuffled(stream, seed):
    stream = list(stream)
    random.Random(seed).shuffle(stream)
    return stream


def labels_of(stream):
    """All labels in the order in which a learner meets them."""
    return list(dict.fromkeys(c for _, y in stream if y is not None for c in sorted(y)))

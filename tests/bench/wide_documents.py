"""Made-up documents with any number of labels, in the shapes of known collections."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from telex.learners import Batch, Names
from telex.learners.base import Strings

_OWN, _COMMON = 15, 40


@dataclass(frozen=True)
class Shape:
    """How many documents, labels and terms there are, and how many labels and words a document has on average."""

    documents: int
    labels: int
    terms: int = 50_000
    beside: float = 2.0
    words: int = 80


SHAPES = {
    "bibtex": Shape(7395, 159, 1836, 1.6, 84),
    "eurlex": Shape(19_348, 3993, 5000, 7.0, 360),
}
"""Of the same documents, labels, terms, labels a document (2.4 and 5.3) and terms a document (69 and 237)."""


def made_up(shape: Shape, seed: int = 0) -> Batch:
    """Documents whose labels are as frequent as their rank to the power of -.8, with others of the same theme; each
    label and theme has terms of its own.
    """
    rng = np.random.default_rng([seed, shape.labels])
    n, many, terms = shape.documents, shape.labels, shape.terms
    themes = max(4, many // 16)
    popular = (np.arange(many) + 8.0) ** -0.8
    theme = rng.integers(0, themes, many)
    by_theme = np.argsort(theme, kind="stable")
    heaped = np.append(0, np.cumsum(popular[by_theme]))
    ends = heaped[np.searchsorted(theme[by_theme], np.arange(themes + 1))]
    own, common = rng.integers(0, terms, (many, _OWN)), rng.integers(0, terms, (themes, _COMMON))

    main = _drawn(rng, np.cumsum(popular), n)
    at = np.repeat(np.arange(n), rng.poisson(shape.beside, n))
    low, high = ends[theme[main[at]]], ends[theme[main[at]] + 1]
    inside = np.searchsorted(heaped, low + rng.random(len(at)) * (high - low), side="right") - 1
    beside = by_theme[np.minimum(inside, many - 1)]
    label_rows, labels = np.divmod(np.unique(np.append(np.arange(n) * many + main, at * many + beside)), many)
    label_indptr = np.searchsorted(label_rows, np.arange(n + 1))

    # Of all words half are the language's, a quarter the theme's, a quarter those of the document's labels.
    spoken, each = shape.words // 2, shape.words // 4
    language = rng.permutation(terms)[_drawn(rng, np.cumsum((np.arange(terms) + 20.0) ** -1.1), n * spoken)]
    themed = common[np.repeat(theme[main], each), rng.integers(0, _COMMON, n * each)]
    of = np.repeat(label_indptr[:-1], each)
    of += (rng.random(n * each) * np.repeat(np.diff(label_indptr), each)).astype(int)
    named = own[labels[of], rng.integers(0, _OWN, n * each)]
    drawn = np.concatenate([words.reshape(n, -1) for words in (language, themed, named)], axis=1)
    keys, counts = np.unique(np.arange(n)[:, None] * terms + drawn, return_counts=True)
    rows, features = np.divmod(keys, terms)
    values = 1 + np.log(counts)
    values /= np.sqrt(np.bincount(rows, values * values, n))[rows]
    return Batch(
        np.searchsorted(rows, np.arange(n + 1)), features.astype(np.int32), values.astype(np.float32),
        label_indptr, labels.astype(np.int32), np.ones(n, np.bool_), Strings.of([""] * n), np.full(n, np.nan),
        np.arange(n), Names([f"t{term}" for term in range(terms)]), Names([f"L{label:06}" for label in range(many)]),
    )  # fmt: skip


def _drawn(rng: np.random.Generator, heaped: np.ndarray, many: int) -> np.ndarray:
    return np.searchsorted(heaped, rng.random(many) * heaped[-1])

"""How the peers make features of texts: scikit-learn by batches, river by documents."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
from clock import Measured, second_half
from river.feature_extraction import TFIDF
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, HashingVectorizer
from sklearn.preprocessing import normalize
from Stemmer import Stemmer
from texts import texts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from documents import Documents
    from scipy.sparse import csr_matrix

BATCH = 256


def whole(documents: Documents) -> list[str]:
    """Return the documents as one text each, title first."""
    made = texts(documents)
    return [f"{title}\n{text}" for title, text in zip(made.titles, made.texts, strict=True)]


def terms() -> Callable[[str], list[str]]:
    """Return what makes stems of a text: one call of the compiled stemmer a document.

    Its own cache holds 10,000 stems by default; one that holds all of them is 1.4 times as fast.
    """
    cut, stems = re.compile("[a-z]+").findall, Stemmer("porter", 1_000_000).stemWords
    return lambda text: stems([token for token in cut(text.lower()) if token not in ENGLISH_STOP_WORDS])


class Hashing:
    """tf-idf of texts as they come: document frequencies are counted batch by batch.

    In 2**16 buckets, two for a term: a table of weights a label is copied with each batch, so that the default of
    2**20 makes learning 15 times slower.
    """

    def __init__(self) -> None:
        self.vectoriser = HashingVectorizer(analyzer=terms(), n_features=1 << 16, norm=None, alternate_sign=False)
        self.documents = 0
        self.frequencies = np.zeros(self.vectoriser.n_features)

    def __call__(self, batch: Sequence[str]) -> csr_matrix:
        """Return the features of a batch, having counted it."""
        counts = self.vectoriser.transform(batch)
        self.documents += len(batch)
        self.frequencies += np.bincount(counts.indices, minlength=counts.shape[1])
        np.log(counts.data, out=counts.data)
        counts.data += 1
        counts.data *= np.log((self.documents + 1) / self.frequencies[counts.indices])
        return normalize(counts, copy=False)


def hashing(documents: Documents, folder: Path) -> Measured:
    """scikit-learn: tokens, stop words, stems, tf-idf, in batches of 256."""
    made, vectorise = whole(documents), Hashing()
    return second_half(len(made), lambda i: vectorise(made[i : i + BATCH]), BATCH)


def tfidf(documents: Documents, folder: Path) -> Measured:
    """river: its TFIDF as it comes, without stop words and stems; there are no accents to look for."""
    made, transformer = whole(documents), TFIDF(strip_accents=False)

    def step(i: int) -> None:
        transformer.learn_one(made[i])
        transformer.transform_one(made[i])

    return second_half(len(made), step)

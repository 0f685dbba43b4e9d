"""The documents of every bench: a seeded newswire of the size of RCV1, or the real one."""

from __future__ import annotations

import gzip
from dataclasses import dataclass, fields
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

LABELS = 103
TERMS = 47_000
FIRST_TERM = 10_000  # term numbers then have five digits, which makes lines.py simple
BLOCK = 10_000
TOPIC_TERMS = 200
TOPIC_SHARE = 0.58


@dataclass(frozen=True, slots=True)
class Documents:
    """Vectors of unit length with their labels, in compressed rows; terms ascend within a row, labels too."""

    indptr: np.ndarray
    terms: np.ndarray
    values: np.ndarray
    label_indptr: np.ndarray
    labels: np.ndarray

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def head(self, count: int) -> Documents:
        """Return the first ``count`` documents, all where there are fewer."""
        count = min(count, len(self))
        pairs, answers = self.indptr[count], self.label_indptr[count]
        return Documents(
            self.indptr[: count + 1], self.terms[:pairs], self.values[:pairs],
            self.label_indptr[: count + 1], self.labels[:answers],
        )  # fmt: skip

    def answers(self) -> list[list[int]]:
        """Return the labels of each document as lists."""
        flat = self.labels.tolist()
        return [flat[a:b] for a, b in pairwise(self.label_indptr.tolist())]

    def rows(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the terms and values of each document."""
        return [(self.terms[a:b], self.values[a:b]) for a, b in pairwise(self.indptr.tolist())]

    def truth(self) -> np.ndarray:
        """Return a row of bools a document: whether it has the label."""
        truth = np.zeros((len(self), LABELS), np.bool_)
        truth[np.repeat(np.arange(len(self)), np.diff(self.label_indptr)), self.labels] = True
        return truth

    def numbered(self) -> tuple[Documents, np.ndarray]:
        """Return the documents with terms numbered by first appearance, as sources do, and the terms."""
        known, first, inverse = np.unique(self.terms, return_index=True, return_inverse=True)
        order = np.argsort(first)
        number = np.empty(len(order), np.int32)
        number[order] = np.arange(len(order), dtype=np.int32)
        ids = number[inverse]
        rows = np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.indptr))
        places = np.lexsort((ids, rows))
        documents = Documents(self.indptr, ids[places], self.values[places], self.label_indptr, self.labels)
        return documents, known[order]

    def save(self, path: Path) -> None:
        """Write the arrays where :func:`load` finds them."""
        np.savez(path, **{field.name: getattr(self, field.name) for field in fields(self)})


def load(path: Path) -> Documents:
    """Return what ``save`` has written."""
    with np.load(path) as arrays:
        return Documents(**{name: arrays[name] for name in arrays.files})


def joined(parts: Iterable[Documents]) -> Documents:
    """Return the documents of all ``parts``, one after the other."""
    parts = list(parts)
    return Documents(
        offsets(np.concatenate([np.diff(part.indptr) for part in parts])),
        np.concatenate([part.terms for part in parts]),
        np.concatenate([part.values for part in parts]),
        offsets(np.concatenate([np.diff(part.label_indptr) for part in parts])),
        np.concatenate([part.labels for part in parts]),
    )


def offsets(counts: np.ndarray) -> np.ndarray:
    """Return the row starts that belong to the rows' lengths."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def blocks(count: int, seed: int = 0) -> Iterator[Documents]:
    """Yield ``count`` synthetic documents in blocks: document i is the same whatever the count."""
    for number, start in enumerate(range(0, count, BLOCK)):
        yield block(number, seed).head(count - start)


def synthetic(count: int, seed: int = 0) -> Documents:
    """Return ``count`` synthetic documents."""
    return joined(blocks(count, seed))


@cache
def _wire(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return a table to draw terms from, each term's idf, each label's topic, the labels' cumulated shares.

    The constants are fitted to 17,189 documents of RCV1 (in brackets): terms a document 77 (78), labels 3.2
    (3.2), distinct terms 24,651 (26,369), share of the 1,000 commonest terms 73 % (68 %), documents with
    the commonest label 47 % (45 %), with the hundredth 0.1 % (0.01 %), iserr of MMP 0.43 (0.44).
    """
    rng = np.random.default_rng([seed, 103])
    share = 1 / (np.arange(TERMS) + 420.0) ** 1.95
    share /= share.sum()
    terms = rng.permutation(TERMS).astype(np.int32)  # a term's number must not betray how common it is
    size = 1 << 22
    table = terms[np.searchsorted(np.cumsum(share), (np.arange(size) + 0.5) / size).clip(max=TERMS - 1)]
    idf = np.empty(TERMS, np.float32)
    idf[terms] = 0.01 - np.log(np.minimum(1.0, 76 * share))
    topics = table[rng.integers(size, size=(LABELS, TOPIC_TERMS))]
    frequency = np.exp(-np.arange(LABELS) / 40) / (np.arange(LABELS) + 2.0)
    return table, idf, topics, np.cumsum(frequency / frequency.sum())


def block(number: int, seed: int = 0) -> Documents:
    """Return the documents ``number * BLOCK`` to ``(number + 1) * BLOCK`` of the synthetic newswire."""
    table, idf, topics, frequency = _wire(seed)
    rng = np.random.default_rng([seed, number])
    counts = rng.choice(np.arange(2, 9), BLOCK, p=[0.22, 0.43, 0.16, 0.09, 0.05, 0.03, 0.02])
    rows = np.repeat(np.arange(BLOCK), counts)
    labels = np.searchsorted(frequency, rng.random(len(rows))).clip(max=LABELS - 1)
    keys = np.unique(rows * LABELS + labels)
    labels = (keys % LABELS).astype(np.int32)
    label_indptr = offsets(np.bincount(keys // LABELS, minlength=BLOCK))

    lengths = np.exp(rng.normal(np.log(68), 0.72, BLOCK)).astype(np.int64).clip(10, 400)
    rows = np.repeat(np.arange(BLOCK, dtype=np.int32), lengths)
    spoken = rng.random(len(rows), np.float32) < TOPIC_SHARE
    words = table[rng.integers(len(table), size=len(rows), dtype=np.int32)]
    about, chance, rank = rows[spoken], *rng.random((2, int(spoken.sum())), np.float32)
    which = label_indptr[about] + (chance * np.diff(label_indptr)[about]).astype(np.int32)
    words[spoken] = topics[labels[which], (rank * rank * TOPIC_TERMS).astype(np.int32)]
    keys, times = np.unique(rows * np.int32(TERMS) + words, return_counts=True)
    rows, terms = np.divmod(keys, np.int32(TERMS))
    values = (np.log(np.arange(1, 500, dtype=np.float32)) + 1)[times - 1] * idf[terms]
    values /= np.sqrt(np.bincount(rows, values * values)).astype(np.float32)[rows]
    indptr = offsets(np.bincount(rows, minlength=BLOCK))
    return Documents(indptr, terms + np.int32(FIRST_TERM), values, label_indptr, labels)


def real(folder: Path) -> Documents:
    """Read RCV1's vectors and topics, in LYRL2004's formats, from ``folder``, in order of id."""
    topics: dict[int, list[str]] = {}
    with gzip.open(folder / "rcv1-v2.topics.qrels.gz", "rt") as lines:
        for line in lines:
            topic, document, _ = line.split()
            topics.setdefault(int(document), []).append(topic)
    label = {name: i for i, name in enumerate(sorted({name for names in topics.values() for name in names}))}
    with gzip.open(folder / "lyrl2004_vectors.dat.gz", "rt") as lines:
        rows = sorted((int(line.split(None, 1)[0]), line) for line in lines)
    pairs = [[pair.split(":") for pair in line.split()[1:]] for _, line in rows]
    answers = [sorted(label[name] for name in topics.get(document, [])) for document, _ in rows]
    return Documents(
        offsets(np.array([len(row) for row in pairs])),
        np.array([int(term) + FIRST_TERM for row in pairs for term, _ in row], np.int32),
        np.array([float(value) for row in pairs for _, value in row], np.float32),
        offsets(np.array([len(row) for row in answers])),
        np.array([c for row in answers for c in row], np.int32),
    )

"""Folds, which say what documents train and test: stratified ones, given ones, and one cut through the stream."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from telex.learners.base import UsageError, in_order, key
from telex.stream.sources import boundary

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from telex.learners.base import Batch, Ids
    from telex.stream.crossval.documents import Corpus


class Fold(NamedTuple):
    """The rows that train and the rows that test, each ascending, and the name of the fold."""

    name: str
    train: Ids
    test: Ids


def stratified(batch: Batch, folds: int, seed: int = 0) -> list[Fold]:
    """Deal the documents out to ``folds`` folds, so that each label is spread evenly.

    Documents are sorted by their rarest label, then by their whole label set, then by the named hash of (``seed``,
    stream number), and dealt out in turn. So the documents with one label set, those with one rarest label, and the
    sizes of the folds differ by at most one document. If every document has one label, this is exact stratification.
    Frequent labels, which are no document's rarest, come out nearly even.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for label in ["trade", "sport", "trade", "trade", "sport", "trade"]:
    ...     builder.add({}, [label])
    >>> batch = builder.take()
    >>> [sorted(batch.labels_of(row)[0] for row in fold.test) for fold in stratified(batch, 2)]
    [['sport', 'trade', 'trade'], ['sport', 'trade', 'trade']]
    """
    n = len(batch)
    if not 2 <= folds <= n:
        raise UsageError(f"{n} documents cannot make {folds} folds; give a number from 2 to {n}")
    names = [str(name) for name in batch.label_names]
    counts = np.bincount(batch.labels[batch.label_indptr[0] : batch.label_indptr[-1]], minlength=len(names)).tolist()

    def place(row: int) -> tuple[list[tuple[int, str]], int]:  # labels sorted by frequency: the rarest comes first
        labels = batch.labels[batch.label_indptr[row] : batch.label_indptr[row + 1]].tolist()
        return sorted((counts[c], names[c]) for c in labels), key(seed, int(batch.numbers[row]), "")

    dealt = np.empty(n, np.int64)
    dealt[sorted(range(n), key=place)] = np.arange(n) % folds
    return of(dealt.tolist())


def given(batch: Batch, fold_of: Mapping[str, str]) -> list[Fold]:
    """Return the folds that ``fold_of`` names for each document's id; every document must have one.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for name in "abc":
    ...     builder.add({}, [], id=name)
    >>> [fold.test.tolist() for fold in given(builder.take(), {"a": "1", "b": "2", "c": "1"})]
    [[0, 2], [1]]
    """
    missing = next((name for name in batch.ids if name not in fold_of), None)
    if missing is not None:
        raise UsageError(f"the document {missing!r} has no fold; name one for each document that has labels")
    return of([fold_of[name] for name in batch.ids])


def of(fold_of: Sequence[str | int]) -> list[Fold]:
    """Return a fold for each distinct name or number: its own documents test, all others train.

    A fold given by a number gets its name by counting from 1.

    >>> [(fold.name, fold.train.tolist()) for fold in of(["b", "a", "b"])]
    [('a', [0, 2]), ('b', [1])]
    """
    names = in_order(set(fold_of))
    if all(isinstance(name, str) and name.isdecimal() for name in names):
        names.sort(key=int)
    if len(names) < 2:
        raise UsageError("all documents are in one fold, so none is left to train on; name two folds or more")
    known = {name: i for i, name in enumerate(names)}
    which = np.array([known[name] for name in fold_of], np.int32)
    return [
        Fold(name if isinstance(name, str) else str(i + 1), _rows(which != i), _rows(which == i))
        for i, name in enumerate(names)
    ]


def first(documents: Corpus, text: str) -> Fold:
    """Return the one fold in which the beginning of the stream trains and the rest tests.

    ``text`` is a number of documents, a share (``60%`` or ``0.6``, rounded down), or the end of the beginning, ``DATE``
    or ``id:X``, which is included. Only documents with an answer count.
    """
    batch, n = documents.batch, len(documents)
    share = _share(text)
    if share is not None:
        train = int(n * share)
    else:
        until = boundary(f"n:{text}" if text.isdecimal() else text)
        rows = until.training_rows(batch, 0)
        if rows is None or rows >= n:
            raise UsageError(f"none of {n} documents comes after {text}, to test on; give an earlier end")
        train = rows
    if not 0 < train < n:
        raise UsageError(f"{text} of {n} documents leaves nothing to train on or nothing to test on; give another")
    return _cut(f"first {text}", train, n)


def named(documents: Corpus, name: str) -> Fold:
    """Return the one fold in which the archive read first trains, and those read after it test."""
    train, n = documents.ends[0], len(documents)
    if not 0 < train < n:
        raise UsageError(f"the split {name} has no document in one of its parts here; give all files of the collection")
    return _cut(name, train, n)


def _cut(name: str, train: int, n: int) -> Fold:
    return Fold(name, np.arange(train, dtype=np.int32), np.arange(train, n, dtype=np.int32))


def _rows(where: np.ndarray) -> Ids:
    return np.flatnonzero(where).astype(np.int32)


def _share(text: str) -> Decimal | None:
    """Return the share that ``60%`` or ``0.6`` gives, or None for any other text."""
    number, percent, rest = text.partition("%")
    if rest or not number.replace(".", "", 1).isdecimal() or not (percent or "." in number):
        return None
    return Decimal(number) / 100 if percent else Decimal(number)

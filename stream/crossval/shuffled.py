"""The order in which learners of a stream learn the training documents, and how much it tells of their labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from telex.learners.base import UsageError, name_hash, tie_keys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from telex.learners.base import Batch, Ids, Offsets
    from telex.stream.crossval.documents import Corpus

Shuffle = Literal["once", "epoch", "no"]
_FAR = 0.5
"""Neighbours share labels far beyond chance if they do so in this share of the pairs that by chance would not."""


def usual_shuffle(documents: Corpus) -> Shuffle:
    """Return ``no`` if the documents come in the order of time, else ``once``.

    >>> from telex.learners.base import BatchBuilder
    >>> from telex.stream.crossval import Corpus
    >>> def corpus(*times):
    ...     builder = BatchBuilder()
    ...     for time in times:
    ...         builder.add({}, ["trade"], time=time)
    ...     return Corpus.read([builder.take()])
    >>> usual_shuffle(corpus(1.0, 2.0)), usual_shuffle(corpus(2.0, 1.0)), usual_shuffle(corpus(None, None))
    ('no', 'once', 'once')
    """
    times = documents.batch.times
    steps = np.diff(times[~np.isnan(times)])
    timed = 2 * len(steps) >= len(times) - 1 and np.any(steps > 0)
    backwards = np.count_nonzero(steps < 0)  # the next archive may begin earlier
    return "no" if timed and backwards < len(documents.ends) else "once"


def in_epochs(train: Batch, epochs: int, shuffle: Shuffle, seed: int) -> Iterator[Batch]:
    """Yield the training documents as each of the ``epochs`` learns them: shuffled ``once``, each ``epoch``, or not.

    >>> from telex.learners.base import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for name in "abcde":
    ...     builder.add({}, [], id=name)
    >>> ["".join(batch.ids) for batch in in_epochs(builder.take(), 3, "epoch", seed=1)]
    ['acbed', 'acdeb', 'adebc']
    """
    for epoch in range(epochs):
        if shuffle == "epoch" or (shuffle == "once" and not epoch):
            batch = train.take(shuffled(train.numbers, seed, epoch))
        elif shuffle == "no":
            batch = train
        yield batch


def shuffled(numbers: Offsets, seed: int, epoch: int = 0) -> Ids:
    """Return the rows in the order of a named hash: the same on every machine, whatever other documents there are."""
    keys = tie_keys(seed, numbers, np.array([name_hash(f"epoch {epoch}")], np.uint64))
    return np.argsort(keys[:, 0]).astype(np.int32)


def neighbours(batch: Batch, seed: int = 0) -> tuple[float, float]:
    """Return the share of documents that have a label of the one before, and what it is when they are shuffled."""
    return _share_a_label(batch), _share_a_label(batch.take(shuffled(batch.numbers, seed)))


def note_on_order(documents: Corpus, shuffle: Shuffle, seed: int = 0) -> str:
    """Say that neighbours share labels far beyond chance, and what is done about it; empty if they do not.

    >>> from telex.learners.base import BatchBuilder
    >>> from telex.stream.crossval import Corpus
    >>> builder = BatchBuilder()
    >>> for label in ["trade"] * 20 + ["sport"] * 20:
    ...     builder.add({}, [label])
    >>> note_on_order(Corpus.read([builder.take()]), "no").partition(":")[0]
    '97 % of the documents have a label of the one before them, by chance 36 % would'
    """
    batch = documents.batch
    if len(batch) < 3:
        return ""
    share, chance = neighbours(batch, seed)
    if share - chance <= _FAR * (1 - chance):
        return ""
    found = f"{share:.0%} of the documents have a label of the one before them, by chance {chance:.0%} would"
    found = found.replace("%", " %")
    if shuffle == "no":
        return f"{found}: learners of a stream forget what came early; give --shuffle once"
    return f"{found}: learners of a stream learn them in another order (--shuffle {shuffle})"


def check_shuffle(shuffle: str) -> None:
    """Raise a UsageError unless the name is one of a way to shuffle."""
    if shuffle not in {"once", "epoch", "no"}:
        raise UsageError(f"{shuffle!r} is no way to shuffle; choose once, epoch or no")


def _share_a_label(batch: Batch) -> float:
    rows = np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr))
    places = rows * len(batch.label_names) + batch.labels[batch.label_indptr[0] : batch.label_indptr[-1]]
    again = (rows > 0) & np.isin(places - len(batch.label_names), places)
    return np.count_nonzero(np.bincount(rows[again], minlength=1)) / (len(batch) - 1)

"""Some rows of a batch, and when its features are forgotten."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from telex.learners.batch import Batch
from telex.learners.strings import Strings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from telex.learners.arrays import Ids, Offsets


def picked(batch: Batch, rows: Ids) -> Batch:
    """Return the documents ``rows`` in that order, forgetting nothing; no copy where they follow each other.

    >>> from telex.learners.batch import BatchBuilder
    >>> builder = BatchBuilder()
    >>> for name in "abc":
    ...     builder.add({name: 1.0}, [])
    >>> picked(builder.take(), np.array([2, 0], np.int32)).features.tolist()
    [2, 0]
    """
    if len(rows) and (np.diff(rows) == 1).all():
        return replace(batch.rows(int(rows[0]), int(rows[-1]) + 1), forget=None)
    indptr, features = _entries(batch.indptr, rows)
    label_indptr, labels = _entries(batch.label_indptr, rows)
    offsets, letters = _entries(batch.ids.offsets, rows)
    return Batch(
        indptr,
        batch.features[features],
        batch.values[features],
        label_indptr,
        batch.labels[labels],
        batch.labelled[rows],
        Strings(batch.ids.data[letters], offsets),
        batch.times[rows],
        batch.numbers[rows],
        batch.feature_names,
        batch.label_names,
    )


def joined(parts: Sequence[Batch]) -> Batch:
    """Return the documents of one or more batches over the same tables as one batch, forgetting nothing."""
    if len(parts) == 1:
        return replace(parts[0], forget=None)
    features = [slice(int(one.indptr[0]), int(one.indptr[-1])) for one in parts]
    labels = [slice(int(one.label_indptr[0]), int(one.label_indptr[-1])) for one in parts]
    letters = [slice(int(one.ids.offsets[0]), int(one.ids.offsets[-1])) for one in parts]
    return Batch(
        _one_after_another([one.indptr for one in parts]),
        np.concatenate([one.features[span] for one, span in zip(parts, features, strict=True)]),
        np.concatenate([one.values[span] for one, span in zip(parts, features, strict=True)]),
        _one_after_another([one.label_indptr for one in parts]),
        np.concatenate([one.labels[span] for one, span in zip(parts, labels, strict=True)]),
        np.concatenate([one.labelled for one in parts]),
        Strings(
            np.concatenate([one.ids.data[span] for one, span in zip(parts, letters, strict=True)]),
            _one_after_another([one.ids.offsets for one in parts]),
        ),
        np.concatenate([one.times for one in parts]),
        np.concatenate([one.numbers for one in parts]),
        parts[0].feature_names,
        parts[0].label_names,
    )


def _one_after_another(offsets: Sequence[Offsets]) -> Offsets:
    sizes = np.concatenate([np.diff(one) for one in offsets])
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])


def row_of_entry(batch: Batch) -> Offsets:
    """Return, for each entry of features, its row."""
    return np.repeat(np.arange(len(batch), dtype=np.int64), np.diff(batch.indptr))


def undelayed(batch: Batch) -> Ids:
    """Return the steps of a stream without delay: each row is asked, and answered at once where it is labelled."""
    rows = np.arange(len(batch), dtype=np.int32)
    steps = np.stack([rows, ~rows], axis=1)
    return steps[np.stack([np.ones(len(rows), np.bool_), batch.labelled], axis=1)]


def forgotten_before(batch: Batch, steps: Ids) -> tuple[Offsets, Ids]:
    """Return what a batch forgets as (step, feature): before which of ``steps`` each feature is forgotten, ascending.

    What is forgotten before row r is so before the first ask or answer of row r or a later one, else at the end.
    """
    if batch.forget is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int32)
    furthest = np.maximum.accumulate(np.where(steps >= 0, steps, ~steps))
    return np.searchsorted(furthest, batch.forget.rows, side="left").astype(np.int64), batch.forget.features


def _entries(indptr: Offsets, rows: Ids) -> tuple[Offsets, Offsets]:
    starts = indptr[:-1][rows]
    sizes = indptr[1:][rows] - starts
    ends = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(sizes, out=ends[1:])
    return ends, np.arange(ends[-1]) + np.repeat(starts - ends[:-1], sizes)

"""The one type of data that learners take: documents in compressed rows."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base.errors import InputError
from telex.learners.base.names import Names
from telex.learners.base.strings import Strings

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from telex.learners.base.array_types import Flags, Ids, Offsets, Reals, Values
    from telex.learners.base.recycled_ids import Forget


_TOO_LARGE = 2.0**128 - 2.0**103  # where float32 rounds up to infinity

COLUMNS: dict[str, type[np.generic]] = {
    "indptr": np.int64,
    "features": np.int32,
    "values": np.float32,
    "label_indptr": np.int64,
    "labels": np.int32,
    "labelled": np.bool_,
    "ids": np.uint8,
    "id_offsets": np.int64,
    "times": np.float64,
    "numbers": np.int64,
}
"""The arrays of a batch by name, as they are stored; ``ids`` are two, those of :class:`~.strings.Strings`.

``counts``, as float32, are stored too where a batch has them."""


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Documents as rows: row i has the features ``indptr[i]`` to ``indptr[i+1]``, and likewise its labels.

    ``features`` are ids in ``feature_names``, ascending within a row and distinct; ``labels`` are ids in
    ``label_names``, distinct, in sorted order of their names. ``labelled`` distinguishes a document without an answer
    from one whose answer is that no label fits. ``numbers`` are the documents' numbers in the stream; ``times`` are
    epoch seconds, NaN where a document has none. A slice shares its arrays, so ``indptr[0]`` need not be 0.
    ``forget`` lists the feature ids that other terms get within the batch; mostly there are none. ``counts`` has, where
    documents came as texts, how often each term is there, of which ``values`` are the weights; else it is None.

    >>> builder = BatchBuilder()
    >>> builder.add({"trade": 0.6, "tariff": 0.8}, ["ECAT"], id="2286")
    >>> builder.add({"cup": 1.0}, None)
    >>> batch = builder.take()
    >>> len(batch), batch.labelled.tolist(), list(batch.feature_names), batch.rows(1, 2).numbers.tolist()
    (2, [True, False], ['tariff', 'trade', 'cup'], [1])
    """

    indptr: Offsets
    features: Ids
    values: Values
    label_indptr: Offsets
    labels: Ids
    labelled: Flags
    ids: Strings
    times: Reals
    numbers: Offsets
    feature_names: Names
    label_names: Names
    forget: Forget | None = None
    counts: Values | None = None

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def labels_of(self, row: int) -> list[Hashable]:
        """Return the names of a document's labels."""
        return [self.label_names[i] for i in self.labels[self.label_indptr[row] : self.label_indptr[row + 1]]]

    def row_of_entry(self) -> Offsets:
        """Return, for each entry of features, its row."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.indptr))

    # -- other rows

    def rows(self, start: int, stop: int) -> Batch:
        """Return the documents ``start`` to ``stop`` without copying their features."""
        return Batch(
            self.indptr[start : stop + 1],
            self.features,
            self.values,
            self.label_indptr[start : stop + 1],
            self.labels,
            self.labelled[start:stop],
            self.ids.rows(start, stop),
            self.times[start:stop],
            self.numbers[start:stop],
            self.feature_names,
            self.label_names,
            self.forget.rows_of(start, stop) if self.forget else None,
            self.counts,
        )

    def take(self, rows: Ids) -> Batch:
        """Return the documents ``rows`` in that order, without ``forget``; consecutive rows are not copied.

        >>> builder = BatchBuilder()
        >>> for name in "abc":
        ...     builder.add({name: 1.0}, [])
        >>> builder.take().take(np.array([2, 0], np.int32)).features.tolist()
        [2, 0]
        """
        if len(rows) and (np.diff(rows) == 1).all():
            return replace(self.rows(int(rows[0]), int(rows[-1]) + 1), forget=None)
        indptr, features = _entries(self.indptr, rows)
        label_indptr, labels = _entries(self.label_indptr, rows)
        offsets, letters = _entries(self.ids.offsets, rows)
        return Batch(
            indptr,
            self.features[features],
            self.values[features],
            label_indptr,
            self.labels[labels],
            self.labelled[rows],
            Strings(self.ids.data[letters], offsets),
            self.times[rows],
            self.numbers[rows],
            self.feature_names,
            self.label_names,
            counts=None if self.counts is None else self.counts[features],
        )

    @classmethod
    def concat(cls, parts: Sequence[Batch]) -> Batch:
        """Return the documents of one or more batches over the same tables as one batch, without ``forget``.

        It has counts if all batches with features have them.
        """
        if len(parts) == 1:
            return replace(parts[0], forget=None)
        features = [slice(int(one.indptr[0]), int(one.indptr[-1])) for one in parts]
        labels = [slice(int(one.label_indptr[0]), int(one.label_indptr[-1])) for one in parts]
        letters = [slice(int(one.ids.offsets[0]), int(one.ids.offsets[-1])) for one in parts]
        return cls(
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
            counts=_counts_of(parts, features),
        )

    # -- other columns

    def keep_features(self, keep: Flags) -> Batch:
        """Return the batch with only the entries of features for which ``keep``, one flag an entry, is true."""
        span = slice(int(self.indptr[0]), int(self.indptr[-1]))
        left = np.concatenate([np.zeros(1, np.int64), np.cumsum(keep)])
        return replace(
            self,
            indptr=left[self.indptr - self.indptr[0]],
            features=self.features[span][keep],
            values=self.values[span][keep],
            counts=None if self.counts is None else self.counts[span][keep],
        )

    def with_labels(self, sets: Sequence[Sequence[Hashable]], names: Names) -> Batch:
        """Return the documents with these sets of labels, one a document, numbered by ``names``."""
        ids = [names.ids(one) for one in sets]
        labels = np.array([label for one in ids for label in one], np.int32)
        return self._labelled(_offsets(ids), labels, np.ones(len(ids), np.bool_), names)

    def without_labels(self, names: Names) -> Batch:
        """Return the documents without answers, over the table of labels ``names``."""
        rows = len(self)
        return self._labelled(np.zeros(rows + 1, np.int64), np.zeros(0, np.int32), np.zeros(rows, np.bool_), names)

    def _labelled(self, indptr: Offsets, labels: Ids, labelled: Flags, names: Names) -> Batch:
        return (
            Batch(  # by hand: dataclasses.replace takes many times as long, which matters with one document at a time
                self.indptr,
                self.features,
                self.values,
                indptr,
                labels,
                labelled,
                self.ids,
                self.times,
                self.numbers,
                self.feature_names,
                names,
                self.forget,
                self.counts,
            )
        )

    # -- as plain data

    def save(self) -> dict[str, Any]:
        """Return the :data:`COLUMNS` of a batch that forgets nothing, without its tables."""
        whole = {"ids": self.ids.data, "id_offsets": self.ids.offsets}
        counts = {} if self.counts is None else {"counts": self.counts}
        return {name: whole[name] if name in whole else getattr(self, name) for name in COLUMNS} | counts

    @classmethod
    def load(cls, state: Mapping[str, Any], feature_names: Names, label_names: Names) -> Batch:
        """Return the batch with the arrays that :meth:`save` returned, over these tables.

        >>> builder = BatchBuilder()
        >>> builder.add({"cup": 1.0}, ["sport"], id="7")
        >>> batch = builder.take()
        >>> list(Batch.load(batch.save(), batch.feature_names, batch.label_names).ids)
        ['7']
        """
        columns = {name: state[name] for name in COLUMNS if name not in ("ids", "id_offsets")}
        ids = Strings(state["ids"], state["id_offsets"])
        counts = state.get("counts")
        return cls(**columns, ids=ids, feature_names=feature_names, label_names=label_names, counts=counts)


def columns_fit(state: Mapping[str, Any], labels: int) -> bool:
    """Return whether stored arrays are a batch with at least one document and label ids below ``labels``.

    Native code reads them, and would read past the end of wrong ones.
    """
    kinds = {**COLUMNS, "counts": np.float32} if "counts" in state else COLUMNS
    if not all(state[name].dtype == kind and state[name].ndim == 1 for name, kind in kinds.items()):
        return False
    n, named = len(state["labelled"]), state["labels"]
    return (
        n > 0
        and len(state["times"]) == len(state["numbers"]) == n
        and len(state["features"]) == len(state["values"]) == len(state.get("counts", state["values"]))
        and _ascends(state["indptr"], n, len(state["features"]))
        and _ascends(state["label_indptr"], n, len(named))
        and _ascends(state["id_offsets"], n, len(state["ids"]))
        and min(state["features"].min(initial=0), named.min(initial=0)) >= 0
        and named.max(initial=-1) < labels
    )


def _counts_of(parts: Sequence[Batch], spans: Sequence[slice]) -> Values | None:
    found = [(one.counts, span) for one, span in zip(parts, spans, strict=True) if span.stop > span.start]
    counts = [whole[span] for whole, span in found if whole is not None]
    return np.concatenate(counts) if counts and len(counts) == len(found) else None


def _ascends(offsets: Offsets, rows: int, entries: int) -> bool:
    inside = len(offsets) == rows + 1 and bool(offsets[0] >= 0) and bool(offsets[-1] <= entries)
    return inside and bool((np.diff(offsets) >= 0).all())


def _one_after_another(offsets: Sequence[Offsets]) -> Offsets:
    return row_starts(np.concatenate([np.diff(one) for one in offsets]))


def _entries(indptr: Offsets, rows: Ids) -> tuple[Offsets, Offsets]:
    """Return the row starts of ``rows`` put one after another, and which entries of the table they have."""
    starts = indptr[:-1][rows]
    sizes = indptr[1:][rows] - starts
    ends = row_starts(sizes)
    return ends, np.arange(ends[-1]) + np.repeat(starts - ends[:-1], sizes)


def row_starts(sizes: Offsets) -> Offsets:
    """Return where rows of these sizes begin, and where the last one ends.

    >>> row_starts(np.array([2, 0, 1])).tolist()
    [0, 2, 2, 3]
    """
    offsets = np.zeros(len(sizes) + 1, np.int64)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


def relevant_labels(y: Mapping[Any, bool] | Iterable[Any]) -> list[Any]:
    """Return the distinct relevant labels of ``y`` in sorted order.

    ``y`` is a dict of bools, or an iterable of labels (not a string).

    >>> relevant_labels({"war": True, "sport": False}), relevant_labels({"trade", "war"})
    (['war'], ['trade', 'war'])
    """
    from telex.learners.base.names import in_order  # noqa: PLC0415

    if isinstance(y, (str, bytes)):
        raise InputError(f"labels are given as a dict of bools or a list of names, not as the text {y!r}; try [{y!r}]")
    return in_order({c for c, on in y.items() if on} if isinstance(y, Mapping) else set(y))


@dataclass(slots=True)
class BatchBuilder:
    """Builds batches from documents given as dicts, over tables that grow from batch to batch."""

    feature_names: Names = field(default_factory=Names)
    label_names: Names = field(default_factory=Names)
    number: int = 0
    _rows: list[tuple[list[int], list[float], list[int], bool, str, float]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._rows)

    def add(
        self,
        features: Mapping[Any, float],
        labels: Mapping[Any, bool] | Iterable[Any] | None,
        *,
        id: str = "",  # noqa: A002
        time: float = math.nan,
    ) -> None:
        """Append a document; ``labels`` None means that it has no answer yet.

        An empty ``id`` becomes the document's number in the stream.
        """
        relevant = [] if labels is None else relevant_labels(labels)
        ids, values = number_features(self.feature_names, features)
        answer = self.label_names.ids(relevant)
        name = id or str(self.number + len(self._rows))
        self._rows.append((ids, values, answer, labels is not None, name, time))

    def take(self) -> Batch:
        """Return the documents added so far as a batch, and start the next one."""
        rows, self._rows = self._rows, []
        first, self.number = self.number, self.number + len(rows)
        return Batch(
            _offsets([row[0] for row in rows]),
            np.array([i for row in rows for i in row[0]], np.int32),
            np.array([x for row in rows for x in row[1]], np.float32),
            _offsets([row[2] for row in rows]),
            np.array([i for row in rows for i in row[2]], np.int32),
            np.array([row[3] for row in rows], np.bool_),
            Strings.of(row[4] for row in rows),
            np.array([row[5] for row in rows], np.float64),
            np.arange(first, first + len(rows), dtype=np.int64),
            self.feature_names,
            self.label_names,
        )


def number_features(names: Names, features: Mapping[Any, float]) -> tuple[list[int], list[float]]:
    """Return one document's feature ids in ascending order, with their values.

    A value must be a finite number that float32 can hold; a text or a NaN is an InputError that names the feature.
    """
    if not features:
        return [], []
    given = list(features.values())
    if set(map(type, given)) != {float} or not np.abs(wide := np.array(given)).max() < _TOO_LARGE:
        wide = np.array([_finite(name, value) for name, value in features.items()])
    values = wide.astype(np.float32)
    ids = np.array(names.ids(features), np.int64)
    order = np.argsort(ids)
    return ids[order].tolist(), values[order].tolist()


def _finite(name: object, value: Any) -> float:
    try:
        if not isinstance(value, (str, bytes)) and abs(number := float(value)) < _TOO_LARGE:
            return number
    except (TypeError, ValueError, OverflowError):
        pass
    raise InputError(f"feature {name!r} has the value {value!r}; give a finite number, or encode it before")


def _offsets(rows: list[list[int]]) -> Offsets:
    return row_starts(np.array([len(row) for row in rows], np.int64))

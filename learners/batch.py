"""The one type of data that learners see: some documents, in compressed rows."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.errors import InputError
from telex.learners.names import Names
from telex.learners.strings import Strings

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Mapping

    from telex.learners.arrays import Flags, Ids, Offsets, Reals, Values
    from telex.learners.forget import Forget


_TOO_LARGE = 2.0**128 - 2.0**103  # where float32 rounds up to infinity


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Documents as rows: row i has features ``indptr[i]`` to ``indptr[i+1]``, and labels alike.

    ``features`` are ids in ``feature_names``, ascending within a row and distinct; ``labels`` are ids in
    ``label_names``, distinct, in sorted order of their names. ``labelled`` tells a document without
    an answer from one whose answer is that no label fits. ``numbers`` are the positions in the stream; ``times`` are
    epoch seconds, NaN where a document has none. A slice shares its arrays, so ``indptr[0]`` need not be 0.
    ``forget`` names features whose ids have been given to others on the way; mostly there are none.

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

    def __len__(self) -> int:
        return len(self.indptr) - 1

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
        )

    def labels_of(self, row: int) -> list[Hashable]:
        """Return the names of a document's labels."""
        return [self.label_names[i] for i in self.labels[self.label_indptr[row] : self.label_indptr[row + 1]]]


def features_kept(batch: Batch, keep: Flags) -> Batch:
    """Return the batch without the entries of features, counted from its first, that are not to be kept."""
    span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
    left = np.concatenate([np.zeros(1, np.int64), np.cumsum(keep)])
    return replace(
        batch,
        indptr=left[batch.indptr - batch.indptr[0]],
        features=batch.features[span][keep],
        values=batch.values[span][keep],
    )


def relevant_labels(y: Mapping[Any, bool] | Iterable[Any]) -> list[Any]:
    """Return the distinct relevant labels of ``y`` in sorted order.

    ``y`` is a dict of bools, or any iterable of labels but a text.

    >>> relevant_labels({"war": True, "sport": False}), relevant_labels({"trade", "war"})
    (['war'], ['trade', 'war'])
    """
    from telex.learners.names import in_order  # noqa: PLC0415

    if isinstance(y, (str, bytes)):
        raise InputError(f"labels are given as a dict of bools or a list of names, not as the text {y!r}; try [{y!r}]")
    return in_order({c for c, on in y.items() if on} if hasattr(y, "items") else set(y))


@dataclass(slots=True)
class BatchBuilder:
    """Builds batches from documents given as dicts, over tables that go on growing from batch to batch."""

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
        """Append a document; ``labels`` None means that nobody has said which labels it has.

        An empty ``id`` becomes the document's position in the stream.
        """
        relevant = [] if labels is None else relevant_labels(labels)
        ids, values = number_features(self.feature_names, features)
        answer = self.label_names.ids(relevant)
        name = id or str(self.number + len(self._rows))
        self._rows.append((ids, values, answer, labels is not None, name, time))

    def take(self) -> Batch:
        """Return what was added as a batch, and start the next one."""
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
    values = np.array([_finite(name, value) for name, value in features.items()], np.float32)
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
    offsets = np.zeros(len(rows) + 1, np.int64)
    np.cumsum([len(row) for row in rows], out=offsets[1:])
    return offsets

"""The sliding window: the last documents of a stream, as a batch."""

from __future__ import annotations

import math
import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from telex.learners.base import (
    COLUMNS,
    Batch,
    InputError,
    Names,
    UsageError,
    answers_only,
    forgotten_before,
    row_starts,
    with_room,
)
from telex.stream.refit.array_queue import ArrayQueue
from telex.stream.refit.event_clock import EventClock

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Ids, Offsets

_COLUMNS: dict[str, type[np.generic]] = {
    **dict.fromkeys(("sizes", "label_sizes", "id_sizes"), np.int64),
    **{name: COLUMNS[name] for name in ("features", "values", "labels", "ids", "times", "numbers")},
    "stamps": np.float64,
}
_RAGGED = {"sizes": ("features", "values"), "label_sizes": ("labels",), "id_sizes": ("ids",)}
"""Columns of sizes, with the columns whose entries they count.

Two documents with the features 7, 9 and 4 have the sizes [2, 1] and the features [7, 9, 4].
"""


class Window:
    """The last ``documents`` answered documents, or those of them that are younger than ``seconds`` of event time.

    The window numbers labels by their first appearance, in ``labels``. It measures age from the newest document so far;
    a document without a time counts as old as the newest before it. When the stream is read again, the clock runs on
    (:class:`~telex.stream.refit.EventClock`). ``take`` leaves out entries whose feature id has been given to
    another term since. The cost of a document does not depend on the size of the window.

    >>> from telex.learners.base import BatchBuilder
    >>> builder, window = BatchBuilder(), Window(2)
    >>> for i in range(3):
    ...     builder.add({f"t{i}": 1.0}, ["war"], id=f"doc{i}")
    >>> window.append(builder.take()).tolist(), window.appended, list(window.take().ids)
    ([1, 1, 1], 3, ['doc1', 'doc2'])
    """

    def __init__(self, documents: int, seconds: float = math.inf) -> None:
        if documents < 1 or not seconds > 0:
            raise UsageError("a window must hold at least one document and more than 0 seconds; give larger numbers")
        self.documents, self.seconds = documents, seconds
        self.labels = Names()
        self.appended = 0
        """How many documents have been appended in all."""
        self._feature_names: Names | None = None
        self._columns: weakref.WeakKeyDictionary[Names, Ids] = weakref.WeakKeyDictionary()
        self._forgotten = np.zeros(0, np.int64)  # by feature: how many documents had been appended when it left
        self._clock = EventClock()
        self._queues: dict[str, ArrayQueue[Any]] = {name: ArrayQueue(kind) for name, kind in _COLUMNS.items()}

    def __len__(self) -> int:
        return len(self._queues["sizes"])

    @property
    def memory_bytes(self) -> int:
        """How much memory the documents hold."""
        return self._forgotten.nbytes + sum(queue.nbytes for queue in self._queues.values())

    def append(self, batch: Batch, rows: Ids | None = None) -> Offsets:
        """Append the labelled documents of ``batch``; return how many labels are known after each.

        With ``rows``, append those instead, in their order. Then no feature is forgotten: the caller calls
        :meth:`forget` at the right moment.
        """
        self.check(batch)
        self._feature_names = self._feature_names or batch.feature_names
        if rows is None:
            answers = answers_only(batch)
            before, features = forgotten_before(batch, answers)
            serial = self.appended
            known = self.append(batch, ~answers)
            self.forget(features, serial + before)
            return known
        part = batch.take(rows)
        known, queues = self._append_labels(part), self._queues
        span = slice(int(part.indptr[0]), int(part.indptr[-1]))
        queues["sizes"].append(np.diff(part.indptr))
        queues["features"].append(part.features[span])
        queues["values"].append(part.values[span])
        queues["id_sizes"].append(np.diff(part.ids.offsets))
        queues["ids"].append(part.ids.data[int(part.ids.offsets[0]) : int(part.ids.offsets[-1])])
        queues["times"].append(part.times)
        queues["numbers"].append(part.numbers)
        read = self._clock.shifted(part.times)
        newest = np.fmax.accumulate(np.concatenate([[self._clock.newest], read]))[1:]
        queues["stamps"].append(np.where(np.isnan(read), newest, read))
        self._clock.advance(part.times)
        self.appended += len(part)
        self._drop()
        return known

    def begin_pass(self) -> None:
        """Start another pass over the stream."""
        self._clock.begin_pass()

    def forget(self, features: Ids, before: Offsets) -> None:
        """Note features that were forgotten: feature i when ``before[i]`` documents had been appended in all."""
        if len(features):
            self._forgotten = with_room(self._forgotten, int(features.max()) + 1, 0)
            np.maximum.at(self._forgotten, features, before)

    def take(self) -> Batch:
        """Return the window as a batch; its arrays are copies, which later documents do not change."""
        arrays = self._arrays()
        starts = {"indptr": "sizes", "label_indptr": "label_sizes", "id_offsets": "id_sizes"}
        offsets = {name: row_starts(arrays[sizes]) for name, sizes in starts.items()}
        columns = {**arrays, **offsets, "labelled": np.ones(len(self), np.bool_)}
        batch = Batch.load(columns, Names() if self._feature_names is None else self._feature_names, self.labels)
        if len(self._forgotten):
            # An entry stays if its document was appended after its feature last left the vocabulary.
            serials = batch.row_of_entry() + (self.appended - len(self))
            left = np.zeros(len(batch.features), np.int64)
            seen = batch.features < len(self._forgotten)
            left[seen] = self._forgotten[batch.features[seen]]
            batch = batch.keep_features(serials >= left)
        old = arrays["stamps"] <= self._clock.newest - self.seconds
        # _drop removes old documents from the front only; a late one may be too old further back.
        return batch.take(np.flatnonzero(~old).astype(np.int32)) if old.any() else batch

    def save(self) -> dict[str, Any]:
        """Return the documents, the labels, the counts and the clock, as plain data."""
        counts = {"appended": self.appended, "clock": self._clock.save()}
        return {**counts, "names": self.labels.save(), "forgotten": self._forgotten.copy(), **self._arrays()}

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned, in a new window of the same length."""
        names, appended, forgotten = Names.of(state["names"]), int(state["appended"]), state["forgotten"]
        arrays = {name: state[name] for name in _COLUMNS}
        n = len(arrays["sizes"])
        fits = all(one.dtype == _COLUMNS[name] and one.ndim == 1 for name, one in arrays.items())
        fits &= n <= min(self.documents, appended) and forgotten.dtype == np.int64 and forgotten.ndim == 1
        fits &= all(len(arrays[name]) == n for name in ("times", "stamps", "numbers"))
        for sizes, entries in _RAGGED.items():
            each, total = arrays[sizes], len(arrays[entries[0]])
            fits &= len(each) == n and each.min(initial=0) >= 0 and each.max(initial=0) <= total == each.sum()
            fits &= all(len(arrays[name]) == total for name in entries)
        fits &= min(arrays["features"].min(initial=0), arrays["labels"].min(initial=0)) >= 0
        if not fits or arrays["labels"].max(initial=-1) >= len(names):
            raise InputError("the documents saved with a window do not fit it; take another checkpoint")
        self._queues = {name: ArrayQueue(kind) for name, kind in _COLUMNS.items()}
        for name, values in arrays.items():
            self._queues[name].append(values)
        self.labels, self.appended = names, appended
        self._clock.load(state["clock"])
        self._feature_names, self._columns = None, weakref.WeakKeyDictionary()
        self._forgotten = forgotten.copy()

    def _arrays(self) -> dict[str, Any]:
        return {name: queue.view().copy() for name, queue in self._queues.items()}

    def check(self, batch: Batch) -> None:
        """Refuse a batch whose features are numbered by another table than those before."""
        home, table = self._feature_names, batch.feature_names
        if home is not None and table is not home and not home.starts(table) and not table.starts(home):
            raise InputError("a window holds features by the ids of one table; hand it batches of one source only")

    def _append_labels(self, part: Batch) -> Offsets:
        table, base = part.label_names, len(self.labels)
        ids = part.labels[int(part.label_indptr[0]) : int(part.label_indptr[-1])]
        columns = self._columns[table] = table.columns(self.labels, self._columns.get(table))
        for new in dict.fromkeys(ids[columns[ids] < 0].tolist()):
            columns[new] = self.labels.id(table[new])
        self._queues["label_sizes"].append(np.diff(part.label_indptr))
        self._queues["labels"].append(columns[ids])
        # New labels get ascending columns, so after each entry the highest column so far + 1 labels are known.
        reached = np.maximum.accumulate(np.concatenate([[base], columns[ids] + np.int64(1)]))
        ends: Offsets = part.label_indptr[1:] - part.label_indptr[0]
        return reached[ends]

    def _drop(self) -> None:
        count = max(len(self) - self.documents, 0)
        if math.isfinite(self._clock.newest - self.seconds):
            stamps = self._queues["stamps"].view()
            while count < len(stamps) and not stamps[count] > self._clock.newest - self.seconds:
                count += 1
        for sizes, entries in _RAGGED.items():
            dropped = int(self._queues[sizes].view()[:count].sum())
            self._queues[sizes].drop(count)
            for name in entries:
                self._queues[name].drop(dropped)
        for name in ("times", "stamps", "numbers"):
            self._queues[name].drop(count)

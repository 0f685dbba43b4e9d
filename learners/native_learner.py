"""The base class of learners of the native core, which are estimators of river too."""

from __future__ import annotations

import weakref
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from telex.learners import _core
from telex.learners.base import (
    Forget,
    InputError,
    LabelLimitError,
    Names,
    Predictions,
    Reasons,
    UsageError,
    check_steps,
    undelayed_steps,
)
from telex.learners.river_estimator import RiverEstimator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from telex.learners.base import Batch, Bytes, Ids

_NOT_OF_THE_KERNEL = ("seed", "label_limit")
_WORTH_A_THREAD = 4 << 20  # bytes; less memory than this is not allocated ahead


class Cores(Protocol):
    """Where a learner takes its core from, and what the core's calls take: the native module, or what stands for it."""

    @property
    def Core(self) -> Callable[[str, dict[str, Any], int], Any]:  # noqa: N802 - as the module has it
        """Make a core of a kernel, its options and a seed."""
        ...

    @property
    def Batch(self) -> Callable[..., Any]:  # noqa: N802
        """Make a batch of its arrays, or refuse them."""
        ...

    @property
    def Asks(self) -> Callable[..., Any]:  # noqa: N802
        """Make the place for predictions."""
        ...

    @property
    def Each(self) -> Callable[..., Any]:  # noqa: N802
        """Make an iterator over single documents."""
        ...


class NativeLearner(RiverEstimator):
    """A learner of the native core.

    A subclass names its ``kernel``, and has a constructor that stores its parameters. All but ``seed`` are the
    kernel's options, by the same names; the kernel defines what values each takes. The first use creates the state, so
    a clone has none. ``earlier`` has the parameters that came later, and what they were before: so a learner reads a
    checkpoint or a pickle that is older than they are.

    Any thread may call it, also after a fork: calls that only ask run beside each other, those that learn alone, and
    each sees all of what a call has learnt or nothing. Ctrl-C, or another signal whose handler raises, ends a call
    between two documents; the learner keeps what it has learnt up to there. Only a document that takes long to learn
    may be broken off: then the learner is not whole, and refuses further calls.
    """

    kernel: ClassVar[str]
    most_labels: ClassVar[int] = 1 << 24
    earlier: ClassVar[Mapping[str, Any]] = {}
    label_limit: int | None = None
    _failed_at: int | None = None
    _cores: Cores = _core
    _native: _core.Core | None = None
    _labels: Names
    _columns: weakref.WeakKeyDictionary[Names, tuple[Ids, int]]

    # -- the calls of the stream

    @property
    def labels(self) -> Names:
        """The labels known, by column."""
        self._begun()
        return self._labels

    @property
    def known(self) -> int:
        """How many labels are known."""
        with self._reading:
            return self._begun().known

    @property
    def learnt(self) -> int:
        """How many documents have been learnt."""
        with self._reading:
            return self._begun().learnt

    @property
    def memory_bytes(self) -> int:
        """The memory of the weights."""
        with self._reading:
            return self._begun().bytes

    @property
    def lets_others_run(self) -> bool:
        """Whether a run may call it beside other learners; not if it has threads of its own."""
        return bool(getattr(self, "threads", 1) == 1)

    @property
    def failed_at(self) -> int | None:
        """After a call that was refused for its labels: the place of the step that has too many."""
        return self._failed_at

    @property
    def finite(self) -> bool:
        """Whether no weight is NaN or infinite."""
        with self._reading:
            return self._begun().finite

    def each(self, batch: Batch) -> Iterator[int]:
        """Ask and answer one document per ``next``, which returns its row, for callers who want one call per document.

        After k calls the labels and weights are those of ``progress`` over the first k documents. If the learner learns
        anything else in between, or ``each`` is called again, the next ``next`` is an InputError. The documents are
        copied: what happens to the arrays of the batch meanwhile has no effect.
        """
        with self._writing:
            core = self._begun()
            batch = _copied(self._closed(self._at_home(batch, register=True)))
            documents, columns, arrays = self._prepare(batch, len(batch), learning=True)
            update = partial(self._update_labels, batch.label_names, columns)
            each: Iterator[int] = self._cores.Each(core, self._lock, documents, self._cores.Asks(*arrays), update)
            return each

    def arrays(self) -> dict[str, Any]:
        """Return the state as plain arrays; docs/definitions.md names the columns."""
        with self._reading:
            return self._begun().save()

    def save(self) -> dict[str, Any]:
        """Return the state as plain data; the names of features are part of it only if they are the learner's own.

        The learner keeps the memory of the state after use, about ``memory_bytes`` more, and fills it again at the next
        call. New pages can take twenty times as long; :meth:`make_room` allocates them beforehand.
        """
        with self._reading:
            own = None if self._features is None or self._shared else self._features.save()
            return {"labels": self._labels.save(), "features": own, "packed": self._begun().pack(keep=True)}

    def make_room(self) -> Callable[[], None] | None:
        """Return a function that allocates the memory that :meth:`save` will fill, or None if it is there.

        Another thread may call the function while this one continues to learn.
        """
        with self._reading:
            core = self._begun()
            if core.bytes < _WORTH_A_THREAD or core.has_room():
                return None
            return partial(core.make_room, core.bytes + core.bytes // 8)

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; the parameters and the numbering of features must be the same.

        A broken state is an InputError, and then the learner does not change.
        """
        try:
            core = self._new_core(state["packed"])
            labels, packed, own = Names.of(state["labels"]), dict(state["packed"]), state["features"]
            features = None if own is None else Names.of(own)
            right = len(labels) <= self.most_labels and np.array_equal(labels.hashes(), packed.get("hashes", ()))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise InputError(f"the saved state is not a learner ({error!r}); take another checkpoint") from error
        if not right:
            raise InputError("the labels of a saved learner do not belong to its weights; take another checkpoint")
        core.unpack(packed)
        with self._writing:
            if self._native is not None:
                self._native.end_each()
            self._begin(core, labels, features, shared=False)

    # -- the way to the core

    def use_cores(self, cores: Cores) -> None:
        """Take the core from elsewhere; a copy of this learner takes the native one again."""
        if self._native is not None:
            raise UsageError("this learner has begun already; divide it into shards before its first call")
        self._cores = cores

    @property
    def core(self) -> Any:
        """The core, or what stands in its place."""
        return self._begun()

    @property
    def _reading(self) -> AbstractContextManager[None]:
        if self._native is None:
            self._begun()
        return self._lock.reading

    def _begun(self) -> _core.Core:
        if self._native is None:
            with self._writing:
                if self._native is None:
                    self._begin(self._new_core(), Names(), self._features, shared=self._shared)
        assert self._native is not None
        return self._native

    def _new_core(self, packed: Mapping[str, Any] | None = None) -> _core.Core:
        core: _core.Core = self._cores.Core(self.kernel, self._kernel_options(packed), self.seed & 0xFFFFFFFFFFFFFFFF)
        return core

    def _kernel_options(self, packed: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the options of a new kernel, or of the one whose state this is."""
        return {name: value for name, value in self._get_params().items() if name not in _NOT_OF_THE_KERNEL}

    def _too_large(self, labels: int, terms: int) -> str:
        """Say how much so many labels and terms need, and what to take instead."""
        cells = labels * terms / 1e9
        return (
            f"{type(self).__name__} has 4 to 8 bytes for each of {labels:,} labels and each of {terms:,} terms, "
            f"{4 * cells:.1f} to {8 * cells:.1f} GB if all meet; take plt, or give it fewer labels, fewer terms "
            "(--text vocabulary=bounded,size=20000) or more memory (--memory-limit)"
        )

    def _begin(self, core: _core.Core, labels: Names, features: Names | None, *, shared: bool) -> None:
        self._labels, self._features, self._shared = labels, features, shared
        self._columns = weakref.WeakKeyDictionary()
        self._native = core  # last: who finds it finds the rest

    # From here on the caller is in the lock.

    @staticmethod
    def _check_batch(batch: Batch) -> None:
        """Refuse a batch whose arrays are wrong, in the words of the core."""
        _core_batch(_core, batch, np.zeros(len(batch.label_names), np.int32))

    def _closed(self, batch: Batch) -> Batch:
        """Return the batch as it is learnt; a learner with a tree closes its label sets upwards."""
        return batch

    def _edges(self, table: Names) -> tuple[Ids, Bytes] | tuple[None, None]:
        """Return each label's parent in ``table``, by id, and whether it may have children; None without a tree."""
        return None, None

    def _predict_batch(self, batch: Batch) -> Predictions:
        documents, columns, arrays = self._prepare(batch, len(batch), learning=False)
        self._begun().scores(documents, self._cores.Asks(*arrays))
        return self._predictions(batch, np.arange(len(batch), dtype=np.int32), columns, arrays)

    def _reasons(self, document: Batch) -> Reasons:
        flat, base = self._begun().reasons(
            _core_batch(self._cores, document, self._columns_of(document.label_names)), 0
        )
        return Reasons(document.features, self._labels, flat.reshape(len(document.features), len(base)), base)

    def _follow(self, batch: Batch, steps: Ids | None) -> Predictions:
        core = self._begun()
        if steps is not None:
            check_steps(batch, steps)
        rows = np.arange(len(batch), dtype=np.int32) if steps is None else steps[steps >= 0]
        self._failed_at = None
        documents, columns, arrays = self._prepare(batch, len(rows), learning=True, steps=steps)
        try:
            if steps is None:
                core.progress(documents, self._cores.Asks(*arrays))
            else:
                core.follow(documents, np.ascontiguousarray(steps, np.int32), self._cores.Asks(*arrays))
        except MemoryError as error:
            needed = str(error).partition(";")[0]
            raise MemoryError(f"{needed}; {self._too_large(arrays[0].shape[1], len(batch.feature_names))}") from error
        finally:
            if core.whole:  # also after a signal: some documents may be learnt
                self._update_labels(batch.label_names, columns)
        return self._predictions(batch, rows, columns, arrays)

    def _predictions(self, batch: Batch, rows: Ids, columns: Ids, arrays: tuple[Any, Any, Any]) -> Predictions:
        scores, relevant, known = arrays
        return Predictions(
            scores,
            relevant.view(np.bool_),
            known,
            rows,
            columns.copy(),
            self._labels,
            self._labels.hashes()[: self._begun().known],
            self.seed & 0xFFFFFFFFFFFFFFFF,
            batch.numbers[rows],
        )

    def _learn_single(self, features: tuple[list[int], list[float]], labels: list[Any]) -> None:
        known = self._begun().known
        if known + len(labels) > self._most_labels:
            new = sum(self._labels.get(label) < 0 for label in labels)
            self._check_width(known + new, len(self._features or features[0]))
        try:
            super()._learn_single(features, labels)
        except BaseException:
            self._labels.cut(self._begun().known if self._begun().whole else known)  # those that it did not learn
            raise

    def _prepare(
        self, batch: Batch, asks: int, *, learning: bool, steps: Ids | None = None
    ) -> tuple[_core.Batch, Ids, tuple[Any, Any, Any]]:
        """Return the batch for the core, its label columns, and empty arrays for the predictions.

        The arrays are as wide as the labels known, and those that the documents will add.
        """
        columns = self._columns_of(batch.label_names)
        checked = _core_batch(self._cores, batch, columns, *(self._edges(batch.label_names) if learning else ()))
        width = self._begun().known
        if learning:
            used = batch.labels[batch.label_indptr[0] : batch.label_indptr[-1]]
            new = used[columns[used] < 0]
            if len(new):
                width += len(set(new.tolist()))  # np.unique would import numpy.ma
                if width > self._most_labels:
                    self._failed_at = self._first_refused(batch, undelayed_steps(batch) if steps is None else steps)
                self._check_width(width, len(batch.feature_names))
        shape = asks, max(1, width)
        return checked, columns, (np.empty(shape, np.float32), np.empty(shape, np.uint8), np.empty(asks, np.int32))

    def _check_width(self, width: int, terms: int) -> None:
        if width <= self._most_labels:
            return
        refused = f"{type(self).__name__} takes at most {self._most_labels:,} labels, not {width:,}"
        if width <= self.most_labels:
            raise LabelLimitError(f"{refused}; try plt, arow or br, or label_limit={self.most_labels}")
        raise InputError(f"{refused}; {self._too_large(width, terms)}")

    @property
    def _most_labels(self) -> int:
        return self.most_labels if self.label_limit is None else min(self.label_limit, self.most_labels)

    def _first_refused(self, batch: Batch, steps: Ids) -> int | None:
        """Return the place of the answer that brings more labels than the learner takes."""
        columns, labels = self._columns_of(batch.label_names), set[int]()
        for place, step in enumerate(steps.tolist()):
            if step < 0:
                row = batch.labels[batch.label_indptr[~step] : batch.label_indptr[~step + 1]]
                labels.update(row[columns[row] < 0].tolist())
                if self.known + len(labels) > self._most_labels:
                    return place
        return None

    def _columns_of(self, table: Names) -> Ids:
        """Return the column of each label of ``table``, -1 for labels not known yet; the core fills those in."""
        known = self._begun().known
        if table is self._labels:
            columns = np.arange(len(table), dtype=np.int32)
            columns[known:] = -1
            return columns
        mapped = self._columns.get(table)
        if mapped is None or mapped[1] != known:  # another table may have brought new labels meanwhile
            return table.columns(self._labels)
        columns = mapped[0]
        return columns if len(columns) == len(table) else table.columns(self._labels, columns)

    def _update_labels(self, table: Names, columns: Ids) -> None:
        """Add the labels that the core has just learnt, in the order of their columns."""
        assert self._native is not None
        if self._native.known > len(self._labels):
            new = np.flatnonzero(columns >= len(self._labels))
            self._labels.extend(table[int(i)] for i in new[np.argsort(columns[new])])
        if table is not self._labels:
            self._columns[table] = columns, self._native.known

    # -- pickle, deepcopy

    def __getstate__(self) -> dict[str, Any]:
        params = {name: value for name, value in self.__dict__.items() if not name.startswith("_")}
        if self._native is None:
            return params
        with self._reading:
            packed = self._begun().pack()
            # The table of features itself: a learner copied together with a stream's vocabulary still shares it.
            return {**params, "_saved": (list(self._labels), self._features, self._shared, packed)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.pop("_saved", None)
        self.__dict__.update(state | {name: before for name, before in self.earlier.items() if name not in state})
        if saved:
            labels, features, shared, packed = saved
            core = self._new_core(packed)
            core.unpack(packed)
            self._begin(core, Names(labels), features, shared=shared)


def _core_batch(
    cores: Cores, batch: Batch, columns: Ids, parents: Ids | None = None, inner: Bytes | None = None
) -> _core.Batch:
    checked: _core.Batch = cores.Batch(
        batch.indptr,
        batch.features,
        batch.values,
        batch.label_indptr,
        batch.labels,
        batch.labelled.view(np.uint8),
        batch.numbers,
        batch.label_names.hashes(),
        columns,
        batch.forget.rows if batch.forget else None,
        batch.forget.features if batch.forget else None,
        batch.counts,
        parents,
        inner,
    )
    return checked


def _copied(batch: Batch) -> Batch:
    """Return the batch with arrays of its own."""
    features, labels = (slice(int(indptr[0]), int(indptr[-1])) for indptr in (batch.indptr, batch.label_indptr))
    return replace(
        batch,
        indptr=batch.indptr - batch.indptr[0],
        features=batch.features[features].copy(),
        values=batch.values[features].copy(),
        counts=None if batch.counts is None else batch.counts[features].copy(),
        label_indptr=batch.label_indptr - batch.label_indptr[0],
        labels=batch.labels[labels].copy(),
        labelled=batch.labelled.copy(),
        numbers=batch.numbers.copy(),
        forget=batch.forget and Forget(batch.forget.rows.copy(), batch.forget.features.copy()),
    )

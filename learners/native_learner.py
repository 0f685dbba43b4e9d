"""A river estimator around a learner of the native core."""

from __future__ import annotations

import weakref
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from telex.learners import _core
from telex.learners.errors import InputError
from telex.learners.names import Names
from telex.learners.online import Online
from telex.learners.predictions import Predictions
from telex.learners.reasons import Reasons

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from telex.learners.arrays import Ids
    from telex.learners.batch import Batch

_WORTH_A_THREAD = 4 << 20  # bytes; less is begun while it is filled


class NativeLearner(Online):
    """A learner of the native core.

    A subclass names its ``kernel``, and has a constructor that stores its parameters. All but ``seed`` are the
    kernel's options, by the same names; the kernel says what each can be. The state is made at the first use, so that
    a clone is as fresh as new.
    """

    kernel: ClassVar[str]
    most_labels: ClassVar[int] = 1 << 24
    _native: _core.Core | None = None
    _labels: Names
    _columns: weakref.WeakKeyDictionary[Names, tuple[Ids, int]]
    _open: tuple[Names, Ids] | None

    # -- the calls of the stream

    @property
    def labels(self) -> Names:
        """The labels known, by column."""
        self._begun()
        return self._labels

    @property
    def known(self) -> int:
        """How many labels are known."""
        return self._begun().known

    @property
    def learnt(self) -> int:
        """How many documents have been learnt."""
        return self._begun().learnt

    @property
    def memory_bytes(self) -> int:
        """How much memory the weights hold."""
        return self._begun().bytes

    def each(self, batch: Batch) -> Iterator[int]:
        """Ask and answer one document a ``next``, which returns its row: for callers who want a call a document.

        The labels and weights after k calls are those of ``progress`` over the first k documents. Whoever teaches the
        learner something else in between, or calls ``each`` again, ends it: the next ``next`` is an InputError.
        """
        core = self._begun()
        batch = self._at_home(batch, register=True)
        columns, asks, _ = self._prepare(batch, len(batch))
        self._open = (batch.label_names, columns)
        return _core.Each(core, _core_batch(batch, columns), asks)

    def arrays(self) -> dict[str, Any]:
        """Return the state as plain arrays; docs/definitions.md names the columns."""
        return self._begun().save()

    def save(self) -> dict[str, Any]:
        """Return the state as plain data, its features by id alone where a stream's table names them.

        When it is let go, its memory stays with the learner, for the next that is saved: about ``memory_bytes`` once
        more. To begin with new pages can take twenty times as long; :meth:`make_room` does so beforehand.
        """
        self._begun()
        own = None if self._features is None or self._shared else self._features.save()
        return {"labels": self._labels.save(), "features": own, "packed": self._begun().pack(keep=True)}

    def make_room(self) -> Callable[[], None] | None:
        """Return what begins the memory that :meth:`save` will fill, None where it is there already.

        Another thread may call it, while this one goes on learning.
        """
        core = self._begun()
        if core.bytes < _WORTH_A_THREAD or core.has_room():
            return None
        return partial(core.make_room, core.bytes + core.bytes // 8)

    def load(self, state: Mapping[str, Any]) -> None:
        """Go on where :meth:`save` was called, with the same parameters, and batches that number features alike.

        A state that cannot be right is an InputError, and the learner stays as it is.
        """
        core = self._made()
        try:
            labels, packed, own = Names.of(state["labels"]), dict(state["packed"]), state["features"]
            features = None if own is None else Names.of(own)
            right = len(labels) <= self.most_labels and np.array_equal(labels.hashes(), packed.get("hashes", ()))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
            raise InputError(f"what was saved is not a learner ({error!r}); take another checkpoint") from error
        if not right:
            raise InputError("the labels of a saved learner do not belong to its weights; take another checkpoint")
        core.unpack(packed)
        self._begin(core, labels, features, shared=False)

    # -- the way to the core

    def _begun(self) -> _core.Core:
        if self._native is None:
            return self._begin(self._made(), Names(), self._features, shared=self._shared)
        if self._open and self._native.known > len(self._labels):
            self._settle(*self._open)
        return self._native

    def _made(self) -> _core.Core:
        options = {name: value for name, value in self._get_params().items() if name != "seed"}
        return _core.Core(self.kernel, options, self.seed & 0xFFFFFFFFFFFFFFFF)

    def _begin(self, core: _core.Core, labels: Names, features: Names | None, *, shared: bool) -> _core.Core:
        self._native, self._labels, self._features, self._shared = core, labels, features, shared
        self._columns, self._open = weakref.WeakKeyDictionary(), None
        return core

    def _said(self, batch: Batch) -> Predictions:
        return self._follow(batch, np.arange(len(batch), dtype=np.int32))

    def _reasons(self, document: Batch) -> Reasons:
        found, base = self._begun().reasons(_core_batch(document, self._columns_of(document.label_names)), 0)
        return Reasons(document.features, self._labels, found.reshape(len(document.features), len(base)), base)

    def _follow(self, batch: Batch, steps: Ids | None) -> Predictions:
        core = self._begun()
        if steps is not None and len(steps) and not -len(batch) <= steps.min() <= steps.max() < len(batch):
            raise InputError(f"a step names a row outside the batch's {len(batch)}; give r or ~r of its own rows")
        rows = np.arange(len(batch), dtype=np.int32) if steps is None else steps[steps >= 0]
        columns, asks, arrays = self._prepare(batch, len(rows))
        if steps is None:
            core.progress(_core_batch(batch, columns), asks)
        else:
            core.follow(_core_batch(batch, columns), np.ascontiguousarray(steps, np.int32), asks)
        self._settle(batch.label_names, columns)
        scores, relevant, known = arrays
        return Predictions(
            scores,
            relevant.view(np.bool_),
            known,
            rows,
            columns.copy(),
            self._labels,
            self._labels.hashes()[: core.known],
            self.seed & 0xFFFFFFFFFFFFFFFF,
            batch.numbers[rows],
        )

    def _prepare(self, batch: Batch, asks: int) -> tuple[Ids, _core.Asks, tuple[Any, Any, Any]]:
        columns = self._columns_of(batch.label_names)
        width = max(1, self._begun().known + int(np.count_nonzero(columns < 0)))
        if width > self.most_labels:
            name = type(self).__name__
            raise InputError(f"{name} takes at most {self.most_labels:,} labels, not {width:,}; try MMP or BR")
        arrays = (
            np.empty((asks, width), np.float32),
            np.empty((asks, width), np.uint8),
            np.empty(asks, np.int32),
        )
        return columns, _core.Asks(*arrays), arrays

    def _columns_of(self, table: Names) -> Ids:
        known = self._begun().known
        if table is self._labels:
            columns = np.arange(len(table), dtype=np.int32)
            columns[known:] = -1
            return columns
        mapped = self._columns.get(table)
        if mapped is None or mapped[1] != known:  # a label may have been learnt through another table meanwhile
            return table.columns(self._labels)
        columns = mapped[0]
        return columns if len(columns) == len(table) else table.columns(self._labels, columns)

    def _settle(self, table: Names, columns: Ids) -> None:
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
        packed = self._begun().pack()
        # The table itself: what is copied together with a stream's vocabulary goes on sharing it.
        return {**params, "_saved": (list(self._labels), self._features, self._shared, packed)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        saved = state.pop("_saved", None)
        self.__dict__.update(state)
        if saved:
            labels, features, shared, packed = saved
            core = self._made()
            core.unpack(packed)
            self._begin(core, Names(labels), features, shared=shared)


def _core_batch(batch: Batch, columns: Ids) -> _core.Batch:
    return _core.Batch(
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
    )

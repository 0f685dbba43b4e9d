"""A river estimator around a learner of the native core."""

from __future__ import annotations

import weakref
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from river.base import MultiLabelClassifier

from telex.learners import _core
from telex.learners.batch import Batch, number_features, relevant_labels
from telex.learners.errors import InputError, UsageError
from telex.learners.names import Names, in_order
from telex.learners.predictions import Events, Predictions
from telex.learners.reasons import Reasons, alone
from telex.learners.strings import Strings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from telex.learners.arrays import Ids

_NO_ID = Strings.of([""])
_NO_TIME = np.array([np.nan])
_WORTH_A_THREAD = 4 << 20  # bytes; less is begun while it is filled


class Labelling(dict[Any, bool]):
    """A predicted set as river wants it: {label: bool}, where a label without an entry reads False.

    >>> Labelling(war=True)["sport"]
    False
    """

    def __missing__(self, label: object) -> bool:
        return False


class NativeLearner(MultiLabelClassifier):
    """The calls of river and of the stream, over one core.

    A subclass has a constructor that stores its parameters, the class variable ``kind``, and ``_options``. The state
    is made at the first use, so that a clone is as fresh as new.
    """

    kind: ClassVar[int]
    most_labels: ClassVar[int] = 1 << 24
    seed: int
    _native: _core.Core | None = None
    _labels: Names
    _features: Names | None
    _shared: bool
    _columns: weakref.WeakKeyDictionary[Names, tuple[Ids, int]]
    _open: tuple[Names, Ids] | None

    def _options(self) -> dict[str, Any]:
        return {}

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

    def progress(self, events: Events) -> Predictions:
        """Predict what is asked and learn what is answered, in the order of the events.

        What the batch forgets before row r is forgotten before the first ask or answer of row r or a later one, and
        before the end.
        """
        return self._follow(self._at_home(events.batch, register=True), events.steps)

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document and learn nothing.

        Nothing is forgotten either, so that a batch that forgets is refused; ``progress`` with asks only is for that.
        """
        if batch.forget:
            raise InputError("scores changes no learner, and this batch forgets features; give progress asks only")
        return self._follow(self._at_home(batch, register=False), np.arange(len(batch), dtype=np.int32))

    def learn(self, batch: Batch) -> None:
        """Learn every labelled document, predicting nothing."""
        self._follow(self._at_home(batch, register=True), ~np.flatnonzero(batch.labelled).astype(np.int32))

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

    def reasons(self, batch: Batch, row: int) -> Reasons:
        """Return what each feature of a document says for and against each label; nothing is learnt.

        It is about what ``scores(batch.rows(row, row + 1))`` says.
        """
        document = alone(batch, row)
        home = self._at_home(document, register=False)
        found, base = self._begun().reasons(_core_batch(home, self._columns_of(home.label_names)), 0)
        contributions = found.reshape(len(document.features), len(base))
        if home is not document:  # renumbered, and so in another order
            places = replace(document, values=np.arange(len(document.features), dtype=np.float32))
            order = self._at_home(places, register=False).values.astype(np.intp)
            contributions = contributions[np.argsort(order)]
        return Reasons(document.features, self._labels, contributions, base)

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

    # -- the calls of river

    def learn_one(self, x: Mapping[Any, float], y: Mapping[Any, bool] | Iterable[Any]) -> None:
        """Learn one document: features as a dict, labels as a dict of bools or any iterable of names but a text."""
        self._begun()
        names = relevant_labels(y)
        if self._features is None:
            self._features, self._shared = Names(), False
        elif self._shared and any(self._features.get(name) < 0 for name in x):
            # What this learner alone is told must not reach the table of a stream.
            self._features, self._shared = Names(self._features), False
        features = number_features(self._features, x)
        self._follow(self._single(features, self._labels.ids(names)), np.array([~0], np.int32))

    def predict_one(self, x: Mapping[Any, float], **_: Any) -> Labelling:
        """Return {label: bool} over the known labels; any other label reads False."""
        p = self._ask_one(x)
        return Labelling(zip(self._labels, p.relevant[0, : p.known[0]].tolist(), strict=False))

    def scores_one(self, x: Mapping[Any, float]) -> dict[Any, float]:
        """Return the score of every known label, best first, ties by the named hash."""
        return dict(self._ask_one(x).ranking(0))

    def _ask_one(self, x: Mapping[Any, float]) -> Predictions:
        self._begun()
        known = self._features or Names()
        # Features never met get passing ids behind the known ones: asking changes nothing.
        fresh = Names(in_order(name for name in x if known.get(name) < 0))
        ids, values = number_features(fresh, {name: x[name] for name in fresh})
        old = number_features(known, {name: value for name, value in x.items() if fresh.get(name) < 0})
        features = (old[0] + [len(known) + i for i in ids], old[1] + values)
        return self._follow(self._single(features, []), np.array([0], np.int32))

    def _single(self, features: tuple[list[int], list[float]], labels: list[int]) -> Batch:
        ids, values = features
        return Batch(
            np.array([0, len(ids)], np.int64),
            np.array(ids, np.int32),
            np.array(values, np.float32),
            np.array([0, len(labels)], np.int64),
            np.array(labels, np.int32),
            np.ones(1, np.bool_),
            _NO_ID,
            _NO_TIME,
            np.array([self.learnt], np.int64),
            self._features or Names(),
            self._labels,
        )

    # -- the way to the core

    def _begun(self) -> _core.Core:
        if self._native is None:
            return self._begin(self._made(), Names(), None, shared=False)
        if self._open and self._native.known > len(self._labels):
            self._settle(*self._open)
        return self._native

    def _made(self) -> _core.Core:
        return _core.Core(kind=self.kind, seed=self.seed & 0xFFFFFFFFFFFFFFFF, **self._options())

    def _begin(self, core: _core.Core, labels: Names, features: Names | None, *, shared: bool) -> _core.Core:
        self._native, self._labels, self._features, self._shared = core, labels, features, shared
        self._columns, self._open = weakref.WeakKeyDictionary(), None
        return core

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

    def _at_home(self, batch: Batch, *, register: bool) -> Batch:
        """Return the batch with its features numbered as this learner numbers them."""
        self._begun()
        table = batch.feature_names
        if table is self._features:
            return batch
        if self._features is None or self._features.starts(table):
            if register:
                self._features, self._shared = table, True
            return batch
        if batch.forget:
            raise InputError(
                "the batch forgets features by ids that this learner gives to others; hand it batches of one table only"
            )
        return _renumbered(batch, self._features, register=register)

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


def _renumbered(batch: Batch, home: Names, *, register: bool) -> Batch:
    """Number the features of a batch from another table as ``home`` does.

    New ones are registered row by row, or else get passing ids behind the known ones.
    """
    names = home if register else _Passing(home)
    indptr, table = batch.indptr, batch.feature_names
    used = batch.features[indptr[0] : indptr[-1]]
    if len(used) and not 0 <= used.min() <= used.max() < len(table):
        raise InputError("a feature id of the batch is not in its feature table; use ids of feature_names")
    features, values = batch.features.copy(), batch.values.copy()
    for start, end in zip(indptr[:-1].tolist(), indptr[1:].tolist(), strict=True):
        ids = np.array(names.ids(table[i] for i in batch.features[start:end].tolist()), np.int32)
        order = np.argsort(ids)
        features[start:end], values[start:end] = ids[order], batch.values[start:end][order]
    return Batch(indptr, features, values, batch.label_indptr, batch.labels, batch.labelled, batch.ids, batch.times,
                 batch.numbers, home, batch.label_names)  # fmt: skip


class _Passing(Names):
    """A table that numbers new names behind another's without telling it."""

    __slots__ = ()

    def __init__(self, home: Names) -> None:
        super().__init__()
        self._names, self._ids = list(home), {name: i for i, name in enumerate(home)}


def choice(what: str, given: str, allowed: tuple[str, ...]) -> int:
    """Return the position of ``given`` among ``allowed``, or say which values there are."""
    if given not in allowed:
        raise UsageError(f"{what} is {given!r}; choose one of {', '.join(allowed)}")
    return allowed.index(given)

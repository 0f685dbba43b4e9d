"""The base class of learners that follow a stream and are estimators of river too."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from river.base import MultiLabelClassifier

from telex.learners._core import Lock
from telex.learners.base import (
    Batch,
    InputError,
    Names,
    Reasons,
    Strings,
    answers_only,
    check_forgets_nothing,
    in_order,
    number_features,
    relevant_labels,
    single_document,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from contextlib import AbstractContextManager

    from telex.learners.base import Events, Ids, Predictions

_NO_ID = Strings.of([""])
_NO_TIME = np.array([np.nan])
_ANSWER = np.array([~0], np.int32)


class PredictedLabels(dict[Any, bool]):
    """A predicted set as river expects it: {label: bool}; a label without an entry reads as False.

    >>> PredictedLabels(war=True)["sport"]
    False
    """

    def __missing__(self, label: object) -> bool:
        return False


class RiverEstimator(MultiLabelClassifier):
    """A learner that follows a stream and is an estimator of river too.

    It numbers features by the first table that it meets, and renumbers batches with another table. A subclass gets
    batches in its own numbering: ``_follow`` predicts and learns, ``_predict_batch`` only predicts, and ``_reasons``
    explains the scores of one document.

    Any thread may call it. The calls wait for each other; a subclass whose predictions change nothing, not even for a
    moment, lets them run beside each other by its own ``_reading``.
    """

    seed: int
    _features: Names | None = None
    _shared: bool = False
    """Whether the table of features belongs to a stream, and not to this learner."""

    @property
    @abstractmethod
    def labels(self) -> Names:
        """The labels known, by column."""

    @property
    @abstractmethod
    def learnt(self) -> int:
        """How many documents have been learnt."""

    @property
    def _lock(self) -> Lock:
        # Made at the first use, as a subclass need not call our constructor; setdefault gives all threads the same one.
        held: dict[str, Any] = self.__dict__
        lock: Lock = held.get("_held_lock") or held.setdefault("_held_lock", Lock())
        return lock

    @property
    def _writing(self) -> AbstractContextManager[None]:
        """The lock for calls that change the learner."""
        return self._lock.writing

    @property
    def _reading(self) -> AbstractContextManager[None]:
        """The lock for calls that only ask."""
        return self._lock.writing

    @abstractmethod
    def _follow(self, batch: Batch, steps: Ids | None) -> Predictions: ...

    @abstractmethod
    def _predict_batch(self, batch: Batch) -> Predictions: ...

    @abstractmethod
    def _reasons(self, document: Batch) -> Reasons | None: ...

    # -- the calls of the stream

    def progress(self, events: Events) -> Predictions:
        """Predict each document asked and learn each document answered, in the order of the events.

        The learner forgets a feature that the batch forgets before row r before the first ask or answer of row r or a
        later row, or else at the end.
        """
        with self._writing:
            return self._follow(self._at_home(events.batch, register=True), events.steps)

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document; learn nothing.

        Scores forget nothing either, so a batch that forgets features is refused; call ``progress`` with asks only.
        """
        check_forgets_nothing(batch)
        with self._reading:
            return self._predict_batch(self._at_home(batch, register=False))

    def learn(self, batch: Batch) -> None:
        """Learn every labelled document; predict nothing."""
        with self._writing:
            self._follow(self._at_home(batch, register=True), answers_only(batch))

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return what each feature of a document adds to the score of each label; learn nothing.

        The scores explained are those of ``scores(batch.rows(row, row + 1))``. None means that the learner cannot
        explain them.
        """
        document = single_document(batch, row)
        with self._reading:
            home = self._at_home(document, register=False)
            reasons = self._reasons(home)
            if reasons is None:
                return None
            contributions = reasons.contributions
            if home is not document:
                # Renumbering reorders the entries: send the places 0, 1, ... as values to see where each entry went.
                places = replace(document, values=np.arange(len(document.features), dtype=np.float32))
                order = self._at_home(places, register=False).values.astype(np.intp)
                contributions = contributions[np.argsort(order)]
        return Reasons(document.features, reasons.labels, contributions, reasons.base)

    # -- the calls of river

    def learn_one(self, x: Mapping[Any, float], y: Mapping[Any, bool] | Iterable[Any]) -> None:
        """Learn one document: features as a dict, labels as a dict of bools or an iterable of names (not a string)."""
        names = relevant_labels(y)
        with self._writing:
            if self._features is None:
                self._features, self._shared = Names(), False
            elif self._shared and any(self._features.get(name) < 0 for name in x):
                # A document that only this learner gets must not change the table of a stream.
                self._features, self._shared = Names(self._features), False
            self._learn_single(number_features(self._features, x), names)

    def _learn_single(self, features: tuple[list[int], list[float]], labels: list[Any]) -> None:
        self._follow(self._single(features, self.labels.ids(labels)), _ANSWER)

    def predict_one(self, x: Mapping[Any, float], **_: Any) -> PredictedLabels:
        """Return {label: bool} over the known labels; any other label reads as False."""
        p = self._ask_one(x)
        return PredictedLabels(zip(p.labels, p.relevant[0, : p.known[0]].tolist(), strict=False))

    def scores_one(self, x: Mapping[Any, float]) -> dict[Any, float]:
        """Return the score of every known label, best first, ties by the named hash."""
        return dict(self._ask_one(x).ranking(0))

    def predict_proba_one(self, x: Mapping[Any, float], **_: Any) -> dict[Any, dict[bool, float]]:
        """Return the probability of every known label, if the learner has probabilities, as river has them."""
        p = self._ask_one(x)
        if p.probabilities is None:
            raise NotImplementedError(f"{type(self).__name__} has no probabilities; try Thresholded(learner)")
        found = zip(p.labels, p.probabilities[0, : p.known[0]].tolist(), strict=False)
        return {label: {False: 1 - q, True: q} for label, q in found}

    def _ask_one(self, x: Mapping[Any, float]) -> Predictions:
        with self._reading:
            return self._predict_batch(self._unlabelled(x))

    def _unlabelled(self, x: Mapping[Any, float]) -> Batch:
        known = self._features or Names()
        # New features get temporary ids behind the known ones: asking must change nothing.
        fresh = Names(in_order(name for name in x if known.get(name) < 0))
        ids, values = number_features(fresh, {name: x[name] for name in fresh})
        old = number_features(known, {name: value for name, value in x.items() if fresh.get(name) < 0})
        features = (old[0] + [len(known) + i for i in ids], old[1] + values)
        return self._single(features, [])

    def _single(self, features: tuple[list[int], list[float]], labels: list[int]) -> Batch:
        ids, values = features
        return Batch(
            indptr=np.array([0, len(ids)], np.int64),
            features=np.array(ids, np.int32),
            values=np.array(values, np.float32),
            label_indptr=np.array([0, len(labels)], np.int64),
            labels=np.array(labels, np.int32),
            labelled=np.ones(1, np.bool_),
            ids=_NO_ID,
            times=_NO_TIME,
            numbers=np.array([self.learnt], np.int64),
            feature_names=self._features or Names(),
            label_names=self.labels,
        )

    # -- tables

    def _at_home(self, batch: Batch, *, register: bool) -> Batch:
        """Return the batch with its features numbered as this learner numbers them."""
        table = batch.feature_names
        if table is self._features:
            return batch
        if self._features is None or self._features.starts(table):
            if register:
                self._features, self._shared = table, True
            return batch
        if batch.forget:
            raise InputError(
                "the batch forgets features by ids that this learner numbers otherwise; give it batches of one table"
            )
        return _renumbered(batch, self._features, register=register)


def _renumbered(batch: Batch, home: Names, *, register: bool) -> Batch:
    """Return a batch from another table with its features numbered as in ``home``.

    With ``register``, new features are added to ``home`` row by row; otherwise they get temporary ids behind its own.
    """
    names = home if register else _Temporary(home)
    indptr, table = batch.indptr, batch.feature_names
    used = batch.features[indptr[0] : indptr[-1]]
    if len(used) and not 0 <= used.min() <= used.max() < len(table):
        raise InputError("a feature id of the batch is not in its feature table; use ids of feature_names")
    features, values = batch.features.copy(), batch.values.copy()
    counts = None if batch.counts is None else batch.counts.copy()
    for start, end in zip(indptr[:-1].tolist(), indptr[1:].tolist(), strict=True):
        ids = np.array(names.ids(table[i] for i in batch.features[start:end].tolist()), np.int32)
        order = np.argsort(ids)
        features[start:end], values[start:end] = ids[order], batch.values[start:end][order]
        if counts is not None and batch.counts is not None:
            counts[start:end] = batch.counts[start:end][order]
    return replace(batch, features=features, values=values, counts=counts, feature_names=home)


class _Temporary(Names):
    """A table that numbers new names behind another's, which it does not change."""

    __slots__ = ()

    def __init__(self, home: Names) -> None:
        super().__init__()
        self._names, self._ids = list(home), {name: i for i, name in enumerate(home)}

"""The base class of learners in plain Python, which define only how to predict and learn one document."""

from __future__ import annotations

import inspect
import math
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from river.base import MultiLabelClassifier

from telex.learners._core import Lock
from telex.learners.base import (
    BatchBuilder,
    Events,
    FeatureKeys,
    InputError,
    Names,
    Predictions,
    answers_only,
    check_forgets_nothing,
    check_steps,
    forgotten_before,
    plain_attributes,
    undelayed_steps,
)
from telex.learners.river_estimator import PredictedLabels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from telex.learners.base import Batch, Flags, Values


@dataclass(slots=True)
class LearnerTables:
    """A learner's own labels and features, and how many documents it has learnt."""

    labels: Names = field(default_factory=Names)
    keys: FeatureKeys = field(default_factory=FeatureKeys)
    learnt: int = 0
    at: int | None = None
    """The step of the call that is under way, or that failed."""
    single: Names | None = None
    """The table of documents learnt by themselves."""
    lock: Lock = field(default_factory=Lock)


class PerDocument(MultiLabelClassifier):
    """A learner written for one document at a time; this class handles batches, late answers and checkpoints.

    A subclass has :meth:`ask`, which returns a score for each label, and :meth:`answer`, which learns. A document is a
    dict of its features by name; its labels are a sorted list. The predicted set is the labels that score above
    ``threshold``. As with any estimator of river, the constructor stores its parameters and begins the attributes.

    A checkpoint stores the attributes that are not parameters. They may consist of numbers, texts, lists, tuples,
    sets, dicts and numpy arrays; a learner with other attributes needs a ``save`` and a ``load`` of its own.

    ``ask`` must change nothing. Do not sum over a set: its order differs from one process to the next. A bounded
    vocabulary gives the id of a term to another term; both features then have new keys, and :meth:`forget` may drop
    the old one.

    Any thread may call it; the calls wait for each other, so that ``ask`` and ``answer`` need no lock of their own.

    Examples
    --------
    >>> from collections import Counter
    >>> class Votes(PerDocument):
    ...     def __init__(self):
    ...         self.counts = {}
    ...     def ask(self, x):
    ...         return {label: sum(votes[word] for word in x) for label, votes in self.counts.items()}
    ...     def answer(self, x, y):
    ...         for label in y:
    ...             self.counts.setdefault(label, Counter()).update(x.keys())
    >>> model = Votes()
    >>> model.learn_one({"cup": 1.0, "final": 1.0}, ["sport"])
    >>> model.learn_one({"tariff": 1.0, "cup": 1.0}, ["trade"])
    >>> model.scores_one({"tariff": 1.0, "cup": 1.0}), model.predict_one({"final": 1.0})
    ({'trade': 2.0, 'sport': 1.0}, {'sport': True, 'trade': False})
    """

    threshold: ClassVar[float] = 0.0
    seed: int = 0
    """Orders equal scores."""
    scores_are_probabilities: bool = False
    """Whether :meth:`ask` returns probabilities."""
    _base_state: LearnerTables | None = None

    # -- what a subclass writes

    @abstractmethod
    def ask(self, x: dict[Any, float]) -> Mapping[Any, float]:
        """Return the score of each known label; a label without one scores 0 and is not predicted."""

    @abstractmethod
    def answer(self, x: dict[Any, float], y: list[Any]) -> None:
        """Learn a document with its labels, in sorted order; all of them are known from now on."""

    def forget(self, feature: Any) -> None:
        """Drop what was learnt about a feature, whose key will not come again."""

    # -- the calls of the stream

    @property
    def labels(self) -> Names:
        """The labels known, by column."""
        return self._base.labels

    @property
    def learnt(self) -> int:
        """How many documents have been learnt."""
        return self._base.learnt

    def progress(self, events: Events) -> Predictions:
        """Predict each document asked and learn each document answered, in the order of the events."""
        with self._base.lock.writing:
            own, batch = self._base, events.batch
            steps = undelayed_steps(batch) if events.steps is None else events.steps
            check_steps(batch, steps)
            rows = _Rows(own.labels, steps[steps >= 0], len(own.labels) + len(batch.label_names))
            before, features = forgotten_before(batch, steps)
            leaving = list(zip(before.tolist(), features.tolist(), strict=True))[::-1]
            own.keys.open(batch, set(features.tolist()))
            for i, step in enumerate(steps.tolist()):
                own.at = i
                while leaving and leaving[-1][0] <= i:
                    self._forget(leaving.pop()[1])
                if step >= 0:
                    rows.add(*self._ask_row(own.keys.features(batch, step), batch, step))
                else:
                    y = batch.labels_of(~step)
                    own.labels.ids(y)
                    own.learnt += 1
                    self._answer_row(own.keys.features(batch, ~step), y, batch, ~step)
            own.at = None
            for _, feature in leaving[::-1]:
                self._forget(feature)
            return rows.predictions(batch, self.seed, probabilities=self.scores_are_probabilities)

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document; learn nothing. A batch that forgets features needs ``progress`` with asks only."""
        check_forgets_nothing(batch)
        with self._base.lock.writing:
            own = self._base
            rows = _Rows(own.labels, np.arange(len(batch), dtype=np.int32), len(own.labels))
            for row in range(len(batch)):
                own.at = row
                rows.add(*self._ask_row(own.keys.peek(batch, row), batch, row))
            own.at = None
            return rows.predictions(batch, self.seed, probabilities=self.scores_are_probabilities)

    @property
    def failed_at(self) -> int | None:
        """After a call that failed: the place of the step among those of the call, or of the row; None if unknown."""
        return self._base.at

    def learn(self, batch: Batch) -> None:
        """Learn every labelled document; predict nothing."""
        self.progress(Events(batch, answers_only(batch)))

    @property
    def finite(self) -> bool:
        """Whether no number in an attribute that is a numpy array is NaN or infinite."""
        arrays = (one for one in vars(self).values() if isinstance(one, np.ndarray) and one.dtype.kind == "f")
        return all(bool(np.isfinite(one).all()) for one in arrays)

    def check_savable(self) -> None:
        """Raise a UsageError if :meth:`save` cannot store the attributes as they are now."""
        self.save()

    def save(self) -> dict[str, Any]:
        """Return what was learnt as plain data."""
        with self._base.lock.writing:
            own, attributes = self._base, self._attributes()
            return {
                "labels": own.labels.save(),
                "single": own.single.save() if own.single and own.keys.numbered_by(own.single) else None,
                "met": plain_attributes.encode({"keys": own.keys.save(), "learnt": own.learnt}),
                "attributes": plain_attributes.encode(attributes),
            }

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore what :meth:`save` returned; the parameters and the numbering of features must be the same."""
        try:
            tables, single = plain_attributes.decode(state["met"]), state["single"]
            attributes = plain_attributes.decode(state["attributes"])
            own = LearnerTables(Names.of(state["labels"]), learnt=int(tables["learnt"]))
            own.single = None if single is None else Names.of(single)
            right = own.keys.load(tables["keys"], own.single)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"what was saved is not a learner ({error!r}); take another checkpoint") from error
        if not right:
            raise InputError("the features of a saved learner cannot be right; take another checkpoint")
        with self._base.lock.writing:
            self._take_attributes(attributes)
            own.lock = self._base.lock
            self._base_state = own

    def _attributes(self) -> dict[str, Any]:
        """Return what a checkpoint stores beside the labels and features: the attributes that are no parameters."""
        parameters = inspect.signature(type(self)).parameters
        return {name: value for name, value in vars(self).items() if name not in parameters and name != "_base_state"}

    def _take_attributes(self, attributes: dict[str, Any]) -> None:
        """Restore what :meth:`_attributes` returned."""
        vars(self).update(attributes)

    # -- the calls of river

    def learn_one(self, x: Mapping[Any, float], y: Mapping[Any, bool] | Iterable[Any]) -> None:
        """Learn one document: features as a dict, labels as a dict of bools or an iterable of names (not a string)."""
        with self._base.lock.writing:
            own = self._base
            if own.single is None:
                own.single = own.keys.table()
            builder = BatchBuilder(own.single, Names(), own.learnt)
            builder.add(x, y)
            self.learn(builder.take())

    def predict_one(self, x: Mapping[Any, float], **_: Any) -> PredictedLabels:
        """Return {label: bool} over the known labels; any other label reads as False."""
        p = self._ask_one(x)
        return PredictedLabels(zip(p.labels, p.relevant[0, : p.known[0]].tolist(), strict=False))

    def scores_one(self, x: Mapping[Any, float]) -> dict[Any, float]:
        """Return the score of every known label, best first, ties by the named hash."""
        return dict(self._ask_one(x).ranking(0))

    def _ask_one(self, x: Mapping[Any, float]) -> Predictions:
        with self._base.lock.writing:
            own = self._base
            builder = BatchBuilder(Names(own.keys.in_order(x)), Names(), own.learnt)
            builder.add(x, None)
            return self.scores(builder.take())

    # -- one document

    def _ask_row(self, x: dict[Any, float], batch: Batch, row: int) -> tuple[Mapping[Any, float], Iterable[Any]]:
        """Return the scores and the set of a document."""
        scores = self.ask(x)
        for label, score in scores.items():
            if not math.isfinite(score):
                raise InputError(f"{type(self).__name__} gives {label!r} the score {score}; return finite numbers")
        return scores, [label for label, score in scores.items() if score > self.threshold]

    def _answer_row(self, x: dict[Any, float], y: list[Any], batch: Batch, row: int) -> None:
        self.answer(x, y)

    def _forget(self, feature: int) -> None:
        if (old := self._base.keys.forget(feature)) is not None:
            self.forget(old)

    @property
    def _base(self) -> LearnerTables:
        tables: LearnerTables = self._base_state or vars(self).setdefault("_base_state", LearnerTables())
        return tables


class _Rows:
    """The predictions of one call as they grow, a row an ask."""

    def __init__(self, labels: Names, rows: Any, width: int) -> None:
        shape = len(rows), max(1, width)
        self.labels, self.rows, self.ask = labels, rows, 0
        self.scores: Values = np.zeros(shape, np.float32)
        self.relevant: Flags = np.zeros(shape, np.bool_)
        self.known = np.zeros(len(rows), np.int32)

    def add(self, scores: Mapping[Any, float], chosen: Iterable[Any]) -> None:
        row, known = self.ask, len(self.labels)
        for label, score in scores.items():
            self.scores[row, self._column(label)] = score
        for label in chosen:
            self.relevant[row, self._column(label)] = True
        self.known[row], self.ask = known, row + 1

    def _column(self, label: Any) -> int:
        column = self.labels.get(label)
        if column < 0:
            raise InputError(
                f"the learner scores {label!r}, which no document had yet; score only labels that it learnt"
            )
        return column

    def predictions(self, batch: Batch, seed: int, *, probabilities: bool) -> Predictions:
        columns, hashes = batch.label_names.columns(self.labels), self.labels.hashes()
        numbers = batch.numbers[self.rows]
        seed &= 0xFFFFFFFFFFFFFFFF
        sure = np.clip(self.scores, 0, 1) if probabilities else None
        return Predictions(
            self.scores, self.relevant, self.known, self.rows, columns, self.labels, hashes, seed, numbers, sure
        )

"""Classifiers of scikit-learn that learn a stream by ``partial_fit``, in small batches."""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from telex.adapters.sklearn.family import decision_of, sklearn_class, sklearn_module, validated
from telex.learners import BatchBuilder, PerDocument
from telex.learners.base import (
    InputError,
    Reasons,
    UsageError,
    error_line,
    plain_attributes,
    single_document,
)

if TYPE_CHECKING:
    from telex.learners.base import Batch, Ids, Reals

_OWN = ("_new", "_each", "_weights", "_biases", "_sparse")
"""Attributes that are made again from the others."""
_CLASSES = np.array([0, 1])


class SklearnOnline(PerDocument):
    """A scikit-learn classifier with ``partial_fit``, one per label, that learns ``batch`` documents at a time.

    Answers gather until there are ``batch`` of them; then every label's classifier learns them in one call. Until the
    next call nothing changes, so a smaller batch adapts sooner, and a larger one costs less. How the stream itself is
    cut into batches does not matter. A label that is new begins with the batch in which it came.

    A classifier has a fixed number of features, ``width``. Features get their columns in the order in which they are
    first learnt; where there are more, two share one. The score is the ``decision_function``, else the probability
    minus 1/2; the set is where it is above 0. A checkpoint stores the fitted attributes that are arrays and numbers.
    ``check_savable`` says beforehand of a classifier that needs others too, such as ``MLPClassifier``.

    Parameters
    ----------
    estimator
        The name of a class, or an estimator; it is cloned, not changed.
    batch
        How many answered documents are learnt at once.
    width
        The number of columns that features have.
    seed
        Orders equal scores, and is the ``random_state`` of an estimator that has one and is given none.

    Examples
    --------
    >>> from telex.learners import BatchBuilder, Events
    >>> model, stream = SklearnOnline("Perceptron", batch=2), BatchBuilder()
    >>> for i in range(6):
    ...     stream.add({"cup": 1.0} if i % 2 else {"tariff": 1.0}, ["sport"] if i % 2 else ["trade"])
    >>> predictions = model.progress(Events(stream.take()))
    >>> [predictions.set_of(k) for k in range(6)]
    [[], [], ['trade'], ['sport'], ['trade'], ['sport']]
    """

    stored_name: ClassVar[str] = "sklearn online"

    def __init__(self, estimator: str | Any, *, batch: int = 32, width: int = 32_768, seed: int = 0) -> None:
        self.estimator, self.batch, self.width, self.seed = estimator, batch, width, seed
        if min(batch, width) < 1:
            raise UsageError(f"batch and width must be at least 1, not {min(batch, width)}")
        made = sklearn_class(estimator)() if isinstance(estimator, str) else sklearn_module("base").clone(estimator)
        if not hasattr(made, "partial_fit"):
            name = type(made).__name__
            raise UsageError(f"{name} has no partial_fit; learn windows with refit:model=sklearn:{name},every=5000")
        chosen = {name: value for name, value in made.get_params().items() if value is not None}
        self._new, tags = validated(made, seed, **chosen)
        self._sparse: bool = tags.input_tags.sparse
        self._gathered: list[tuple[Ids, Reals]] = []
        self._answers: list[list[int]] = []
        self._each: list[Any] = []
        self._columns: dict[Any, int] = {}
        self._features = 0
        self._weights: Reals | None = None
        self._biases: Reals = np.zeros(0)

    # -- one document

    def ask(self, x: dict[Any, float]) -> dict[Any, float]:
        """Return the decision for each label that a batch was learnt of."""
        if not self._each:
            return {}
        columns, values = self._row(x)
        if self._weights is not None:
            # A sum over the entries in their order: BLAS would change the last bits from one machine to the next.
            decisions = (self._weights[:, columns] * values).sum(axis=1) + self._biases
        else:
            row = self._matrix([(columns, values)])
            decisions = np.concatenate([decision_of(one, row, 1)[0] for one in self._each])
        return dict(zip(self.labels, decisions.tolist(), strict=False))

    def answer(self, x: dict[Any, float], y: list[Any]) -> None:
        """Gather a document, and learn the batch if it is full."""
        for name in x:
            if name not in self._columns:
                self._columns[name], self._features = self._features % self.width, self._features + 1
        self._gathered.append(self._row(x))
        self._answers.append(self.labels.ids(y))
        if len(self._gathered) >= self.batch:
            self._learn()

    def _learn(self) -> None:
        clone = sklearn_module("base").clone
        self._each += [clone(self._new) for _ in range(len(self.labels) - len(self._each))]
        x = self._matrix(self._gathered)
        truth = np.zeros((len(self._each), len(self._answers)), np.int64)
        for row, labels in enumerate(self._answers):
            truth[labels, row] = 1
        self._gathered, self._answers = [], []
        # More threads of BLAS cost more than they bring, and each number of threads would round in its own way.
        with _threads().limit(limits=1):
            for one, y in zip(self._each, truth, strict=True):
                one.partial_fit(x, y, classes=_CLASSES)
        self._read_weights()

    def _read_weights(self) -> None:
        """Take the weights of linear classifiers, with which asking is one sum for all labels."""
        if not all(getattr(getattr(one, "coef_", None), "shape", None) == (1, self.width) for one in self._each):
            return
        count = len(self._each)
        if self._weights is None or len(self._weights) != count:
            self._weights = np.empty((count, self.width))
        for row, one in enumerate(self._each):
            self._weights[row] = one.coef_[0]
        self._biases = np.array([float(one.intercept_[0]) for one in self._each])

    def forget(self, feature: Any) -> None:
        """Drop the column of a feature that will not come again; others may have the same."""
        self._columns.pop(feature, None)

    def _row(self, x: dict[Any, float]) -> tuple[Ids, Reals]:
        """Return the columns of the features that were learnt, ascending, and their values."""
        known = self._columns
        found = [(known[name], value) for name, value in x.items() if name in known]
        columns, place = np.unique(np.array([column for column, _ in found], np.int32), return_inverse=True)
        values: Reals = np.bincount(place, [value for _, value in found], len(columns)).astype(np.float64)
        return columns, values

    def _matrix(self, rows: list[tuple[Ids, Reals]]) -> Any:
        columns, values = (np.concatenate(parts) for parts in zip(*rows, strict=True))
        ends = np.cumsum([0, *(len(row) for row, _ in rows)]).astype(np.int32)
        found = importlib.import_module("scipy.sparse").csr_matrix((values, columns, ends), (len(rows), self.width))
        return found if self._sparse else found.toarray()

    # -- what it is asked beside

    @property
    def finite(self) -> bool:
        """Whether the weights are finite, where they can be read."""
        return self._weights is None or bool(np.isfinite(self._weights).all() and np.isfinite(self._biases).all())

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return weight times value of each feature if the classifiers are linear, else None."""
        if self._weights is None:
            return None
        document = single_document(batch, row)
        x = self._base.keys.peek(document, 0)
        parts = np.zeros((len(document.features), len(self.labels)))
        for place, (name, value) in enumerate(x.items()):
            if name in self._columns:
                parts[place, : len(self._each)] = self._weights[:, self._columns[name]] * value
        biases = np.concatenate([self._biases, np.zeros(len(self.labels) - len(self._each))])
        return Reasons(document.features, self.labels, parts, biases)

    # -- checkpoints

    def check_savable(self) -> None:
        """Raise a UsageError if a restored classifier would not go on as the saved one does."""
        first, stream = SklearnOnline(self._new, batch=2, width=8), BatchBuilder()
        for number in range(6):
            stream.add({f"a{number % 3}": 1.0}, ["yes"] if number % 2 else [], id=str(number))
        batch = stream.take()
        first.learn(batch.rows(0, 4))
        second = SklearnOnline(self._new, batch=2, width=8)
        try:
            second.load(first.save())
            for one in (first, second):
                one.learn(batch.rows(4, 6))
            same = np.array_equal(first.scores(batch).scores, second.scores(batch).scores)
        except Exception:  # an estimator that lacks some of its attributes may raise anything
            same = False
        if not same:
            raise UsageError(
                f"{type(self._new).__name__} of scikit-learn holds more than arrays and numbers, so no checkpoint can "
                "store it; choose another, such as sklearn-online:SGDClassifier, or run without checkpoints"
            )

    def _attributes(self) -> dict[str, Any]:
        states = [_state_of(one) for one in self._each]
        kept = {name: value for name, value in super()._attributes().items() if name not in _OWN}
        return {**kept, "states": states}

    def _take_attributes(self, attributes: dict[str, Any]) -> None:
        states = attributes.pop("states")
        super()._take_attributes(attributes)
        self._each, self._weights = [sklearn_module("base").clone(self._new) for _ in states], None
        for one, state in zip(self._each, states, strict=True):
            vars(one).update(state)
        if self._each:
            self._read_weights()

    # -- errors

    def _ask_row(self, x: dict[Any, float], batch: Batch, row: int) -> Any:
        try:
            return super()._ask_row(x, batch, row)
        except Exception as error:  # an estimator may raise anything
            raise self._failed("predict", f"document {batch.ids[row]}", error) from error

    def _answer_row(self, x: dict[Any, float], y: list[Any], batch: Batch, row: int) -> None:
        try:
            self.answer(x, y)
        except Exception as error:
            raise self._failed("learn", f"the documents up to {batch.ids[row]}", error) from error

    def _failed(self, verb: str, what: str, error: Exception) -> InputError:
        name = type(self._new).__name__
        return InputError(
            f"{name} of scikit-learn cannot {verb} {what} ({error_line(error)}); choose another, such as "
            "sklearn-online:SGDClassifier"
        )


@functools.cache
def _threads() -> Any:
    return importlib.import_module("threadpoolctl").ThreadpoolController()


def _state_of(one: Any) -> dict[str, Any]:
    """Return the fitted attributes of an estimator that are plain data."""
    parameters, state = one.get_params(deep=False), {}
    for name, value in vars(one).items():
        if name in parameters:
            continue
        try:
            plain_attributes.encode({name: value})
        except UsageError:
            continue  # it is made again, or `check_savable` finds that it is not
        state[name] = value
    return state

"""Classifiers of scikit-learn (extra ``sklearn``), which is imported only when one is made."""

from __future__ import annotations

import functools
import importlib
import inspect
import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from telex.learners import Parameter, did_you_mean
from telex.learners.base import InputError, Names, Predictions, Reasons, UsageError, single_document

if TYPE_CHECKING:
    from collections.abc import Mapping

    from telex.learners.base import Batch, Flags, Ids, Reals

_ROW_BY_ROW = (
    "sklearn.naive_bayes",
    "sklearn.tree",
    "sklearn.ensemble._forest",
)
"""Modules whose estimators compute each sparse row by itself: sparse products and walks down trees."""
_MOST_CELLS = 100_000_000
"""The largest window, in cells, that is made dense for an estimator that takes nothing else: 800 MB."""


class SklearnModel:
    """A scikit-learn classifier as a batch learner, by name.

    An estimator that takes several labels (``RidgeClassifier``, ``KNeighborsClassifier``, trees, ...) gets them all;
    any other is fitted once per label, against the rest. The score is the ``decision_function``, else the probability
    minus 1/2, else the prediction minus 1/2, and the set is where that is above 0; a label that every document of the
    batch has gets the score 1. Features are those that occur in the batch, in order of id, as float64.

    If the decision is linear, the model stores its weights, and scoring is one sparse product; trees and sparse naive
    Bayes score all rows at once. Any other estimator scores one document after the other, because BLAS changes the last
    bits of a result with the number of rows.

    Parameters
    ----------
    estimator
        The name of a class, as ``sklearn.utils.all_estimators(type_filter="classifier")`` lists them; or an estimator.
    seed
        Orders equal scores, and is the ``random_state`` of an estimator that has one and is given none.
    **parameters
        Parameters of the estimator.

    Examples
    --------
    >>> from telex.learners import BatchBuilder, Events
    >>> from telex.stream import Refit
    >>> model, stream = Refit(SklearnModel("LinearSVC", C=10), every=4, window=8), BatchBuilder()
    >>> for i in range(8):
    ...     stream.add({"cup": 1.0} if i % 2 else {"tariff": 1.0}, ["sport"] if i % 2 else ["trade"])
    >>> predictions = model.progress(Events(stream.take()))
    >>> [predictions.set_of(k) for k in range(8)]
    [[], [], [], [], ['trade'], ['sport'], ['trade'], ['sport']]
    """

    stored_name: ClassVar[str] = "sklearn"

    def __init__(self, estimator: str | Any, *, seed: int = 0, **parameters: Any) -> None:
        self.estimator, self.seed, self.parameters = estimator, seed, parameters
        if isinstance(estimator, str):
            made = sklearn_class(estimator)(**parameters)
        else:
            made = sklearn_module("base").clone(estimator).set_params(**parameters)
        self._new, tags = validated(made, seed, **parameters)
        self._alone: bool = tags.target_tags.single_output
        self._together: bool = tags.classifier_tags.multi_label or not self._alone
        self._sparse: bool = tags.input_tags.sparse
        self._each = not (self._sparse and type(made).__module__.startswith(_ROW_BY_ROW))
        self.labels = Names()
        self._features: Ids = np.zeros(0, np.int32)
        self._varied: Ids = np.zeros(0, np.int32)
        self._fitted: list[Any] = []
        self._weights: tuple[Reals, Reals] | None = None

    def __repr__(self) -> str:
        given = "".join(f", {key}={value!r}" for key, value in self.parameters.items())
        return f"SklearnModel({self.estimator!r}, seed={self.seed}{given})"

    def fit(self, batch: Batch) -> None:
        """Forget everything, and learn every document of ``batch``."""
        present, answers = _answers(batch)
        self.labels = Names(batch.label_names[i] for i in present.tolist())
        self._features = np.unique(batch.features[int(batch.indptr[0]) : int(batch.indptr[-1])])
        self._varied = np.flatnonzero(~answers.all(axis=0)).astype(np.int32)
        self._fitted, self._weights = [], None
        if not len(self._varied):
            return
        x, answers = self._matrix(batch), np.ascontiguousarray(answers[:, self._varied], np.int64)
        clone = sklearn_module("base").clone
        if self._together and (len(self._varied) > 1 or not self._alone):
            self._fitted = [clone(self._new).fit(x, answers)]
        else:
            self._fitted = [clone(self._new).fit(x, answers[:, k]) for k in range(len(self._varied))]
        for one in self._fitted:
            if "n_jobs" in one.get_params():
                one.set_params(n_jobs=None)  # several threads sum a forest's votes in any order
        self._weights = self._linear(x[: min(10, x.shape[0])])
        if self._weights:
            self._fitted = []

    def scores(self, batch: Batch) -> Predictions:
        """Predict every document over all labels of the batch last fitted."""
        n = len(batch)
        decisions = np.ones((n, len(self.labels)))
        if n and len(self._varied):
            x = self._matrix(batch)
            if self._each and self._weights is None:
                decisions[:, self._varied] = np.concatenate([self._decide(x[i : i + 1]) for i in range(n)])
            else:
                decisions[:, self._varied] = self._decide(x)
        return Predictions.of_all(decisions.astype(np.float32), decisions > 0, batch, self.labels, self.seed)

    def _decide(self, x: Any) -> Reals:
        """Return the decisions over the labels that some, but not all, documents of the fitted batch have."""
        if self._weights:
            decisions: Reals = np.asarray(x @ self._weights[0]) + self._weights[1]
            return decisions
        labels = len(self._varied) // len(self._fitted)
        return np.concatenate([decision_of(one, x, labels) for one in self._fitted], axis=1)

    def _linear(self, x: Any) -> tuple[Reals, Reals] | None:
        """Return weights (features x labels) and biases if they decide ``x`` as the estimators do, else None."""
        if not all(hasattr(one, "coef_") and hasattr(one, "intercept_") for one in self._fitted):
            return None
        weights = np.concatenate([_dense(one.coef_) for one in self._fitted]).T
        biases = np.concatenate([np.ravel(one.intercept_) for one in self._fitted])
        theirs = self._decide(x)
        if weights.shape != (x.shape[1], theirs.shape[1]) or len(biases) not in {1, theirs.shape[1]}:
            return None
        ours = np.asarray(x @ weights) + biases
        return (np.ascontiguousarray(weights), biases) if np.allclose(ours, theirs, rtol=1e-9, atol=1e-9) else None

    def _matrix(self, batch: Batch) -> Any:
        """Return the fitted features of ``batch`` as compressed rows, or dense if the estimator needs it."""
        span = slice(int(batch.indptr[0]), int(batch.indptr[-1]))
        ids = batch.features[span]
        columns = np.searchsorted(self._features, ids)
        known = np.zeros(len(ids), np.bool_)
        inside = columns < len(self._features)
        known[inside] = self._features[columns[inside]] == ids[inside]
        left = np.concatenate([np.zeros(1, np.int64), np.cumsum(known)])
        indptr = left[batch.indptr - batch.indptr[0]]
        shape = (len(batch), len(self._features))
        # Their solvers take 32-bit indices only.
        parts = (batch.values[span][known].astype(np.float64), columns[known].astype(np.int32), indptr.astype(np.int32))
        rows = importlib.import_module("scipy.sparse").csr_matrix(parts, shape=shape)
        # A linear decision is a sum over the entries in order, whatever format the estimator was fitted on.
        if self._sparse or self._weights:
            return rows
        if shape[0] * shape[1] > _MOST_CELLS:
            raise InputError(
                f"{self.estimator} takes dense rows only, and {shape[0]:,} documents of {shape[1]:,} features are too "
                "many for that; take a smaller window, fewer terms, or another estimator"
            )
        return rows.toarray()

    def reasons(self, batch: Batch, row: int) -> Reasons | None:
        """Return the contribution of each feature if the decision is linear, else None."""
        if len(self._varied) and self._weights is None:
            return None
        document = single_document(batch, row)
        contributions, base = np.zeros((len(document.features), len(self.labels))), np.ones(len(self.labels))
        if self._weights is not None:
            known = np.isin(document.features, self._features)
            places = np.searchsorted(self._features, document.features[known])
            parts = self._weights[0][places] * document.values[known, None].astype(np.float64)
            contributions[np.ix_(known, self._varied)], base[self._varied] = parts, self._weights[1]
        return Reasons(document.features, self.labels, contributions, base)


class SklearnFamily:
    """Any classifier of scikit-learn, refitted on a window: ``refit:model=sklearn:LinearSVC,model.C=3``."""

    example = "LinearSVC"

    def members(self) -> list[str]:
        """Return the names of all classifiers that can be made from numbers and words."""
        return sorted(name for name, cls in _classes().items() if not _required(cls) and _can_be_made(cls))

    def parameters(self, name: str) -> dict[str, Parameter]:
        """Return the parameters of a classifier, and a seed."""
        cls = sklearn_class(name)
        if _required(cls):
            raise _around_another(name)
        defaults = cls().get_params(deep=False)
        seed = {"seed": Parameter("seed", 0, (int,))}
        return {key: Parameter.from_default(key, default) for key, default in defaults.items()} | seed

    def make(self, name: str, values: Mapping[str, Any]) -> SklearnModel:
        """Make a classifier."""
        return SklearnModel(name, **values)


SKLEARN = SklearnFamily()


def validated(made: Any, seed: int, **parameters: Any) -> tuple[Any, Any]:
    """Return an estimator with its seed, and its tags.

    A wrong parameter is refused now, and not some thousand documents later.
    """
    if "random_state" in made.get_params() and "random_state" not in parameters:
        made.set_params(random_state=seed & 0xFFFFFFFF)
    try:
        made._validate_params()
    except ValueError as error:
        name = type(made).__name__
        why = " ".join(str(error).split()).rstrip(".")
        raise InputError(f"{name} cannot be made: {why}; see `telex learners sklearn:{name}`") from error
    try:
        return made, sklearn_module("utils").get_tags(made)
    except AttributeError:
        raise _around_another(type(made).__name__) from None


def sklearn_module(module: str) -> Any:
    """Return a module of scikit-learn."""
    try:
        return importlib.import_module(f"sklearn.{module}")
    except ModuleNotFoundError as error:
        if error.name and error.name.partition(".")[0] == "sklearn":
            raise UsageError("scikit-learn is not installed; try pip install 'telex[sklearn]'") from None
        raise


@functools.cache
def _classes() -> dict[str, Any]:
    return dict(sklearn_module("utils").all_estimators(type_filter="classifier"))


def sklearn_class(name: str) -> Any:
    """Return a classifier of scikit-learn by its name."""
    classes = _classes()
    if name not in classes:
        raise UsageError(
            f"scikit-learn has no classifier {name!r}{did_you_mean(name, classes)}; `telex learners sklearn` lists them"
        )
    return classes[name]


def _required(cls: Any) -> bool:
    return any(one.default is one.empty for one in inspect.signature(cls).parameters.values())


def _can_be_made(cls: Any) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some warn that they are deprecated
        try:
            cls()._validate_params()
        except ValueError:
            return False
    return True


def _around_another(name: str) -> UsageError:
    return UsageError(f"{name} wraps another estimator, which only Python can give: SklearnModel({name}(...))")


def _answers(batch: Batch) -> tuple[Ids, Flags]:
    """Return the ids of the labels that some document has, and which document has which."""
    labels = batch.labels[int(batch.label_indptr[0]) : int(batch.label_indptr[-1])]
    present, columns = np.unique(labels, return_inverse=True)
    answers = np.zeros((len(batch), len(present)), np.bool_)
    answers[np.repeat(np.arange(len(batch)), np.diff(batch.label_indptr)), columns] = True
    return present, answers


def decision_of(one: Any, x: Any, labels: int) -> Reals:
    """Return an estimator's decision for each row and label, above 0 for yes."""
    if hasattr(one, "decision_function"):
        found = one.decision_function(x)
    elif hasattr(one, "predict_proba"):
        found = one.predict_proba(x)
        if isinstance(found, list):
            found = np.stack([label[:, 1] for label in found], axis=1)
        elif labels == 1 and found.shape[1] == 2:
            found = found[:, 1]
        found = found - 0.5
    else:
        found = one.predict(x) - 0.5
    return np.asarray(found, np.float64).reshape(x.shape[0], -1)


def _dense(weights: Any) -> Reals:
    found: Reals = np.atleast_2d(weights.toarray() if hasattr(weights, "toarray") else weights)
    return found

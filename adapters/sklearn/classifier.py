"""A learner of Telex as a classifier of scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from telex.adapters.sklearn.family import sklearn_module
from telex.learners import Batch, BatchBuilder, Learner, Names, Strings, registry
from telex.learners.base import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from telex.learners import Predictions
    from telex.learners.base import Flags, Reals

    class _Estimator:
        """What the classes of scikit-learn, which have no types, give to a classifier."""

        n_features_in_: int

        def __sklearn_tags__(self) -> Any: ...

    def available_if(check: Callable[[Any], bool]) -> Callable[[Any], Any]:
        """Have a method only where ``check`` says so."""
        ...
else:
    try:
        from sklearn.base import BaseEstimator, ClassifierMixin
        from sklearn.utils.metaestimators import available_if
    except ImportError as error:
        raise UsageError("scikit-learn is not installed; try pip install 'telex[sklearn]'") from error

    class _Estimator(ClassifierMixin, BaseEstimator):
        pass


_TINY = float(np.finfo(np.float32).tiny)


def _has_probabilities(model: StreamClassifier) -> bool:
    made = getattr(model, "learner_", None) or model._made()
    nothing = BatchBuilder(Names(), Names()).take()
    return made.scores(nothing).probabilities is not None


class StreamClassifier(_Estimator):
    """An online learner of Telex as a classifier of scikit-learn: for pipelines, grid searches and cross-validation.

    ``y`` is a matrix of labels (rows of 0 and 1), or has one class for each row. ``fit`` goes through the rows in their
    order, ``epochs`` times; ``partial_fit`` learns them once more. The sign of ``decision_function`` says which labels
    are predicted; its size is the learner's score. Of one class a row, the one with the best score is predicted.
    Learners with probabilities (``logistic``, or ``arow:probabilities=binned``) have ``predict_proba`` too.

    Parameters
    ----------
    learner
        A specification of an online learner, as ``telex learners`` lists them.
    epochs
        How often ``fit`` goes through the rows.
    bias
        Whether each row gets one more feature, of value 1.
    seed
        The seed of the learner, if its specification gives none.

    Examples
    --------
    >>> model = StreamClassifier("arow", epochs=2)
    >>> x, y = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([[1, 0], [0, 1], [1, 1]])
    >>> model.fit(x, y).predict(x).tolist()
    [[1, 0], [0, 1], [1, 1]]
    >>> model.fit(x[:2], ["sport", "trade"]).predict(x[:2]).tolist()
    ['sport', 'trade']
    """

    def __init__(self, learner: str = "arow", *, epochs: int = 5, bias: bool = True, seed: int = 0) -> None:
        self.learner, self.epochs, self.bias, self.seed = learner, epochs, bias, seed

    def fit(self, X: Any, y: Any) -> StreamClassifier:  # noqa: N803 - scikit-learn's name
        """Begin anew, and learn the rows ``epochs`` times."""
        if self.epochs < 1:
            raise UsageError(f"epochs must be at least 1, not {self.epochs}")
        x, y = self._validated(X, y, reset=True)
        self._begin(y, None)
        answers = self._answers(y)
        for _ in range(self.epochs):
            self._learn(x, answers)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> StreamClassifier:  # noqa: N803
        """Learn the rows once; the first call needs all ``classes`` if ``y`` has one for each row."""
        first = not hasattr(self, "classes_")
        x, y = self._validated(X, y, reset=first)
        if first:
            self._begin(y, classes)
        elif np.ndim(y) != 1 + self.multilabel_ or (self.multilabel_ and y.shape[1] != len(self.classes_)):
            before = f"a matrix of {len(self.classes_)} labels" if self.multilabel_ else "one class a row"
            now = f"a matrix of {y.shape[1]} labels" if np.ndim(y) == 2 else "one class a row"
            raise UsageError(f"y is {now}, and was {before} in the first call; give it in the same form")
        self._learn(x, self._answers(y))
        return self

    def decision_function(self, X: Any) -> Reals:  # noqa: N803
        """Return the score of each row and label, above 0 where the label is predicted; of two classes, a column."""
        scores, relevant = self._scores(X)
        if self.multilabel_:
            return np.where(relevant, np.maximum(scores, _TINY), np.minimum(scores, 0.0))
        if len(self.classes_) == 2:
            difference: Reals = scores[:, 1] - scores[:, 0]
            return difference
        return scores

    def predict(self, X: Any) -> Any:  # noqa: N803
        """Return a matrix of labels, or the class of each row."""
        scores, relevant = self._scores(X)
        if self.multilabel_:
            return relevant.astype(np.int64)
        if len(self.classes_) == 2:
            return self.classes_[(scores[:, 1] > scores[:, 0]).astype(int)]
        return self.classes_[scores.argmax(axis=1)]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Reals:  # noqa: N803
        """Return how probable each label is; of one class a row, those of a row add up to 1."""
        found = self._asked(X)
        probable = np.zeros((len(found), len(self.classes_)))
        known = len(found.labels)
        assert found.probabilities is not None
        probable[:, np.array(list(found.labels), np.intp)] = found.probabilities[:, :known]
        if self.multilabel_:
            return probable
        probable += _TINY  # where no class is probable at all, they are equally so
        shares: Reals = probable / probable.sum(axis=1, keepdims=True)
        return shares

    # -- inside

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.input_tags.sparse = True
        return tags

    def _validated(self, x: Any, y: Any, *, reset: bool) -> Any:
        checks = sklearn_module("utils.validation")
        x, y = checks.validate_data(self, x, y, reset=reset, accept_sparse="csr", multi_output=True, dtype=np.float32)
        sklearn_module("utils.multiclass").check_classification_targets(y)
        if np.ndim(y) == 2 and y.shape[1] == 1:
            y = checks.column_or_1d(y, warn=True)
        return x, y

    def _begin(self, y: Any, classes: Any) -> None:
        self.multilabel_ = np.ndim(y) == 2
        if self.multilabel_:
            self.classes_ = np.arange(y.shape[1])
        else:
            self.classes_ = np.unique(y if classes is None else classes)
        self.learner_ = self._made()
        self._features, self._labels = Names(range(self.n_features_in_ + 1)), Names(range(len(self.classes_)))

    def _made(self) -> Learner:
        made = registry.learner(self.learner, self.seed)
        if not isinstance(made, Learner):
            raise UsageError(f"{self.learner} learns a window at once, not a stream; choose another, such as arow")
        return made

    def _answers(self, y: Any) -> Flags:
        """Return which row has which label."""
        if self.multilabel_:
            found: Flags = np.asarray(y.toarray() if hasattr(y, "toarray") else y) > 0
            return found
        unknown = np.setdiff1d(y, self.classes_)
        if len(unknown):
            raise UsageError(
                f"{str(unknown[0])!r} is not among the classes; give partial_fit all of them in its first call"
            )
        own: Flags = np.asarray(y)[:, None] == self.classes_[None, :]
        return own

    def _learn(self, x: Any, answers: Flags) -> None:
        self.learner_.learn(self._batch(x, answers))

    def _scores(self, x: Any) -> tuple[Reals, Flags]:
        """Return the score of each row and class, and whether the learner predicts it."""
        found = self._asked(x)
        known = len(found.labels)
        own = np.where(np.isnan(found.scores[:, :known]), -np.inf, found.scores[:, :known].astype(np.float64))
        lowest = own.min(axis=1, initial=0.0) - 1.0
        scores: Reals = np.repeat(lowest[:, None], len(self.classes_), axis=1)
        relevant = np.zeros(scores.shape, np.bool_)
        places = np.array(list(found.labels), np.intp)
        scores[:, places], relevant[:, places] = own, found.relevant[:, :known]
        return scores, relevant

    def _asked(self, x: Any) -> Predictions:
        checks = sklearn_module("utils.validation")
        checks.check_is_fitted(self, "learner_")
        x = checks.validate_data(self, x, reset=False, accept_sparse="csr", dtype=np.float32)
        return self.learner_.scores(self._batch(x, None))

    def _batch(self, x: Any, answers: Flags | None) -> Batch:
        """Return rows as documents, zeros left out; the last feature is the bias."""
        rows = len(x) if isinstance(x, np.ndarray) else x.shape[0]
        if isinstance(x, np.ndarray):
            at, features = np.nonzero(x)
            values = x[at, features]
        else:
            whole = x.tocsr(copy=True)
            whole.sum_duplicates()
            whole.eliminate_zeros()
            at, features, values = np.repeat(np.arange(rows), np.diff(whole.indptr)), whole.indices, whole.data
        if self.bias:
            at, features = (
                np.concatenate([at, np.arange(rows)]),
                np.append(features, np.full(rows, self.n_features_in_)),
            )
            values, order = np.append(values, np.ones(rows)), np.argsort(at, kind="stable")
            at, features, values = at[order], features[order], values[order]
        labelled = np.zeros((rows, 0), np.bool_) if answers is None else answers
        return Batch(
            _offsets(np.bincount(at, minlength=rows)),
            features.astype(np.int32),
            values.astype(np.float32),
            _offsets(labelled.sum(axis=1)),
            np.nonzero(labelled)[1].astype(np.int32),
            np.full(rows, answers is not None),
            Strings.of(map(str, range(rows))),
            np.full(rows, np.nan),
            np.arange(rows, dtype=np.int64),
            self._features,
            self._labels,
        )


def _offsets(counts: Any) -> Any:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])

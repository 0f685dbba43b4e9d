"""Telex's learners as a classifier of scikit-learn, judged by scikit-learn's own checks."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_multilabel_classification
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler
from sklearn.utils.estimator_checks import check_estimator

from telex.adapters.sklearn import StreamClassifier
from telex.learners.base import UsageError

X, Y = make_multilabel_classification(n_samples=120, n_features=12, n_classes=4, random_state=3)


@pytest.mark.parametrize("learner", ["arow", "mmp", "nb", "logistic"])
def test_scikit_learn_finds_no_fault(learner):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = check_estimator(StreamClassifier(learner), on_fail=None, on_skip=None)
    failed = {one["check_name"]: one["exception"] for one in found if one["status"] not in {"passed", "skipped"}}
    skipped = {one["check_name"] for one in found if one["status"] == "skipped"}
    assert not failed
    without = set() if learner == "logistic" else {"check_classifiers_multilabel_output_format_predict_proba"}
    assert skipped <= {"check_array_api_input"} | without
    assert {"check_classifiers_multilabel_output_format_predict", "check_classifiers_train"} <= {
        one["check_name"] for one in found if one["status"] == "passed"
    }


def test_a_matrix_of_labels_comes_back():
    model = StreamClassifier("arow", epochs=20, seed=1).fit(X, Y)
    assert (model.predict(X) == Y).mean() > 0.75
    assert ((model.decision_function(X) > 0) == model.predict(X)).all()
    sparse = StreamClassifier("arow", epochs=20, seed=1).fit(sp.csr_matrix(X), sp.csr_matrix(Y))
    assert (sparse.predict(sp.coo_matrix(X)) == model.predict(X)).all()


def test_learners_with_probabilities_say_how_probable_labels_are():
    model = StreamClassifier("logistic", epochs=20).fit(X, Y)
    assert ((model.predict_proba(X) > 0.5) == model.predict(X)).all()
    classes = StreamClassifier("logistic", epochs=20).fit(X, Y.argmax(axis=1))
    assert np.allclose(classes.predict_proba(X).sum(axis=1), 1)
    assert (classes.predict_proba(X).argmax(axis=1) == classes.predict(X)).all()
    assert hasattr(StreamClassifier("arow:probabilities=binned"), "predict_proba")
    assert not hasattr(StreamClassifier("arow"), "predict_proba")


def test_parts_are_the_whole():
    whole = StreamClassifier("arow", epochs=1).fit(X, Y)
    parts = StreamClassifier("arow")
    for start in range(0, len(X), 50):
        parts.partial_fit(X[start : start + 50], Y[start : start + 50])
    assert (parts.decision_function(X) == whole.decision_function(X)).all()


def test_a_label_that_never_comes_is_never_predicted():
    y = Y.copy()
    y[:, 2] = 0
    model = StreamClassifier().fit(X, y)
    assert not model.predict(X)[:, 2].any()
    assert (model.decision_function(X)[:, 2] <= 0).all()


def test_it_is_searched_and_piped():
    model = make_pipeline(MaxAbsScaler(), StreamClassifier())
    search = GridSearchCV(model, {"streamclassifier__epochs": [1, 3]}, cv=2, scoring="f1_micro")
    assert search.fit(X, Y).best_score_ > 0.4


def test_one_class_a_row():
    kinds = np.array(["a", "b", "c"])[Y[:, :2].sum(axis=1)]
    model = StreamClassifier(epochs=10)
    model.partial_fit(X[:5], kinds[:5], classes=["a", "b", "c"])
    for _ in range(10):
        model.partial_fit(X, kinds)
    assert (model.predict(X) == kinds).mean() > np.unique(kinds, return_counts=True)[1].max() / len(X)
    with pytest.raises(UsageError, match="'d' is not among the classes"):
        model.partial_fit(X[:1], ["d"])


@pytest.mark.filterwarnings("ignore:overflow encountered in cast:RuntimeWarning")
def test_values_that_no_float32_holds_are_refused():
    with pytest.raises(ValueError, match="infinity or a value too large for dtype"):
        StreamClassifier("mmp").fit([[1e39, 0], [0, 1]], ["a", "b"])
    model = StreamClassifier("mmp").fit([[1.0, 0], [0, 1]], ["a", "b"])
    with pytest.raises(ValueError, match="infinity or a value too large for dtype"):
        model.predict([[1e39, 0]])


def test_further_answers_have_the_form_of_the_first():
    x, one, two = np.eye(2), ["a", "b"], np.eye(2, dtype=int)
    matrix = StreamClassifier("mmp").partial_fit(x, two)
    with pytest.raises(UsageError, match="y is one class a row, and was a matrix of 2 labels in the first call"):
        matrix.partial_fit(x, one)
    with pytest.raises(UsageError, match="y is a matrix of 3 labels, and was a matrix of 2 labels"):
        matrix.partial_fit(x, np.array([[1, 0, 1], [0, 1, 1]]))
    classes = StreamClassifier("mmp").partial_fit(x, one, classes=one)
    with pytest.raises(UsageError, match="y is a matrix of 2 labels, and was one class a row"):
        classes.partial_fit(x, two)


def test_wrong_settings():
    with pytest.raises(UsageError, match="epochs must be at least 1"):
        StreamClassifier(epochs=0).fit(X, Y)
    with pytest.raises(UsageError, match="mpboost learns a window at once"):
        StreamClassifier("mpboost").fit(X, Y)

"""Classifiers of scikit-learn, compared with scikit-learn itself."""

import pickle
import sys
from dataclasses import replace

import numpy as np
import pytest
import scipy.sparse as sp
from batch_models.following import positive_batch
from oracles import streams
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from telex.adapters.sklearn.family import SKLEARN, SklearnModel
from telex.learners import BatchBuilder, BatchLearner, Events, Forget, Names
from telex.learners.base import InputError, UsageError
from telex.stream import Refit


@pytest.fixture(scope="module")
def stream():
    return positive_batch(streams.zipf(3, labels=6, unlabelled=0.2))


def rows_of(batch, columns):
    """The batch as compressed rows over the feature ids `columns`, by way of dicts."""
    place = {f: k for k, f in enumerate(columns)}
    x = sp.lil_matrix((len(batch), len(columns)))
    for row in range(len(batch)):
        for i in range(batch.indptr[row], batch.indptr[row + 1]):
            if int(batch.features[i]) in place:
                x[row, place[int(batch.features[i])]] = float(batch.values[i])
    return x.tocsr()


def by_hand(fitting, window, ask):
    """{label: decisions} of the documents `ask`: one estimator a label, fitted on the documents `window`."""
    features = sorted({int(f) for f in window.features[window.indptr[0] : window.indptr[-1]]})
    x, asked = rows_of(window, features), rows_of(ask, features)
    truth = [window.labels_of(row) for row in range(len(window))]
    found = {}
    for label in sorted({c for labels in truth for c in labels}):
        y = [int(label in labels) for labels in truth]
        found[label] = fitting(x, y, asked)
    return found


def decisions(estimator):
    return lambda x, y, asked: estimator.fit(x, y).decision_function(asked)


def odds(estimator):
    return lambda x, y, asked: estimator.fit(x, y).predict_proba(asked)[:, 1] - 0.5


def labelled(batch):
    return np.flatnonzero(batch.labelled)


def picked(batch, rows):
    return batch.take(np.asarray(rows, np.int32))


@pytest.mark.parametrize(
    ("name", "parameters", "judge"),
    [
        ("LinearSVC", {"C": 0.5}, decisions(LinearSVC(C=0.5, random_state=3))),
        ("LogisticRegression", {}, decisions(LogisticRegression(random_state=3))),
        ("SVC", {"kernel": "rbf"}, decisions(SVC(random_state=3))),
        ("MultinomialNB", {"alpha": 0.1}, odds(MultinomialNB(alpha=0.1))),
    ],
)
def test_a_refit_is_fitting_by_hand_on_the_same_windows(stream, name, parameters, judge):
    model = Refit(SklearnModel(name, seed=3, **parameters), every=60, window=90)
    predictions = model.progress(Events(stream))
    answered = labelled(stream)
    ends = answered[59::60]
    assert len(ends) == 3
    for k, end in enumerate(ends):
        window = picked(stream, answered[max(0, 60 * (k + 1) - 90) : 60 * (k + 1)])
        ask = np.arange(end + 1, min(end + 41, len(stream)))
        expected = by_hand(judge, window, picked(stream, ask))
        for label, scores in expected.items():
            column = model.labels.get(label)
            np.testing.assert_allclose(predictions.scores[ask, column], scores, rtol=1e-5, atol=1e-6)
            assert (predictions.relevant[ask, column] == (scores > 0)).all()
    assert model.state.refits == 3


@pytest.mark.parametrize(
    ("estimator", "judge"),
    [
        (RidgeClassifier(alpha=0.3), lambda e, x: e.decision_function(x)),
        (KNeighborsClassifier(3), lambda e, x: np.stack([p[:, 1] for p in e.predict_proba(x)], 1) - 0.5),
        (MLPClassifier((5,), max_iter=20), lambda e, x: e.predict_proba(x) - 0.5),
        (
            RandomForestClassifier(5, n_jobs=2),
            lambda e, x: np.stack([p[:, 1] for p in e.predict_proba(x)], 1) - 0.5,
        ),
    ],
    ids=lambda one: type(one).__name__,
)
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer")
def test_an_estimator_of_many_labels_is_given_them_all(stream, estimator, judge):
    parameters = {key: value for key, value in estimator.get_params().items() if key != "random_state"}
    model = SklearnModel(type(estimator).__name__, **parameters)
    batch = picked(stream, labelled(stream))
    window, ask = batch.rows(0, 150), batch.rows(150, len(batch))
    model.fit(window)
    features = np.unique(window.features[: window.indptr[-1]])
    truth = np.array([[c in window.labels_of(row) for c in model.labels] for row in range(150)], int)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=0)
    expected = judge(estimator.fit(rows_of(window, features.tolist()), truth), rows_of(ask, features.tolist()))
    found = model.scores(ask)
    np.testing.assert_allclose(found.scores, expected, rtol=1e-5, atol=1e-6)
    assert (found.relevant == (expected > 0)).all()


def test_without_odds_the_prediction_counts(stream):
    batch = picked(stream, labelled(stream))
    model = SklearnModel(MultiOutputClassifier(LinearSVC(C=10.0), n_jobs=None))
    assert isinstance(model, BatchLearner)
    model.fit(batch)
    assert set(np.unique(model.scores(batch).scores)) == {-0.5, 0.5}
    truth = np.array([[c in batch.labels_of(row) for c in model.labels] for row in range(len(batch))])
    features = np.unique(batch.features).tolist()
    expected = MultiOutputClassifier(LinearSVC(C=10.0, random_state=0)).fit(rows_of(batch, features), truth)
    agreeing = model.scores(batch).relevant == expected.predict(rows_of(batch, features))
    assert agreeing.mean() > 0.99


def test_an_estimator_around_another_with_odds(stream):
    batch = picked(stream, labelled(stream))
    for k in (1, 6):  # one label, and all
        tree = DecisionTreeClassifier(max_depth=3, random_state=0)
        model = SklearnModel(MultiOutputClassifier(tree))
        few = BatchBuilder()
        names = sorted(batch.label_names)[:k]
        for row in range(len(batch)):
            span = slice(batch.indptr[row], batch.indptr[row + 1])
            x = dict(zip(batch.features[span].tolist(), batch.values[span].tolist(), strict=True))
            few.add(x, [c for c in batch.labels_of(row) if c in names])
        window = few.take()
        model.fit(window)
        x = rows_of(window, np.unique(window.features).tolist())
        for c in names:
            y = [int(c in window.labels_of(row)) for row in range(len(window))]
            expected = tree.fit(x, y).predict_proba(x)[:, 1] - 0.5
            np.testing.assert_allclose(model.scores(window).scores[:, model.labels.get(c)], expected, rtol=1e-6)


NAMES = [
    ("LinearSVC", {}),
    ("RidgeClassifier", {}),
    ("SGDClassifier", {}),
    ("SVC", {}),
    ("SVC", {"kernel": "linear"}),
    ("MultinomialNB", {}),
    ("ComplementNB", {}),
    ("BernoulliNB", {}),
    ("GaussianNB", {}),
    ("DecisionTreeClassifier", {}),
    ("RandomForestClassifier", {"n_estimators": 5}),
    ("AdaBoostClassifier", {"n_estimators": 3}),
    ("KNeighborsClassifier", {}),
    ("MLPClassifier", {"hidden_layer_sizes": 7, "max_iter": 5}),
    ("LinearDiscriminantAnalysis", {}),
    ("NearestCentroid", {}),
    ("DummyClassifier", {}),
    ("HistGradientBoostingClassifier", {"max_iter": 3}),
]


@pytest.mark.parametrize(("name", "parameters"), NAMES, ids=lambda one: one if isinstance(one, str) else "")
@pytest.mark.filterwarnings("ignore:Stochastic Optimizer", "ignore:Variables are collinear", "ignore:self-centroid")
@pytest.mark.filterwarnings("ignore:.*encountered in")
def test_other_rows_change_no_bit(stream, name, parameters):
    batch = picked(stream, labelled(stream))
    model, again = (SklearnModel(name, seed=5, **parameters) for _ in range(2))
    model.fit(batch.rows(0, 150))
    again.fit(batch.rows(0, 150))
    batch = batch.rows(130, 190)
    whole = model.scores(batch).scores
    assert np.isfinite(whole).all()
    for size in (1, 7, 32):
        parts = [model.scores(batch.rows(i, min(i + size, len(batch)))).scores for i in range(0, len(batch), size)]
        assert np.concatenate(parts).tobytes() == whole.tobytes()
    assert again.scores(batch).scores.tobytes() == whole.tobytes()
    assert pickle.loads(pickle.dumps(model)).scores(batch).scores.tobytes() == whole.tobytes()


@pytest.mark.parametrize("name", ["LinearSVC", "RidgeClassifier", "MultinomialNB", "KNeighborsClassifier"])
def test_labels_that_all_have_and_one_label_and_none(name):
    def fitted(*answers):
        builder = BatchBuilder()
        for i, labels in enumerate(answers):
            builder.add({"x": float(i % 2 + 1), f"t{i % 2}": 1.0}, labels)
        batch = builder.take()
        model = SklearnModel(name, **({"n_neighbors": 1} if name == "KNeighborsClassifier" else {}))
        model.fit(batch)
        found = model.scores(batch)
        return list(model.labels), found.scores.tolist(), [found.set_of(k) for k in range(len(found))]

    assert fitted(["all"], ["all"]) == (["all"], [[1.0], [1.0]], [["all"], ["all"]])
    assert fitted([], []) == ([], [[], []], [[], []])
    labels, scores, sets = fitted(["all"], ["all", "odd"], ["all"], ["all", "odd"])
    assert labels == ["all", "odd"]
    assert [row[0] for row in scores] == [1.0] * 4
    assert sets == [["all"], ["all", "odd"]] * 2


def test_features_it_has_not_fitted_count_for_nothing():
    builder = BatchBuilder()
    for i in range(8):
        builder.add({f"t{i % 2}": 1.0}, [f"c{i % 2}"])
    model = SklearnModel("LinearSVC")
    model.fit(builder.take())
    builder.add({"t1": 1.0}, None)
    builder.add({"t1": 1.0, "new": 100.0}, None)
    builder.add({"new": 1.0}, None)
    scores = model.scores(builder.take()).scores
    assert scores[0].tolist() == scores[1].tolist() != scores[2].tolist()


def test_dense_rows_are_bounded(stream, monkeypatch):
    monkeypatch.setattr("telex.adapters.sklearn.family._MOST_CELLS", 1000)
    model = SklearnModel("GaussianNB")
    with pytest.raises(InputError, match="GaussianNB takes dense rows only, and 300 documents of 60 features are too"):
        model.fit(stream)


def test_the_seed():
    assert SklearnModel("SGDClassifier", seed=7)._new.random_state == 7
    assert SklearnModel("SGDClassifier", seed=-1)._new.random_state == 2**32 - 1
    assert SklearnModel("SGDClassifier", seed=7, random_state=3)._new.random_state == 3
    assert "random_state" not in SklearnModel("MultinomialNB", seed=7)._new.get_params()
    assert repr(SklearnModel("LinearSVC", C=2.0)) == "SklearnModel('LinearSVC', seed=0, C=2.0)"


def test_errors_name_what_is_wrong_at_once():
    with pytest.raises(UsageError, match=r"no classifier 'LinearSVCC' \(did you mean 'LinearSVC'\?\)"):
        SklearnModel("LinearSVCC")
    with pytest.raises(ValueError, match="The 'C' parameter of LinearSVC must be"):
        SklearnModel("LinearSVC", C=-1.0)
    with pytest.raises(UsageError, match="MultiOutputClassifier wraps another estimator"):
        SKLEARN.parameters("MultiOutputClassifier")


def test_without_scikit_learn(monkeypatch):
    monkeypatch.setattr("telex.adapters.sklearn.family._classes", dict)
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(UsageError, match=r"scikit-learn is not installed; try pip install 'telex\[sklearn\]'"):
        SklearnModel(object())


def test_members_can_be_made():
    names = SKLEARN.members()
    assert {"LinearSVC", "RidgeClassifier", "KNeighborsClassifier"} <= set(names)
    assert "OneVsRestClassifier" not in names
    known = SKLEARN.parameters("LinearSVC")
    assert [known["C"].read("3"), known["dual"].read("auto"), known["dual"].read("true")] == [3.0, "auto", True]
    assert [known["max_iter"].read("5"), known["class_weight"].read("none")] == [5, None]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("LinearSVC", {}),
        ("LinearSVC", {"C": 3, "seed": 7}),
        ("SGDClassifier", {"seed": 3}),
        ("DecisionTreeClassifier", {"seed": 3}),
        ("RandomForestClassifier", {"n_estimators": 5}),
        ("MultinomialNB", {}),
        ("GaussianNB", {}),
        ("RidgeClassifier", {}),
        ("KNeighborsClassifier", {"n_neighbors": 3}),
        ("MLPClassifier", {"max_iter": 5, "hidden_layer_sizes": (4,)}),
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_in_a_checkpoint_it_is_what_it_was_fitted_on(stream, name, parameters):
    """Fitted again at load, with the same bits; and so the stream continues."""
    whole, first, second = (Refit(SklearnModel(name, **parameters), every=60, window=80) for _ in range(3))
    expected = whole.progress(Events(stream))
    first.progress(Events(stream.rows(0, 110)))
    state = first.save()
    second.load({key: dict(value) if isinstance(value, dict) else value for key, value in state.items()})
    anew = replace(stream.rows(110, 300), feature_names=Names(stream.feature_names))
    found = second.progress(Events(anew))
    assert whole.state.refits == second.state.refits == 3
    width = len(whole.labels)
    assert found.scores[:, :width].tobytes() == expected.scores[110:, :width].tobytes()
    assert (found.relevant[:, :width] == expected.relevant[110:, :width]).all()
    assert second.state.failures == 0


def test_linear_models_say_what_speaks_for_a_label_and_others_do_not(stream):
    batch = stream.take(np.flatnonzero(stream.labelled).astype(np.int32))
    for name in ("LinearSVC", "RidgeClassifier"):
        model = SklearnModel(name)
        model.fit(batch)
        scores = model.scores(batch)
        for row in range(5):
            found = model.reasons(batch, row)
            sums = found.contributions.sum(axis=0) + found.base
            assert np.allclose(sums, scores.scores[row, : len(sums)], atol=1e-4), (name, row)
    model = SklearnModel("KNeighborsClassifier")
    model.fit(batch)
    assert model.reasons(batch, 0) is None


def test_a_refitted_model_says_what_it_says_of_features_that_are_still_what_they_were(stream):
    learner = Refit(SklearnModel("LinearSVC"), every=100, window=80)
    learner.progress(Events(replace(stream, forget=Forget(np.full(3, 150, np.int32), np.arange(3, dtype=np.int32)))))
    scores = learner.scores(stream)
    for row in range(0, 200, 9):
        found = learner.reasons(stream, row)
        assert np.allclose(found.contributions.sum(axis=0) + found.base, scores.scores[row], atol=1e-4)

"""Classifiers of scikit-learn that learn a stream, compared with ``partial_fit`` by hand."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from batch_models.following import forgetting, positive_batch, through_json, told
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import streams
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.neural_network import MLPClassifier

import telex
from telex.adapters.sklearn import SKLEARN_ONLINE, SklearnOnline
from telex.learners import Events, Learner, registry
from telex.learners.base import InputError, UsageError

KINDS = [
    SGDClassifier(loss="log_loss", random_state=3),
    Perceptron(),
    MultinomialNB(),
    ComplementNB(),
    BernoulliNB(),
    GaussianNB(),
]
LEAVING = {"every": 5, "count": 2, "features": 40}
SMALL = {"batch": 8, "width": 40}  # fewer columns than features


@pytest.fixture
def stream():
    return positive_batch(streams.zipf(3, documents=100, labels=5, unlabelled=0.2))


def decided(model, x):
    found = model.decision_function(x) if hasattr(model, "decision_function") else model.predict_proba(x)[:, 1] - 0.5
    return float(found[0])


def row_of(features, columns, width, dense):
    x = sp.lil_matrix((1, width))
    for name, value in features.items():
        if name in columns:
            x[0, columns[name] % width] += value
    return x.toarray() if dense else x.tocsr()


def by_hand(estimator, batch, size, width):
    """{label: score} for each document: one estimator a label, taught `size` documents at a time."""
    labels, models, gathered, said, columns = [], [], [], [], {}
    dense = isinstance(estimator, GaussianNB)
    for row in range(len(batch)):
        span = slice(batch.indptr[row], batch.indptr[row + 1])
        names = [batch.feature_names[i] for i in batch.features[span].tolist()]
        features = dict(zip(names, batch.values[span].tolist(), strict=True))
        x = row_of(features, columns, width, dense)
        said.append({label: decided(model, x) for label, model in zip(labels, models, strict=False)})
        if not batch.labelled[row]:
            continue
        for name in names:
            columns.setdefault(name, len(columns))
        labels += [label for label in batch.labels_of(row) if label not in labels]
        gathered.append((row_of(features, columns, width, dense), batch.labels_of(row)))
        if len(gathered) == size:
            models += [type(estimator)(**estimator.get_params()) for _ in range(len(labels) - len(models))]
            rows = (np.vstack if dense else sp.vstack)([x for x, _ in gathered])
            for label, model in zip(labels, models, strict=True):
                model.partial_fit(rows, [int(label in y) for _, y in gathered], classes=[0, 1])
            gathered = []
    return said


@pytest.mark.parametrize("estimator", KINDS, ids=lambda one: type(one).__name__)
def test_it_is_partial_fit_by_hand(stream, estimator):
    model = SklearnOnline(estimator, **SMALL)
    assert isinstance(model, Learner)
    predictions = model.progress(Events(stream))
    for k, expected in enumerate(by_hand(estimator, stream, SMALL["batch"], SMALL["width"])):
        scores = dict(predictions.ranking(k))
        assert {label: scores[label] for label in expected} == pytest.approx(expected, rel=1e-5, abs=1e-6)
        assert all(score == 0 for label, score in scores.items() if label not in expected)
        assert set(predictions.set_of(k)) == {label for label, score in scores.items() if score > 0}


def test_batches_of_the_stream_do_not_matter(stream):
    stream = forgetting(stream, **LEAVING)
    said = []
    for size in (1, 7, len(stream)):
        model = SklearnOnline("Perceptron", **SMALL)
        parts = [stream.rows(i, min(i + size, len(stream))) for i in range(0, len(stream), size)]
        said.append([one for part in parts for one in told(model.progress(Events(part)))])
    assert said[0] == said[1] == said[2]


@settings(max_examples=8)
@given(kind=st.sampled_from(KINDS), cut=st.integers(0, 60))
def test_it_continues_as_if_undisturbed(kind, cut):
    stream = positive_batch(streams.zipf(4, documents=60, labels=4))
    whole, first, second = (SklearnOnline(kind, **SMALL) for _ in range(3))
    expected = told(whole.progress(Events(stream)))
    before = told(first.progress(Events(stream.rows(0, cut))))
    second.load(through_json(first.save()))
    assert before + told(second.progress(Events(stream.rows(cut, 60)))) == expected


def test_what_a_checkpoint_cannot_store_is_said_before(stream):
    for estimator in KINDS:
        SklearnOnline(estimator).check_savable()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        network = SklearnOnline(MLPClassifier(hidden_layer_sizes=2, random_state=0))
        with pytest.raises(UsageError, match="MLPClassifier of scikit-learn holds more than arrays and numbers"):
            network.check_savable()


def test_linear_classifiers_say_what_speaks_for_a_label(stream):
    model = SklearnOnline("Perceptron", batch=8, width=4096)
    model.learn(stream)
    row = int(np.argmax(np.diff(stream.indptr)))
    found, scores = model.reasons(stream, row), model.scores(stream)
    assert found.contributions.sum(axis=0) + found.base == pytest.approx(scores.scores[row], abs=1e-4)
    assert SklearnOnline("MultinomialNB").reasons(stream, 0) is None
    assert model.finite


def test_a_seed_makes_it_the_same_again():
    made = [SKLEARN_ONLINE.make("SGDClassifier", {"seed": seed})._new.random_state for seed in (3, 4)]
    assert made == [3, 4]
    assert SklearnOnline(SGDClassifier(random_state=7), seed=3)._new.random_state == 7


def test_by_name(tmp_path):
    model = registry.learner("sklearn-online:SGDClassifier:alpha=0.01,batch=4,width=128", seed=5)
    assert (model.batch, model.width, model._new.alpha, model._new.random_state) == (4, 128, 0.01, 5)
    assert {"SGDClassifier", "Perceptron", "MultinomialNB"} <= set(SKLEARN_ONLINE.members())
    rows = [{"text": "gold falls", "labels": ["metals"]}, {"text": "cup final", "labels": ["sport"]}] * 20
    run = telex.replay(rows, ["sklearn-online:Perceptron:batch=4"], run=tmp_path / "run").finish()
    assert run.predict("gold").labels == ["metals"]
    assert telex.Results(tmp_path / "run").predict("cup").labels == ["sport"]


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("sklearn-online:LinearSVC", "no partial_fit.*try refit:model=sklearn:LinearSVC,every=5000"),
        ("sklearn-online:SGDClasifier", "did you mean 'SGDClassifier'"),
        ("sklearn-online:Perceptron:batch=0", "batch and width must be at least 1, not 0"),
        ("sklearn-online:SGDClassifier:alpha=-1", "cannot be made: The 'alpha' parameter"),
    ],
)
def test_wrong_names(spec, reason):
    with pytest.raises(UsageError, match=reason):
        registry.learner(spec)


def test_an_estimator_that_fails_is_named(stream):
    class Fails(Perceptron):
        def partial_fit(self, x, y, classes=None):
            raise ZeroDivisionError("zero")

    with pytest.raises(InputError, match=r"Fails of scikit-learn cannot learn the documents up to .*zero"):
        SklearnOnline(Fails(), batch=4).learn(stream)
    with pytest.raises(UsageError, match="LinearSVC has no partial_fit"):
        SklearnOnline("LinearSVC")

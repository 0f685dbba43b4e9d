"""Classifiers of river, held against river itself."""

import dataclasses

import numpy as np
import pytest
from oracles import streams
from river import base, dummy, linear_model, multioutput, naive_bayes, tree
from river.linear_model import PAClassifier

from telex.adapters.river_models import RIVER, RiverLearner
from telex.learners import MMP, BatchBuilder, Events, Forget, Learner, Names
from telex.learners.errors import InputError, UsageError
from telex.stream import Run


def batch_of(stream):
    builder = BatchBuilder()
    for x, y in stream:
        builder.add({name: abs(value) for name, value in x.items()}, y)
    return builder.take()


@pytest.fixture
def stream():
    return batch_of(streams.zipf(3, documents=120, labels=6, unlabelled=0.2))


def told(predictions):
    names = list(predictions.labels)
    return [
        {names[c]: (float(p.scores[k, c]), bool(p.relevant[k, c])) for c in range(p.known[k])}
        for p in [predictions]
        for k in range(len(p))
    ]


def by_hand(make, batch):
    """One estimator a label, told and asked by hand."""
    models, said = {}, []
    for row in range(len(batch)):
        span = slice(batch.indptr[row], batch.indptr[row + 1])
        names = [batch.feature_names[i] for i in batch.features[span]]
        x = dict(zip(names, batch.values[span].tolist(), strict=True))
        found = {}
        for label, model in models.items():
            yes = bool(model.predict_one(x))
            try:
                score = model.predict_proba_one(x).get(True, 0.0)
            except NotImplementedError:
                score = float(yes)
            found[label] = (float(np.float32(score)), yes)
        said.append(found)
        if batch.labelled[row]:
            labels = batch.labels_of(row)
            models |= {c: make() for c in labels if c not in models}
            for label, model in models.items():
                model.learn_one(x, label in labels)
    return said


class Contrary(base.Classifier):
    """Says the opposite of what it heard last, without odds."""

    def __init__(self):
        self.last = False

    def learn_one(self, x, y):
        self.last = y

    def predict_one(self, x):
        return not self.last


@pytest.mark.parametrize(
    "make",
    [
        lambda: PAClassifier(C=0.1),
        linear_model.Perceptron,
        naive_bayes.MultinomialNB,
        lambda: tree.HoeffdingTreeClassifier(grace_period=10),
        dummy.NoChangeClassifier,
        Contrary,
    ],
    ids=lambda make: make().__class__.__name__,
)
def test_it_is_river_by_hand(stream, make):
    assert told(RiverLearner(make()).progress(Events(stream))) == by_hand(make, stream)


def test_batches_do_not_matter(stream):
    rows = np.repeat(np.arange(0, len(stream), 5, dtype=np.int32), 2)
    stream = dataclasses.replace(stream, forget=Forget(rows, (np.arange(len(rows)) * 7 % 40).astype(np.int32)))
    said = []
    for size in (1, 7, len(stream)):
        model = RiverLearner(PAClassifier())
        parts = [stream.rows(i, min(i + size, len(stream))) for i in range(0, len(stream), size)]
        said.append([one for part in parts for one in told(model.progress(Events(part)))])
    assert said[0] == said[1] == said[2]


def test_a_forgotten_feature_is_as_one_never_met():
    builder = BatchBuilder(Names(["gold", "wheat"]))
    for x in ({"gold": 1.0}, {"wheat": 1.0}, {"gold": 1.0}, {"gold": 1.0}):
        builder.add(x, ["a"] if "gold" in x else ["b"])
    batch = builder.take()
    batch.feature_names.replace(0, "copper")  # as a vocabulary that reads ahead does: it is named so from row 2 on
    batch = dataclasses.replace(batch, forget=Forget(np.array([2], np.int32), np.array([0], np.int32)))
    others = BatchBuilder()
    for x in ({"gold": 1.0}, {"wheat": 1.0}, {"copper": 1.0}, {"copper": 1.0}):
        others.add(x, ["b"] if "wheat" in x else ["a"])
    expected = told(RiverLearner(PAClassifier()).progress(Events(others.take())))
    assert told(RiverLearner(PAClassifier()).progress(Events(batch))) == expected
    apart = RiverLearner(PAClassifier())
    assert [told(apart.progress(Events(batch.rows(i, i + 1))))[0] for i in range(4)] == expected
    # the term that left and comes back under a new id is new, too
    back = BatchBuilder(batch.feature_names, batch.label_names, 4)
    back.add({"gold": 1.0}, None)
    back.add({"unknown": 1.0}, None)
    first, second = told(apart.progress(Events(back.take())))
    assert first == second


def test_answers_come_when_they_come(stream):
    steps = np.array([0, 1, ~1, 2, ~0, 3, ~5], np.int32)
    whole, single = RiverLearner(PAClassifier()), RiverLearner(PAClassifier())
    apart = [one for s in steps for one in told(single.progress(Events(stream, np.array([s], np.int32))))]
    assert told(whole.progress(Events(stream, steps))) == apart
    with pytest.raises(InputError, match="a step names a row outside"):
        whole.progress(Events(stream, np.array([~120], np.int32)))


class Seen(base.MultiLabelClassifier):
    """Remembers the labels that the last document had, and those that it was told of."""

    def __init__(self):
        self.last = {}

    def learn_one(self, x, y):
        self.last = dict(y)

    def predict_one(self, x):
        return self.last


def test_a_classifier_of_many_labels_is_taken_as_it_is():
    builder = BatchBuilder()
    for labels in (["a"], ["b"], ["a", "b"], []):
        builder.add({"x": 1.0}, labels)
    batch = builder.take()
    no, yes = (0.0, False), (1.0, True)
    assert told(RiverLearner(Seen()).progress(Events(batch))) == [
        {},
        {"a": yes},
        {"a": no, "b": yes},
        {"a": yes, "b": yes},
    ]
    mine, own = RiverLearner(MMP()), MMP()
    found, expected = mine.progress(Events(batch)), own.progress(Events(batch))
    assert [found.set_of(k) for k in range(4)] == [expected.set_of(k) for k in range(4)]


def test_a_chain_of_river(stream):
    chain = multioutput.PerOutputClassifier(linear_model.LogisticRegression())
    model = RiverLearner(chain)
    said = told(model.progress(Events(stream)))
    assert set(said[-1]) == set(model.labels)
    assert any(yes for found in said for _, yes in found.values())


def test_it_runs_beside_the_others(stream):
    model = RiverLearner(PAClassifier())
    assert isinstance(model, Learner)
    run = Run([stream], {"pa": model, "mmp": MMP()}, test_after="n:90")
    last = list(run)[-1].learners
    assert last["pa"]["oneerr"] < 0.9
    assert run.summary()["test"]["pa"]["docs"] > 0


def test_learning_and_scoring(stream):
    one, other = RiverLearner(PAClassifier()), RiverLearner(PAClassifier())
    one.learn(stream)
    other.progress(Events(stream))
    assert told(one.scores(stream)) == told(other.scores(stream)) == told(one.scores(stream))
    forgetting = dataclasses.replace(stream, forget=Forget(np.zeros(1, np.int32), np.zeros(1, np.int32)))
    with pytest.raises(InputError, match="scores changes no learner"):
        one.scores(forgetting)


def test_names():
    assert {"linear_model.PAClassifier", "tree.HoeffdingTreeClassifier"} <= set(RIVER.members())
    assert "multioutput.ClassifierChain" not in RIVER.members()
    assert RIVER.make("forest.ARFClassifier", {"seed": 5}).estimator.seed == 5
    assert RIVER.make("linear_model.PAClassifier", {"seed": 5, "C": 0.5}).seed == 5
    for name in RIVER.members():
        assert "seed" in RIVER.parameters(name), name
    with pytest.raises(UsageError, match=r"no classifier 'PAClassifier' .*did you mean 'linear_model.PAClassifier'"):
        RIVER.parameters("PAClassifier")
    with pytest.raises(UsageError, match="LinearRegression of river is no classifier"):
        RiverLearner(linear_model.LinearRegression())

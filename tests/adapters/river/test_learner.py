"""Classifiers of river as learners, compared with river itself."""

import dataclasses

import numpy as np
import pytest
from batch_models.following import forgetting, met_anew, positive_batch, through_json, told
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import streams
from river import base, dummy, linear_model, multioutput, naive_bayes, neighbors, tree
from river.linear_model import PAClassifier

from telex.adapters.river.family import RIVER, RiverLearner
from telex.learners import MMP, BatchBuilder, Events, Forget, Learner, Names
from telex.learners.base import InputError, UsageError
from telex.stream import Run

LEAVING = {"every": 5, "count": 2, "features": 40}


@pytest.fixture
def stream():
    return positive_batch(streams.zipf(3, documents=120, labels=6, unlabelled=0.2))


def by_hand(make, batch):
    """One estimator a label, taught and asked by hand."""
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
    stream = forgetting(stream, **LEAVING)
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
    """Remembers the labels of the last document, and those that it was given."""

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


# -- checkpoints


def restored(model, make):
    other = RiverLearner(make())
    other.load(through_json(model.save()))
    return other


MAKES = [
    lambda: PAClassifier(C=0.1),
    naive_bayes.ComplementNB,
    lambda: tree.HoeffdingTreeClassifier(grace_period=10),
    lambda: multioutput.PerOutputClassifier(linear_model.LogisticRegression()),
]


@pytest.mark.parametrize("make", MAKES, ids=lambda make: make().__class__.__name__)
@settings(max_examples=8)
@given(cut=st.integers(0, 60), step=st.integers(1, 30), forget=st.booleans())
def test_it_continues_as_if_undisturbed(make, cut, step, forget):
    stream = positive_batch(streams.zipf(3, documents=60, labels=6, unlabelled=0.2))
    stream = forgetting(stream, **LEAVING) if forget else stream
    whole = RiverLearner(make())
    expected = told(whole.progress(Events(stream)))
    model = RiverLearner(make())
    said = told(model.progress(Events(stream.rows(0, cut))))
    model = restored(model, make)
    rest = met_anew(stream)
    for start in range(cut, len(rest), step):
        said += told(model.progress(Events(rest.rows(start, min(start + step, len(rest))))))
    assert said == expected
    assert list(model.labels) == list(whole.labels)


def test_a_key_survives_the_name_that_its_id_has_been_given_since():
    builder = BatchBuilder(Names(["gold", "wheat"]))
    for x in ({"gold": 1.0}, {"wheat": 1.0}, {"gold": 1.0}, {"gold": 1.0}, {"wheat": 1.0}):
        builder.add(x, ["a"] if "gold" in x else ["b"])
    batch = builder.take()
    first, rest = batch.rows(0, 2), batch.rows(2, 5)
    whole, model = RiverLearner(PAClassifier()), RiverLearner(PAClassifier())
    expected = told(whole.progress(Events(first))) + told(whole.progress(Events(rest)))
    said = told(model.progress(Events(first)))
    other = restored(model, PAClassifier)
    # the restored source has read on: an id is called otherwise from a later row on, of which these are not
    names = Names(batch.feature_names)
    names.replace(0, "copper")
    assert said + told(other.progress(Events(dataclasses.replace(rest, feature_names=names)))) == expected


def test_another_table_later_still_begins_anew(stream):
    model, other = RiverLearner(PAClassifier()), RiverLearner(PAClassifier())
    for one in (model, other):
        one.progress(Events(stream.rows(0, 50)))
    other = restored(other, PAClassifier)
    for part in (met_anew(stream.rows(50, 80)), met_anew(stream.rows(80, 120))):
        assert told(model.progress(Events(part))) == told(other.progress(Events(part)))


def test_a_fresh_learner_can_be_saved(stream):
    other = restored(RiverLearner(PAClassifier()), PAClassifier)
    assert told(other.progress(Events(stream))) == told(RiverLearner(PAClassifier()).progress(Events(stream)))


def test_single_documents_go_on_where_they_were():
    model, other = RiverLearner(PAClassifier()), RiverLearner(PAClassifier())
    for i in range(4):
        model.learn_one({"a": 1.0, f"b{i}": 1.0}, ["x", "y"] if i % 2 else ["z"])
    other.load(through_json(model.save()))
    assert other.learnt == model.learnt == 4
    assert list(other.scores_one({})) == list(model.scores_one({}))
    model.learn_one({"c": 1.0}, ["y"])
    other.learn_one({"c": 1.0}, ["y"])
    assert other.scores_one({"c": 1.0, "b1": 1.0}) == model.scores_one({"c": 1.0, "b1": 1.0})
    earlier = {key: value for key, value in model.save().items() if key not in {"learnt", "single"}}
    other.load(earlier)
    assert other.learnt == 0


@pytest.mark.parametrize("name", ["linear_model.PAClassifier", "naive_bayes.MultinomialNB", "forest.ARFClassifier"])
def test_what_can_be_saved_says_nothing(name):
    RIVER.make(name, {}).check_savable()


def test_what_cannot_be_saved_says_so_before_the_first_document():
    for estimator in (neighbors.KNNClassifier(), Contrary()):
        with pytest.raises(
            UsageError, match=rf"{type(estimator).__name__}.* cannot be stored in a checkpoint; run without"
        ):
            RiverLearner(estimator).check_savable()


def test_a_state_of_another_learner(stream):
    model = RiverLearner(PAClassifier())
    model.learn(stream)
    state, nb = model.save(), RiverLearner(naive_bayes.MultinomialNB())
    nb.learn(stream)
    fewer = RiverLearner(PAClassifier())
    fewer.learn(stream.rows(0, 3))
    wrong = [
        nb.save(),
        {**state, "labels": fewer.save()["labels"]},
        {**state, "kept": fewer.save()["kept"]},
        {"labels": state["labels"]},
        {"kept": state["kept"]},
        {**state, "labels": None},
    ]
    for one in wrong:
        with pytest.raises(UsageError, match=r"the checkpoint.s state of PAClassifier belongs to another learner"):
            RiverLearner(PAClassifier()).load(one)
    with pytest.raises(UsageError, match="belongs to another learner"):
        RiverLearner(Seen()).load(state)


@pytest.mark.parametrize("make", [PAClassifier, linear_model.LogisticRegression, linear_model.Perceptron])
def test_linear_classifiers_say_what_speaks_for_a_label(stream, make):
    learner = RiverLearner(make())
    learner.learn(stream)
    found = learner.reasons(stream, 3)
    x = {stream.feature_names[i]: value for i, value in zip(*stream_row(stream, 3), strict=True)}
    sums = found.contributions.sum(axis=0) + found.base
    for column, one in enumerate(learner._each):
        by_hand = sum(one.weights.get(name, 0.0) * value for name, value in x.items()) + one.intercept
        assert sums[column] == pytest.approx(by_hand)
        assert (sums[column] > 0) == bool(one.predict_one(x))


def stream_row(batch, row):
    span = slice(batch.indptr[row], batch.indptr[row + 1])
    return batch.features[span].tolist(), batch.values[span].tolist()


@pytest.mark.parametrize("make", [linear_model.ALMAClassifier, naive_bayes.MultinomialNB, dummy.NoChangeClassifier])
def test_others_have_no_reasons_to_give(stream, make):
    learner = RiverLearner(make())
    learner.learn(stream.rows(0, 5))
    assert learner.reasons(stream, 3) is None

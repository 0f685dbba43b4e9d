"""Learners as river estimators: its checks, its pipelines, its evaluation."""

import copy
import pickle

import pytest
import river.checks
from oracles import streams
from oracles.compare import batch_of, one_by_one, state, told
from oracles.kinds import KINDS, native
from river import base, evaluate, feature_extraction, metrics, preprocessing

from telex.learners import BR, MMP, NB, Events, Prior

every_learner = pytest.mark.parametrize("kind", KINDS)


def pairs(count, scale=1):
    """A stream as river's data sets have it: several features a document, y a dict of bools."""
    labels = streams.labels_of(streams.dense(6, 200))
    return [
        ({f"f{i}": v for i, v in x.items()}, {c: c in y for c in labels}) for x, y in streams.dense(6, count * scale)
    ]


@every_learner
def test_rivers_checks(kind, monkeypatch):
    monkeypatch.setattr(river.checks, "_yield_datasets", lambda model, scale=1: [pairs(40, scale)])
    learner = native(kind)
    assert isinstance(learner, base.MultiLabelClassifier)
    names = set()
    for check in river.checks.yield_checks(learner):
        names.add(check.__name__)
        if check.__name__ not in learner._unit_test_skips():
            check(learner.clone())
    assert len(names) >= 15  # of river 0.22; later ones have more
    assert not learner._unit_test_skips()


@every_learner
def test_copies_continue_with_the_same_bits(kind, zipf):
    learner = native(kind)
    learner.progress(Events(batch_of(zipf[:150])))
    copies = [pickle.loads(pickle.dumps(learner)), copy.deepcopy(learner)]
    assert [state(c) for c in copies] == [state(learner)] * 2
    expected = one_by_one(learner, zipf[150:])
    for one in copies:
        assert one_by_one(one, zipf[150:]) == expected
        assert state(one) == state(learner)


@every_learner
def test_copies_are_deterministic(kind, zipf):
    learners = [native(kind), native(kind)]
    for learner in learners:
        one_by_one(learner, zipf[:80])
    assert pickle.dumps(learners[0]) == pickle.dumps(learners[1])
    assert repr(learners[0]) == repr(learners[1]) == repr(pickle.loads(pickle.dumps(learners[0])))
    assert pickle.dumps(pickle.loads(pickle.dumps(learners[0]))) == pickle.dumps(learners[0])


@every_learner
def test_a_clone_is_as_new(kind, zipf):
    learner = native(kind)
    one_by_one(learner, zipf[:80])
    clone = learner.clone()
    assert (clone.known, clone.learnt) == (0, 0)
    assert clone._get_params() == learner._get_params()
    assert state(clone) == state(native(kind))
    one_by_one(clone, zipf[:80])
    assert state(clone) == state(learner)


@every_learner
def test_a_batch_continues_where_calls_left_off(kind, zipf):
    mixed, called = native(kind), native(kind)
    one_by_one(mixed, zipf[:100])
    one_by_one(called, zipf)
    batch = batch_of(zipf)
    mixed.learn(batch.rows(100, 200))
    one_by_one(mixed, zipf[200:])
    assert state(mixed) == state(called)
    assert told(mixed.scores(batch)) == told(called.scores(batch))


@every_learner
def test_calls_between_batches_of_one_table(kind, zipf):
    """The table names labels that only the calls in between have learnt: they must not be learnt again."""
    mixed, called = native(kind), native(kind)
    batch = batch_of(zipf)
    mixed.progress(Events(batch.rows(0, 3)))
    one_by_one(mixed, zipf[3:200])
    mixed.progress(Events(batch.rows(200, 300)))
    one_by_one(called, zipf)
    assert state(mixed) == state(called)


@every_learner
def test_a_copy_continues_with_batches_of_the_same_tables(kind, zipf):
    learner = native(kind)
    batch = batch_of(zipf)
    learner.progress(Events(batch.rows(0, 150)))
    one = pickle.loads(pickle.dumps(learner))
    rest = [told(x.progress(Events(batch.rows(150, 300)))) for x in (learner, one)]
    assert rest[0] == rest[1]
    assert state(one) == state(learner)


def test_the_answer_is_a_dict_in_which_a_missing_label_is_false():
    learner = BR()
    assert learner.predict_one({"a": 1}) == {}
    learner.learn_one({"a": 1}, {"x": True, "y": False})
    learner.learn_one({"b": 1}, {"x": False, "y": True})
    answer = learner.predict_one({"a": 1})
    assert isinstance(answer, dict)
    assert set(answer) <= {"x", "y"}
    assert answer["x"] is True
    assert answer["y"] is False
    assert answer["never heard of"] is False
    assert "never heard of" not in answer


def test_a_label_that_was_only_ever_false_is_not_known():
    learner = MMP()
    learner.learn_one({"a": 1}, {"x": True, "y": False})
    assert list(learner.labels) == ["x"]


@pytest.mark.parametrize("make", [NB, Prior])
def test_predictions_go_with_probabilities(make):
    assert make().predict_proba_one({"a": 1}) == {}


def test_learners_without_probabilities_say_so():
    with pytest.raises(NotImplementedError):
        MMP().predict_proba_one({"a": 1})


@pytest.mark.parametrize("kind", ["br", "mmp", "mlpp", "nb"])
def test_pipelines(kind):
    data = pairs(200)
    model = preprocessing.StandardScaler() | native(kind)
    metric = evaluate.progressive_val_score(data, model, metrics.multioutput.MicroAverage(metrics.F1()))
    assert metric.get() > 0.5
    exact = evaluate.progressive_val_score(
        data, preprocessing.StandardScaler() | native(kind), metrics.multioutput.ExactMatch()
    )
    assert exact.get() > 0.1


@pytest.mark.parametrize("kind", ["br", "mmp", "mlpp", "nb"])
def test_texts_in_a_pipeline(kind):
    texts = {
        "wheat and corn prices rise": "grain",
        "shares fall in Tokyo": "stocks",
        "corn harvest": "grain",
        "bank shares": "stocks",
    }
    model = feature_extraction.TFIDF() | native(kind)
    for _ in range(10):
        for text, label in texts.items():
            model.learn_one(text, {"grain": label == "grain", "stocks": label == "stocks"})
    answer = model.predict_one("corn and wheat")
    assert (answer["grain"], answer["stocks"]) == (True, False)

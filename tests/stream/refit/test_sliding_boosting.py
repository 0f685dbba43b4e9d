"""Boosting whose rounds come and go with the window, as a learner of a stream."""

import copy
import dataclasses
import pickle
from itertools import pairwise

import numpy as np
import pytest
import river.checks
from batch_models.following import batch_of, met_anew, through_json
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import streams
from oracles.compare import one_by_one, said, told
from oracles.windowed import Windowed as Oracle
from river import base

from telex.learners import AdaBoostMH, Batch, BatchBuilder, Events, Learner, MPBoost, Names, learners
from telex.learners.base import InputError, UsageError
from telex.learners.registry import learner
from telex.stream import Windowed

KINDS = [(make, variant) for make in (MPBoost, AdaBoostMH) for variant in ("R", "RA", "D")]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind[0].__name__}-{kind[1]}")
SIZES = {"window": 40, "every": 12, "add": 2, "rounds": 7}


def windowed(kind=(MPBoost, "R"), **sizes):
    make, variant = kind
    return Windowed(make(variant=variant, threads=1), **{**SIZES, **sizes})


def committee(model):
    """Rounds by label, pivots by id, as the oracle has them."""
    current = model._controller.current
    if current is None:
        return [], []
    names, rounds = list(current.model.labels), current.model.committee
    pivots = np.broadcast_to(rounds.pivots, rounds.absent.shape)
    found = [
        {label: (int(p), float(a), float(b)) for label, p, a, b in zip(names, *row, strict=True)}
        for row in zip(pivots, rounds.absent, rounds.present, strict=True)
    ]
    return names, found


def bits(model):
    """All that it holds, to the bit."""
    model.progress(Events(empty(model)))  # what was forgotten behind the last document
    state = {**model.save(), "events": []}
    return pickle.dumps(plain(state))


def empty(model):
    return BatchBuilder(model._features or Names()).take()


def plain(value):
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return (value.dtype.str, value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


@every_kind
@pytest.mark.parametrize(("forget", "weights"), [(False, "exponential"), (False, "bounded"), (True, "bounded")])
def test_it_is_the_slow_reading(kind, forget, weights):
    stream = streams.zipf(3, documents=100, unlabelled=0.1)
    batch, sizes = batch_of(stream, forget=forget), {**SIZES, "weights": weights}
    model, slow, steps = windowed(kind, **sizes), Oracle(kind[1], kind[0].multiple, **sizes), 0
    leaving = {}
    for row, feature in zip(batch.forget.rows, batch.forget.features, strict=True) if forget else ():
        leaving.setdefault(int(row), []).append(int(feature))
    for row in range(len(batch)):
        for feature in leaving.get(row, ()):
            slow.forget(feature)
        ids = batch.features[batch.indptr[row] : batch.indptr[row + 1]].tolist()
        found = said(model.progress(Events(batch.rows(row, row + 1))), 0)
        expected = slow.scores(set(ids))
        assert list(found[0]) == list(expected)
        for label, (score, predicted) in expected.items():
            assert found[0][label] == pytest.approx(score, rel=1e-4, abs=1e-4)
            assert abs(score) < 1e-4 or (label in found[1]) == predicted
        if batch.labelled[row]:
            slow.learn(ids, batch.labels_of(row))
        if batch.labelled[row] and slow.learnt % SIZES["every"] == 0:
            same_rounds(model, slow)
            steps += 1
    assert steps >= 6
    assert list(model.labels) == slow.labels


def same_rounds(model, slow):
    names, found = committee(model)
    assert names == slow.spoken
    assert len(found) == len(slow.committee)
    for one, other in zip(found, slow.committee, strict=True):
        for label in names:
            pivot, *values = other.get(label, (None, 0.0, 0.0))
            if label in other:
                assert one[label][0] == (-1 if pivot is None else pivot)
            assert one[label][1:] == pytest.approx(values, rel=1e-6, abs=1e-9)


@every_kind
@settings(max_examples=6)
@given(cuts=st.lists(st.integers(0, 150), max_size=5), forget=st.booleans())
def test_batches_do_not_matter(kind, cuts, forget):
    batch = batch_of(streams.zipf(4, documents=150, unlabelled=0.2), forget=forget)
    whole, cut = windowed(kind), windowed(kind)
    expected, found = told(whole.progress(Events(batch))), []
    for start, end in pairwise([0, *sorted(cuts), 150]):
        found += told(cut.progress(Events(batch.rows(start, end))))
    assert found == expected
    assert bits(cut) == bits(whole)
    assert whole.state.refits >= 9
    assert whole.state.failures == 0


@every_kind
def test_rivers_calls_say_the_same(kind):
    documents = streams.zipf(5, documents=80)
    single, batched = windowed(kind), windowed(kind)
    builder = BatchBuilder()
    for x, y in documents:
        builder.add(x, y)
    batch = builder.take()
    predictions = batched.progress(Events(batch))
    assert one_by_one(single, documents) == [set(predictions.set_of(k)) for k in range(80)]
    assert told(single.scores(batch)) == told(batched.scores(batch))
    x = documents[79][0]
    assert single.scores_one(x) == batched.scores_one(x)
    assert single.learnt == batched.learnt == 80
    reasons = single.reasons(batch, 79)
    row = single.scores(batch).scores[79, : len(single.labels)]
    assert reasons.contributions.sum(axis=0) + reasons.base == pytest.approx(row, rel=1e-4, abs=1e-4)


@settings(max_examples=12)
@given(order=st.permutations(range(24)), middle=st.integers(0, 32))
def test_late_answers_in_one_call_or_one_at_a_time(order, middle):
    batch = batch_of(streams.zipf(5, documents=24))
    steps = np.array([r if i % 2 else ~r for i, r in enumerate(order)] + [~r for r in order[:8]], np.int32)
    whole, apart, halves = (windowed(window=7, every=3) for _ in range(3))
    expected = told(whole.progress(Events(batch, steps)))
    assert [one for s in steps for one in told(apart.progress(Events(batch, s[None])))] == expected
    parts = [told(halves.progress(Events(batch, part))) for part in (steps[:middle], steps[middle:])]
    assert [*parts[0], *parts[1]] == expected
    assert bits(whole) == bits(apart) == bits(halves)


@every_kind
@settings(max_examples=6)
@given(cuts=st.lists(st.integers(0, 120), min_size=1, max_size=3), forget=st.booleans())
def test_it_continues_as_if_undisturbed(kind, cuts, forget):
    batch = batch_of(streams.zipf(3, documents=120, unlabelled=0.2), forget=forget)
    whole, cut = windowed(kind), windowed(kind)
    expected, found = told(whole.progress(Events(batch))), []
    for start, end in pairwise([0, *sorted(cuts), 120]):
        found += told(cut.progress(Events(batch.rows(start, end))))
        state, cut = through_json(cut.save()), windowed(kind)
        cut.load(state)
        batch = met_anew(batch)
    assert found == expected
    assert bits(cut) == bits(whole)


def test_rounds_say_nothing_of_labels_that_came_later():
    model = windowed(window=100, every=4, add=2, rounds=6)
    for k in range(8):
        model.learn_one({"gold": 1.0, f"t{k}": 1.0}, ["metal"] if k < 4 else ["metal", "grain"])
        if k == 5:
            ranked = model.scores_one({"gold": 1.0})
            assert ranked["grain"] == ranked["metal"] - 1
            assert not model.predict_one({"gold": 1.0})["grain"]
    names, rounds = committee(model)
    assert names == ["metal", "grain"]
    assert [one["grain"] for one in rounds[:2]] == [(-1, 0.0, 0.0)] * 2
    assert all(one["grain"][1] != 0 for one in rounds[2:])


def test_a_label_that_left_the_window_sinks():
    model = windowed(window=6, every=3, add=2, rounds=6)
    for k in range(24):
        model.learn_one({"gold": 1.0, f"t{k % 5}": 1.0}, ["old"] if k < 6 else ["new"])
    assert list(model.labels) == ["old", "new"]
    ranked = model.scores_one({"gold": 1.0})
    assert ranked["old"] < 0 < ranked["new"]


@pytest.mark.parametrize("make", [MPBoost, AdaBoostMH])
def test_all_rounds_new_in_a_step_are_a_fit_of_the_window(make):
    builder = BatchBuilder()
    for x, y in streams.zipf(6, documents=60):
        builder.add(dict.fromkeys(x, 1.0), ["news", *y])
    batch = builder.take()
    model, fitted = Windowed(make(), window=30, every=20, add=9, rounds=9), make(rounds=9)
    model.learn(batch)
    last = batch.rows(30, 60)
    fitted.fit(dataclasses.replace(last, feature_names=Names()))
    _, rounds = committee(model)
    assert len(rounds) == 9
    assert set(fitted.labels) == set(model.labels)  # else it were other weights
    for label in fitted.labels:
        assert [tuple(stump) for stump in fitted.rounds_of(label)] == [
            (p, pytest.approx(a), pytest.approx(b)) for p, a, b in (one[label] for one in rounds)
        ]


def test_after_enough_steps_the_committee_is_wholly_new():
    model = windowed(every=10, add=2, rounds=6, window=20)
    batch = batch_of(streams.zipf(6, documents=60))
    model.learn(batch.rows(0, 10))
    known, kept = len(model.labels), []
    for k in range(1, 6):
        model.learn(batch.rows(10 * k, 10 * k + 10))
        kept.append(model._controller.current.model.committee.absent[:, :known])
    assert [len(one) for one in kept] == [4, 6, 6, 6, 6]
    for older, newer in pairwise(kept[1:]):
        np.testing.assert_array_equal(older[2:], newer[:4])


def test_an_id_given_to_another_term_is_no_pivot_any_more():
    def gone(builder, row, feature):
        batch = builder.take()
        forget = dataclasses.replace(FORGET, rows=np.array([row], np.int32), features=np.array([feature], np.int32))
        return dataclasses.replace(batch, forget=forget)

    builder = BatchBuilder(Names(["gold", "wheat"]))
    for k in range(8):
        builder.add({"gold" if k % 2 else "wheat": 1.0}, ["metal"] if k % 2 else ["grain"])
    model = windowed(window=20, every=8, add=1, rounds=4)
    model.learn(builder.take())
    builder.add({"gold": 1.0}, None)
    assert model.progress(Events(builder.take())).set_of(0) == ["metal"]
    for _ in range(2):
        builder.add({"gold": 1.0}, None)
    predictions = model.progress(Events(gone(builder, 1, 0)))
    assert [predictions.set_of(k) for k in range(2)] == [["metal"], ["grain"]]  # as of a document with neither term


FORGET = batch_of(streams.zipf(1, documents=1), forget=True).forget


def test_it_is_a_learner_and_an_estimator(monkeypatch):
    documents = [({f"f{i}": v for i, v in x.items()}, {c: c in y for c in ("y0", "y1")}) for x, y in streams.dense(6)]
    monkeypatch.setattr(river.checks, "_yield_datasets", lambda model, scale=1: [documents[:40]])
    model = windowed(every=5, window=20)
    assert isinstance(model, base.MultiLabelClassifier)
    assert isinstance(model, Learner)
    names = [check.__name__ for check in river.checks.yield_checks(model) if check(model.clone()) is None]
    assert len(names) >= 15
    assert not model._unit_test_skips()


def test_copies_continue_with_the_same_bits():
    stream = streams.zipf(3, documents=100)
    one, other = windowed(), windowed()
    for model in (one, other):
        one_by_one(model, stream[:60])
    assert pickle.dumps(one) == pickle.dumps(other)
    copies = [pickle.loads(pickle.dumps(one)), copy.deepcopy(one)]
    expected = one_by_one(one, stream[60:])
    for model in copies:
        assert one_by_one(model, stream[60:]) == expected
        assert bits(model) == bits(one)


def test_what_rivers_calls_have_named_is_stored():
    stream = streams.zipf(3, documents=100)
    one, other = windowed(), windowed()
    one_by_one(one, stream[:60])
    other.load(through_json(one.save()))
    assert one_by_one(one, stream[60:]) == one_by_one(other, stream[60:])
    assert bits(one) == bits(other)
    with pytest.raises(InputError, match="take another checkpoint"):
        windowed().load({**one.save(), "features": {"list": ["a", "a"]}})
    with pytest.raises(InputError, match="take another checkpoint"):
        windowed().load({})


def test_batches_of_other_tables_are_renumbered():
    stream = streams.zipf(3, documents=60)
    one, other = windowed(), windowed()
    first, second, alone = BatchBuilder(), BatchBuilder(), BatchBuilder()
    for x, y in stream[:30]:
        first.add(x, y)
        alone.add(x, y)
    for x, y in stream[30:]:
        second.add(x, y)
        alone.add(x, y)
    one.learn(first.take())
    one.learn(second.take())
    batch = alone.take()
    other.learn(batch)
    assert told(one.scores(batch)) == told(other.scores(batch))


def test_documents_without_labels_or_terms():
    model = windowed(every=3, add=1, rounds=2, window=5)
    for _ in range(4):
        model.learn_one({}, [])
    for _ in range(5):
        model.learn_one({}, ["news"])
    assert model.state.failures == 0
    assert model.predict_one({"gold": 1.0}) == {"news": True}


def test_what_cannot_resume():
    model = windowed(every=3)
    batch = batch_of(streams.zipf(3, documents=10))
    model.learn(batch)
    state = model.save()
    with pytest.raises(InputError, match=r"more than its .* rounds; take another checkpoint"):
        windowed(every=3, rounds=5, add=1).load(state)
    bad = Batch(**{**{f.name: getattr(batch, f.name) for f in dataclasses.fields(batch)}, "forget": FORGET})
    with pytest.raises(InputError, match="this batch forgets features"):
        model.scores(bad)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("windowed", "needs boost=NAME; try windowed:boost=mpboost"),
        ("windowed:boost=adaboost-lc", "AdaBoostLC has no rounds of stumps that could be added one by one"),
        ("windowed:boost=mmp", "MMP has no rounds"),
        ("windowed:boost=mpboost,every=0", "every is 0; give a number of documents"),
        ("windowed:boost=mpboost,window=2h", "window of the learner windowed cannot be '2h'; give a whole number"),
        ("windowed:boost=mpboost,add=300", "add is 300 of 200 rounds; give 1 to 200"),
        ("windowed:boost=mpboost,boost.variant=X", "give one of R, RA, D"),
    ],
)
def test_errors_name_what_is_wrong(spec, message):
    with pytest.raises(UsageError, match=message):
        learner(spec)


def test_by_its_name():
    model = learner("windowed:boost=adaboost-mh,window=30,every=10,add=3,rounds=12,boost.variant=D", seed=5)
    assert (model.window, model.every, model.add, model.rounds, model.seed) == (30, 10, 3, 12, 5)
    assert repr(model.boost) == "AdaBoostMH(rounds=1000, variant='D', threads=0, seed=5)"
    assert list(learners(["w=windowed:boost=mpboost"], baselines=False)) == ["w"]

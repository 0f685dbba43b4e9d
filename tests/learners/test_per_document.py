"""A learner in plain Python runs in a `Run` beside the native ones, exact under any batching.

base/feature_keys.py and plain_attributes.py are tested here too: only such a learner uses them.
"""

import copy
import dataclasses
import math
import pickle
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import strategies
from oracles.compare import batch_of, told

from telex.learners import MMP, BatchBuilder, Events, Forget, Learner, Names, PerDocument
from telex.learners.base import InputError, UsageError
from telex.stream import Run
from telex.stream.checkpoints.reader import read
from telex.stream.checkpoints.writer import write


class Centroids(PerDocument):
    """Rocchio: a label's score is the inner product with the mean of its documents; its set, the scores above half."""

    threshold = 0.5

    def __init__(self):
        self.sums = {}

    def ask(self, x):
        return {c: sum(v * total.get(f, 0.0) for f, v in x.items()) / n for c, (n, total) in self.sums.items()}

    def answer(self, x, y):
        for label in y:
            n, total = self.sums.get(label, (0, {}))
            self.sums[label] = (n + 1, {f: total.get(f, 0.0) + x.get(f, 0.0) for f in total | x})


class Forgetful(Centroids):
    """The same, without what it will never be asked about."""

    def forget(self, feature):
        for _, total in self.sums.values():
            total.pop(feature, None)


def cut(stream, size):
    builder = BatchBuilder(Names(range(60)))
    for x, y in stream:
        builder.add(x, y)
    batch = builder.take()
    every = np.arange(0, len(stream), 10, dtype=np.int32)  # a feature leaves before every tenth document
    batch = dataclasses.replace(batch, forget=Forget(every, every * 7 % 60))
    for start in range(0, len(stream), size):
        yield batch.rows(start, min(start + size, len(stream)))


@pytest.fixture
def stream():
    draw = np.random.default_rng(5)
    topics = {c: draw.choice(60, 8, replace=False).tolist() for c in "abcdef"}
    made = []
    for _ in range(150):
        labels = draw.choice(list(topics), draw.integers(1, 3), replace=False).tolist()
        words = {int(draw.choice(topics[c])): 1.0 for c in labels for _ in range(3)}
        made.append((words, labels))
    return made


def end(learner):
    return [list(learner.labels), learner.learnt, learner.sums]


def again(learner):
    made = type(learner)()
    made.load(learner.save())
    return made


def test_it_is_a_learner():
    assert isinstance(Centroids(), Learner)


def test_it_runs_beside_the_native_ones_and_learns(stream):
    run = Run(list(cut(stream, 10)), {"own": Centroids(), "mmp": MMP()})
    last = list(run)[-1].learners
    assert last["own"]["oneerr_window"] < 0.3
    assert last["own"]["avgp"] > 0.6
    assert run.summary()["learners"]["own"]["docs"] == len(stream)


@pytest.mark.parametrize("make", [Centroids, Forgetful])
def test_its_curve_does_not_depend_on_the_batches(stream, make):
    curves = [
        [p.learners["own"] for p in Run(list(cut(stream, size)), {"own": make()})] for size in (1, 7, len(stream))
    ]
    assert curves[0] == curves[1] == curves[2]


def test_a_feature_that_is_forgotten_is_one_never_met(stream):
    kept, dropped = Centroids(), Forgetful()
    one, other = ([told(learner.progress(Events(b))) for b in cut(stream, 9)] for learner in (kept, dropped))
    assert one == other
    size = [sum(len(total) for _, total in learner.sums.values()) for learner in (kept, dropped)]
    assert size[0] > size[1]


@given(data=st.data(), documents=strategies.patchy)
def test_any_cutting_into_batches(data, documents):
    cuts = data.draw(strategies.cuts(len(documents)))
    whole, parts = Centroids(), Centroids()
    batch = batch_of(documents)
    expected = told(whole.progress(Events(batch)))
    found = [row for a, b in pairwise(cuts) for row in told(parts.progress(Events(batch.rows(a, b))))]
    assert found == expected
    assert end(whole) == end(parts)


@given(documents=strategies.streams)
def test_one_call_at_a_time(documents):
    batched, single = Centroids(), Centroids()
    batch = batch_of(documents)
    predictions = batched.progress(Events(batch))
    for k, (x, y) in enumerate(documents):
        assert single.scores_one(x) == dict(predictions.ranking(k))
        assert {label for label, on in single.predict_one(x).items() if on} == set(predictions.set_of(k))
        single.learn_one(x, y)
    assert end(single) == end(batched)
    assert told(single.scores(batch)) == told(batched.scores(batch))


@given(data=st.data(), documents=strategies.streams)
def test_late_answers_in_one_call_or_one_at_a_time(data, documents):
    steps = data.draw(strategies_of_steps(len(documents)))
    batch = batch_of(documents)
    together, apart = Centroids(), Centroids()
    predictions = together.progress(Events(batch, np.array(steps, np.int32)))
    assert predictions.rows.tolist() == [step for step in steps if step >= 0]
    found = []
    for step in steps:
        if step >= 0:
            found += told(apart.scores(batch.rows(step, step + 1)))
        else:
            apart.learn(batch.rows(~step, ~step + 1))
    assert told(predictions) == found
    assert end(together) == end(apart)


def strategies_of_steps(count):
    """Asks in order, each answered at some later time, or never."""
    delays = st.lists(st.sampled_from([0.1, 1.5, 4.5, 20.5, math.inf]), min_size=count, max_size=count)
    return delays.map(
        lambda late: [
            step
            for when, step in sorted([(row, row) for row in range(count)] + [(r + d, ~r) for r, d in enumerate(late)])
            if when < math.inf
        ]
    )


def test_asking_changes_nothing(zipf):
    quiet, asked = Centroids(), Centroids()
    builder = BatchBuilder()
    batches = [batch_of(zipf[i : i + 30], builder) for i in range(0, 300, 30)]
    for i, batch in enumerate(batches):
        quiet.learn(batch)
        for other in batches[i:]:
            asked.scores(other)
        asked.predict_one({"never seen": 1.0})
        asked.learn(batch)
    assert quiet.save()["attributes"] == asked.save()["attributes"]
    assert quiet.save()["met"]["text"] == asked.save()["met"]["text"]


@pytest.mark.parametrize("at", [0, 1, 70])
@pytest.mark.parametrize("kept", [again, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_it_continues_as_if_undisturbed(stream, at, kept):
    batches = list(cut(stream, 1))
    whole, first = Centroids(), Centroids()
    expected = [row for batch in batches for row in told(whole.progress(Events(batch)))]
    found = [row for batch in batches[:at] for row in told(first.progress(Events(batch)))]
    later = kept(first)
    found += [row for batch in batches[at:] for row in told(later.progress(Events(batch)))]
    assert found == expected
    assert end(later) == end(whole)


def test_a_checkpoint_keeps_it(stream, tmp_path):
    first, later = Centroids(), Centroids()
    batches = list(cut(stream, 50))
    first.progress(Events(batches[0]))
    write(tmp_path / "000001", {}, {"own": first.save()})
    later.load(read(tmp_path / "000001")["own"])
    found, expected = ([told(one.progress(Events(batch))) for batch in batches[1:]] for one in (later, first))
    assert found == expected


@pytest.mark.parametrize("at", [0, 1, 150])
def test_it_continues_by_itself(zipf, at):
    whole, first = Centroids(), Centroids()
    for x, y in zipf:
        whole.learn_one(x, y)
    for x, y in zipf[:at]:
        first.learn_one(x, y)
    later = again(first)
    for x, y in zipf[at:]:
        later.learn_one(x, y)
    assert end(later) == end(whole)


def test_what_it_learns_by_itself_does_not_reach_the_tables_of_a_stream(zipf):
    builder, own = BatchBuilder(), Centroids()
    own.learn(batch_of(zipf[:10], builder))
    before = list(builder.feature_names)
    own.learn_one({"another": 1.0}, ["x"])
    assert list(builder.feature_names) == before
    later = again(own)
    later.learn_one({"another": 1.0}, ["x"])
    assert later.sums["x"] == (2, {"another": 2.0})


def kept(text):
    return {"text": text, "arrays": {}}


class Holding(PerDocument):
    def __init__(self, rate=0.5):
        self.rate, self.held = rate, None

    def ask(self, x):
        return dict.fromkeys(self.labels, self.held)

    def answer(self, x, y):
        pass


@pytest.mark.parametrize(
    "value",
    [
        None, True, 7, -0.0, math.inf, 2**70, "é\ud800\0", [], (), {}, set(), frozenset({1}), {(1, "a"): [{2: {"b"}}]},
        Counter("aab"), defaultdict(float, {3: 0.1}), defaultdict(Counter), np.arange(6, dtype=np.int16).reshape(2, 3),
        np.zeros((0, 4), np.float32), np.float32(0.1), {1: 1, "1": 2, None: 3}, [np.array(5)],
    ],
    ids=repr,
)  # fmt: skip
def test_attributes_come_back_as_they_were(value):
    learner = Holding(rate=2)
    learner.held = value
    found = again(learner)
    assert repr(found.held) == repr(value)
    assert type(found.held) is type(value)
    assert found.rate == 0.5  # a parameter, which the caller gives


@pytest.mark.parametrize(
    "value",
    [object(), [lambda: 0], defaultdict(lambda: 0), np.array(["a"])],
    ids=["object", "function", "default factory", "array of texts"],
)
def test_an_attribute_that_cannot_be_saved(value):
    learner = Holding()
    learner.held = value
    with pytest.raises(
        UsageError, match=r"the attribute held cannot be stored in a checkpoint: it holds a .*; give the"
    ):
        learner.check_savable()


@pytest.mark.parametrize(
    "change",
    [
        {"labels": 3}, {"single": 1}, {"attributes": {}}, {"met": kept("[]")}, {"met": kept("{}")},
        {"met": kept('{"keys": {"dict": []}, "learnt": 1}')}, {"attributes": kept('{"a": {"array": [0, [1]]}}')},
        {"attributes": kept('{"a": {"defaultdict": ["eval", []]}}')}, {"attributes": kept('{"a": {"exec": []}}')},
    ],
    ids=str,
)  # fmt: skip
def test_a_state_that_cannot_be_right(change):
    learner = Centroids()
    learner.learn_one({"a": 1.0}, ["x"])
    before = end(learner)
    with pytest.raises(InputError, match="take another checkpoint"):
        learner.load({**learner.save(), **change})
    assert end(learner) == before


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_no_number(score):
    learner = Holding()
    learner.learn_one({"a": 1.0}, ["x"])
    learner.held = score
    with pytest.raises(InputError, match=r"Holding gives 'x' the score .*; return finite numbers"):
        learner.scores_one({"a": 1.0})


def test_a_score_of_a_label_that_was_not_learnt():
    class Early(Holding):
        def ask(self, x):
            return {"y": 1.0}

    with pytest.raises(InputError, match="scores 'y', which no document had yet; score only labels that it learnt"):
        Early().scores_one({"a": 1.0})


def test_labels_that_are_left_out_score_nothing():
    class Some(Holding):
        def ask(self, x):
            return {"b": -1.0}

    learner = Some()
    learner.learn_one({}, ["a", "b", "c"])
    assert sorted(learner.scores_one({}).items()) == [("a", 0.0), ("b", -1.0), ("c", 0.0)]
    assert not any(learner.predict_one({}).values())


def test_steps_outside_the_batch():
    with pytest.raises(InputError, match="names a row outside the batch's 1"):
        Centroids().progress(Events(batch_of([({"a": 1.0}, ["x"])]), np.array([1], np.int32)))


def test_a_batch_that_forgets_is_none_to_ask_about(stream):
    with pytest.raises(InputError, match="give progress asks only"):
        Centroids().scores(next(cut(stream, 20)))


def test_two_ids_never_share_a_key():
    """The table may name the next term of an id before the one that has the name now is forgotten."""
    names = Names(["gold", "copper"])
    learner, builder = Forgetful(), BatchBuilder(names)
    builder.add({"copper": 1.0}, ["metal"])
    learner.learn(builder.take())
    batch = BatchBuilder(names)
    batch.add({"gold": 1.0}, ["money"])
    taken = batch.take()
    names.replace(1, "tin")
    names.replace(0, "copper")  # of a later batch
    learner.learn(taken)
    assert {label: list(total) for label, (_, total) in learner.sums.items()} == {
        "metal": ["copper"], "money": ["copper\0" + "1"],
    }  # fmt: skip

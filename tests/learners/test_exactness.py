"""What must not matter, to the bit: batches, orders, growth, delays, neighbours, tables.

No module of its own: the same properties hold for every learner.
"""

import copy
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import strategies, streams
from oracles.compare import batch_of, one_by_one, said, state, told
from oracles.kinds import KINDS, native

from telex.learners import MLPP, MMP, NB, BatchBuilder, Events, Names
from telex.learners.base import InputError
from telex.learners.losses import LOSSES, judge

every_learner = pytest.mark.parametrize("kind", KINDS)


def losses_of(predictions, batch):
    judged = judge(predictions, batch)
    return np.array([loss.of(judged) for loss in LOSSES.values()], float).reshape(len(LOSSES), -1)


def run(learner, documents, cuts=None, builder=None):
    """The learner's predictions, its losses, and its state at the end; `cuts` are where the batches begin and end."""
    builder = BatchBuilder() if builder is None else builder  # an empty one is falsy
    cuts = [0, len(documents)] if cuts is None else cuts
    found, losses = [], [np.empty((len(LOSSES), 0))]
    for start, stop in pairwise(cuts):
        batch = batch_of(documents[start:stop], builder)
        predictions = learner.progress(Events(batch))
        found += told(predictions)
        losses.append(losses_of(predictions, batch))
    return found, np.hstack(losses).tobytes(), state(learner)


@every_learner
@given(data=st.data(), documents=strategies.patchy)
def test_any_cutting_into_batches(kind, data, documents):
    cuts = data.draw(strategies.cuts(len(documents)))
    whole = run(native(kind), documents)
    assert run(native(kind), documents, cuts) == whole
    assert run(native(kind), documents, range(len(documents) + 1)) == whole


@every_learner
@given(documents=strategies.streams)
def test_one_call_at_a_time(kind, documents):
    batched, single = native(kind), native(kind)
    batch = batch_of(documents)
    predictions = batched.progress(Events(batch))
    sets = one_by_one(single, documents)
    assert sets == [said(predictions, k)[1] for k in range(len(documents))]
    assert state(single) == state(batched)
    assert told(single.scores(batch)) == told(batched.scores(batch))


@every_learner
def test_long_streams_in_batches_and_one_by_one(kind, zipf):
    whole = run(native(kind), zipf)
    assert run(native(kind), zipf, [0, 1, 1, 7, 64, 65, 200, 300]) == whole
    single = native(kind)
    one_by_one(single, zipf)
    assert state(single) == whole[2]


@every_learner
def test_a_slice_of_a_batch_is_a_batch(kind, zipf):
    whole, sliced = native(kind), native(kind)
    batch = batch_of(zipf)
    found = told(whole.progress(Events(batch)))
    parts = [sliced.progress(Events(batch.rows(i, i + 50))) for i in range(0, 300, 50)]
    assert [row for part in parts for row in told(part)] == found
    assert state(sliced) == state(whole)


@every_learner
def test_scores_and_learn_are_the_halves_of_progress(kind, zipf):
    whole, halves = native(kind), native(kind)
    batch = batch_of(zipf)
    found = told(whole.progress(Events(batch)))
    apart = []
    for i in range(len(batch)):
        apart += told(halves.scores(batch.rows(i, i + 1)))
        halves.learn(batch.rows(i, i + 1))
    assert apart == found
    assert state(halves) == state(whole)
    at_once = native(kind)
    at_once.learn(batch)
    assert state(at_once) == state(whole)


@every_learner
def test_one_document_a_step(kind, zipf):
    whole, stepped, stopped = native(kind), native(kind), native(kind)
    batch = batch_of(zipf)
    whole.progress(Events(batch))
    assert list(stepped.each(batch)) == list(range(300))
    assert state(stepped) == state(whole)
    for row in stopped.each(batch):
        if row == 99:
            break
    first = native(kind)
    first.progress(Events(batch.rows(0, 100)))
    assert state(stopped) == state(first)
    stopped.progress(Events(batch.rows(100, 300)))
    assert state(stopped) == state(whole)


@every_learner
def test_a_step_may_be_followed_by_a_question(kind, zipf):
    whole, stepped, batch = native(kind), native(kind), batch_of(zipf)
    whole.progress(Events(batch))
    for row in stepped.each(batch):
        assert len(stepped.labels) == stepped.known
        stepped.predict_one(zipf[row][0])
    assert state(stepped) == state(whole)


@every_learner
def test_steps_end_where_something_else_is_learnt_in_between(kind, zipf):
    many = [f"L{i}" for i in range(200)]
    for teach in (
        lambda learner: learner.learn_one({"a": 1.0}, many),
        lambda learner: learner.progress(Events(batch_of([({"a": 1.0}, many)]))),
        lambda learner: learner.each(batch_of(zipf[:2])),
    ):
        learner = native(kind)
        steps = learner.each(batch_of(zipf))
        next(steps)
        teach(learner)
        before = state(learner)
        with pytest.raises(InputError, match="call each again"):
            next(steps)
        assert state(learner) == before


@every_learner
@given(data=st.data(), documents=strategies.streams)
def test_the_order_and_the_form_of_labels_and_features(kind, data, documents):
    rng = data.draw(st.randoms(use_true_random=False))
    forms = [list, tuple, set, frozenset, iter, lambda y: dict.fromkeys(y, True) | {"never": False}]

    def other(x, y):
        x, y = list(x.items()), list(y)
        rng.shuffle(x)
        rng.shuffle(y)
        return dict(x), rng.choice(forms)(y)

    assert run(native(kind), [other(x, y) for x, y in documents]) == run(native(kind), documents)
    one, two = native(kind), native(kind)
    assert one_by_one(one, [other(x, y) for x, y in documents]) == one_by_one(two, documents)
    assert state(one) == state(two)


@every_learner
@given(documents=strategies.patchy)
def test_features_known_ahead(kind, documents):
    found = run(native(kind), documents)
    table = BatchBuilder()
    batch_of(documents, table)
    # the same features in the same places and a thousand more behind, the same labels in other places
    labels = sorted(table.label_names, reverse=True)
    ahead = BatchBuilder(Names([*table.feature_names, *(f"more {i}" for i in range(1000))]), Names(["none", *labels]))
    assert run(native(kind), documents, builder=ahead) == found


@every_learner
@given(data=st.data(), documents=strategies.streams)
def test_late_answers_in_one_call_or_one_at_a_time(kind, data, documents):
    rng = data.draw(st.randoms(use_true_random=False))
    steps = late(rng, len(documents))
    batch = batch_of(documents)
    together, apart = native(kind), native(kind)
    predictions = together.progress(Events(batch, np.array(steps, np.int32)))
    assert predictions.rows.tolist() == [step for step in steps if step >= 0]
    found = []
    for step in steps:
        if step >= 0:
            found += told(apart.scores(batch.rows(step, step + 1)))
        else:
            apart.learn(batch.rows(~step, ~step + 1))
    assert told(predictions) == found
    assert state(together) == state(apart)
    halves = native(kind)
    middle = len(steps) // 2
    parts = [halves.progress(Events(batch, np.array(part, np.int32))) for part in (steps[:middle], steps[middle:])]
    assert [row for part in parts for row in told(part)] == found


def late(rng, count):
    """Asks in order, each answered at some later time, or never."""
    events = []
    for row in range(count):
        events.append((row, row))
        if rng.random() < 0.9:
            events.append((row + rng.choice([0.1, 1.5, 4.5, 20.5]), ~row))
    return [step for _, step in sorted(events)]


@every_learner
@given(documents=strategies.patchy)
def test_documents_without_an_answer_change_nothing(kind, documents):
    batch = batch_of(documents)
    asked, told_only = native(kind), native(kind)
    asked.progress(Events(batch))
    answers = np.array([~i for i, (_, y) in enumerate(documents) if y is not None], np.int32)
    nothing = told_only.progress(Events(batch, answers))
    assert len(nothing) == 0
    assert state(asked) == state(told_only)
    before = state(asked)
    asked.scores(batch)
    for x, _ in documents:
        asked.predict_one(x)
        asked.predict_one({"never seen": 2.0})
    asked.learn(batch_of([(x, None) for x, _ in documents]))
    assert state(asked) == before


@every_learner
def test_asks_in_between_change_nothing(kind, zipf):
    """Not even where they bring features that are learnt later."""
    quiet, asked = native(kind), native(kind)
    builder = BatchBuilder()
    batches = [batch_of(zipf[i : i + 30], builder) for i in range(0, 300, 30)]
    for i, batch in enumerate(batches):
        quiet.learn(batch)
        for other in batches[i:]:
            asked.scores(other)
        asked.learn(batch)
    assert state(quiet) == state(asked)


@every_learner
def test_learners_over_the_same_tables_do_not_disturb_each_other(kind, zipf):
    alone = run(native(kind), zipf)
    builder = BatchBuilder()
    one, two, other = native(kind), native(kind), native("mmp-averaged")
    for start in range(0, 300, 100):
        batch = batch_of(zipf[start : start + 100], builder)
        one.progress(Events(batch))
        other.progress(Events(batch))
    for x, y in zipf:
        two.learn_one(x, y)
        other.learn_one(x, y)
    assert state(one) == state(two) == alone[2]


@every_learner
def test_what_one_learner_is_told_besides_does_not_reach_the_tables_of_the_others(kind, zipf):
    """Were features of a learner's own calls numbered in the builder's table, the others' sums would change order."""
    alone = run(native(kind), zipf)
    builder = BatchBuilder()
    one, other = native(kind), native("mmp")
    first = batch_of(zipf[:10], builder)
    one.learn(first)
    other.learn(first)
    for x, y in reversed(zipf):
        other.predict_one(x)
        other.learn_one(x, y)
    one.learn(batch_of(zipf[10:], builder))
    assert state(one) == alone[2]


EXACT = {
    "br": lambda: native("br"),
    "mmp-errsetsize": lambda: MMP("errsetsize"),
    "mmp-worst": lambda: MMP("margin", "worst"),
    "mlpp": lambda: native("mlpp"),
    "mlpp-weighted": lambda: MLPP("weighted"),
    "mlpp-votes+weight": lambda: MLPP("votes+weight"),
    "prior": lambda: native("prior"),
    "last": lambda: native("last"),
}


@pytest.mark.parametrize("kind", EXACT)
@given(seed=st.integers(0, 1000))
def test_other_tables_with_the_same_names(kind, seed):
    documents = streams.zipf(seed, 60, dyadic=True, unlabelled=0.1)
    expected = EXACT[kind]()
    predictions = expected.progress(Events(batch_of(documents)))
    for learner, later in other_tables(EXACT[kind](), documents, seed):
        for k in range(len(later)):
            assert said(later, k) == said(predictions, 30 + k)
        assert list(learner.labels) == list(expected.labels)


def test_naive_bayes_over_other_tables(exact):
    expected = NB()
    predictions = expected.progress(Events(batch_of(exact[:60])))
    for _, later in other_tables(NB(), exact[:60], 1):
        for k in range(len(later)):
            scores, chosen, _ = said(later, k)
            assert scores == pytest.approx(said(predictions, 30 + k)[0], rel=1e-4, abs=1e-4)
            assert chosen == said(predictions, 30 + k)[1]


def other_tables(learner, documents, seed):
    """The second half of the stream over tables in another order, and over tables that start empty."""
    first = BatchBuilder()
    batch = batch_of(documents[:30], first)
    learner.progress(Events(batch))
    rng = random.Random(seed)
    features, labels = list(first.feature_names), list(first.label_names)
    rng.shuffle(features)
    rng.shuffle(labels)
    for names in ((features, labels), ([], [])):
        one = copy.deepcopy(learner)
        builder = BatchBuilder(Names(["other", *names[0]]), Names(["other", *names[1]]), number=30)
        yield one, one.progress(Events(batch_of(documents[30:], builder)))

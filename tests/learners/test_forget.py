"""Features that are forgotten, whose ids go to others: nothing is left of them, however the stream is batched.

No module of its own: every native learner forgets.
"""

import copy
import dataclasses
import pickle
import random
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import strategies, streams
from oracles.compare import agree, batch_of, digest, forgetful_batch, start_of, state, told
from oracles.kinds import KINDS, native, oracle

from telex.learners import BR, MLPP, MMP, NB, Events, Forget
from telex.learners.base import InputError

IDS = 60
every_learner = pytest.mark.parametrize("kind", KINDS)


def numbered(documents):
    """The documents with their features named by numbers: t12 is 12."""
    return [({int(f[1:]): v for f, v in x.items()}, y) for x, y in documents]


def forgetful(seed, documents=200, **options):
    """Numbered documents, what is forgotten before each, and both as a batch."""
    stream, gone = numbered(streams.zipf(seed, documents, IDS, **options)), streams.leaving(seed, documents, IDS)
    return stream, gone, forgetful_batch(stream, gone, IDS)


@every_learner
@pytest.mark.parametrize("options", [{}, {"dyadic": True}, {"unlabelled": 0.3}], ids=str)
def test_every_weight_and_score(kind, options):
    stream, gone, batch = forgetful(41, **options)
    tolerance = (
        1e-4 if kind.startswith("nb") or kind in {"mlpp-weighted", "mlpp-averaged", "hrls-online-full"} else None
    )
    agree(native(kind), oracle(kind, IDS), stream, batch=batch, gone=gone, tolerance=tolerance)


@every_learner
@given(data=st.data(), seed=st.integers(0, 1000))
def test_any_cutting_into_batches(kind, data, seed):
    _, _, batch = forgetful(seed, 40, unlabelled=0.2)
    whole, cut, single, stepped = (native(kind) for _ in range(4))
    found = told(whole.progress(Events(batch)))
    for learner, cuts in ((cut, data.draw(strategies.cuts(40))), (single, range(41))):
        parts = [learner.progress(Events(batch.rows(start, stop))) for start, stop in pairwise(cuts)]
        assert [row for part in parts for row in told(part)] == found
        assert state(learner) == state(whole)
    assert list(stepped.each(batch)) == list(range(40))
    assert state(stepped) == state(whole)


@every_learner
@given(data=st.data(), seed=st.integers(0, 1000))
def test_late_answers_and_answers_alone(kind, data, seed):
    """A batch and its steps give what the single documents give, each with what is forgotten before it."""
    rng = data.draw(st.randoms(use_true_random=False))
    _, _, batch = forgetful(seed, 40)
    events = sorted(e for r in range(40) for e in ((r, r), (r + rng.choice([0.1, 1.5, 4.5, 90.5]), ~r)))
    steps = [step for time, step in events if time < 60]
    together, apart, at_once, answered = (native(kind) for _ in range(4))
    predictions, found = together.progress(Events(batch, np.array(steps, np.int32))), []
    still = dataclasses.replace(batch, forget=None)
    for step in steps:
        row = step if step >= 0 else ~step
        part = (batch if step >= 0 else still).rows(row, row + 1)  # asks come in order and ahead of their answers
        found += told(apart.progress(Events(part, np.array([0 if step >= 0 else ~0], np.int32))))
    assert told(predictions) == found
    assert state(together) == state(apart)
    at_once.learn(batch)
    for row in range(40):
        answered.learn(batch.rows(row, row + 1))
    assert state(at_once) == state(answered)


@every_learner
def test_what_comes_before_a_row_that_is_not_answered_is_forgotten_all_the_same(kind):
    stream = [({0: 1.0, 1: 2.0}, ["x"]), ({0: 2.0, 1: 1.0}, ["y"]), ({0: 1.0}, None)]
    batch = forgetful_batch(stream, [[], [], [1]], 3)
    asked, answered, steps = native(kind), native(kind), native(kind)
    asked.progress(Events(batch))
    answered.learn(batch)
    steps.progress(Events(batch, np.array([0, ~0, 1, ~1], np.int32)))
    assert state(asked) == state(answered) == state(steps)


WHOLE = {
    "br": BR,
    "br-averaged": lambda: BR(averaged=True),
    "mmp": lambda: MMP("margin", "worst"),
    "mmp-averaged": lambda: MMP("margin", "worst", averaged=True),
    "mlpp": MLPP,
    "mlpp-averaged": lambda: MLPP(averaged=True),
}


@pytest.mark.parametrize("make", WHOLE.values(), ids=WHOLE)
@given(seed=st.integers(0, 1000))
def test_a_forgotten_feature_is_as_one_never_met(make, seed):
    """An id used again gives the scores that a fresh id gives; every sum is exact, so that order does not matter."""
    stream, gone, batch = forgetful(seed, 60, dyadic=True, unlabelled=0.1)
    now, fresh = list(range(IDS)), []
    for (x, y), several in zip(stream, gone, strict=True):
        for f in several:
            now[f] = (now[f] if isinstance(now[f], int) else now[f][0], len(fresh))
        fresh.append(({str(now[f]): v for f, v in x.items()}, y))
    again, anew = make().progress(Events(batch)), make().progress(Events(batch_of(fresh)))
    assert [scores for scores, _ in told(again)] == [scores for scores, _ in told(anew)]


@every_learner
def test_nothing_is_left_of_it_and_nothing_else_is_touched(kind):
    stream, _, _ = forgetful(43)
    gone = [[]] * len(stream) + [[0, 3, 59, 7]]
    kept, forgot = native(kind), native(kind)
    kept.progress(Events(forgetful_batch(stream, [[]] * len(stream), IDS)))
    forgot.progress(Events(forgetful_batch([*stream, ({}, None)], gone, IDS)))
    without, reference = forgot.arrays(), kept.arrays()
    bias = getattr(kept, "bias", 0) > 0  # which is in row 0, and nothing that is forgotten
    others = [0] * bias + [f + bias for f in range(IDS) if f not in gone[-1]]
    for name, table in reference.items():
        if name.startswith("link"):  # whose rows are labels
            assert without[name].tobytes() == table.tobytes()
        elif table.ndim == 2 and len(table):
            some = [f for f in others if f < len(table)]
            assert without[name][some].tobytes() == table[some].tobytes(), name
            if not name.endswith("_sum") and "random" not in kind and kind != "mlpp-weighted":
                left = without[name][[f + bias for f in (0, 3, 7)]]
                assert (left == start_of(forgot, name)(0, 0)).all()
                assert table[[0, 3, 7]].any()


@pytest.mark.parametrize("variant", ["dirichlet", "multinomial", "complement"])
def test_naive_bayes_counts_as_if_the_feature_had_never_come(variant):
    with_it = [({0: 1.0, 1: 2.0}, ["x"]), ({1: 4.0, 2: 0.5}, ["y"]), ({0: 3.0}, []), ({2: 1.0}, None)]
    without = [({f: v for f, v in x.items() if f != 1}, y) for x, y in with_it]
    one, two = (NB(variant, counts="weights") for _ in range(2))
    a = one.progress(Events(forgetful_batch(with_it, [[], [], [], [1]], 3)))
    b = two.progress(Events(forgetful_batch(without, [[]] * 4, 3)))
    assert state(one) == state(two)
    assert told(a)[3] == told(b)[3]


@pytest.mark.parametrize("decode", ["votes", "votes+weight"])
@pytest.mark.parametrize("averaged", [False, True])
def test_the_number_of_threads_changes_no_bit(decode, averaged):
    rng = random.Random(9)
    labels = [f"L{i}" for i in range(70)]
    stream = [
        ({rng.randrange(30): rng.random() for _ in range(6)}, [labels[i % 70], *rng.sample(labels, 3)])
        for i in range(250)
    ]
    batch = forgetful_batch(stream, streams.leaving(9, 250, 30), 30)
    found = set()
    for threads in (1, 2, 3):
        for size in (250, 50):
            learner = MLPP(decode, averaged=averaged, threads=threads)
            parts = [learner.progress(Events(batch.rows(i, i + size))) for i in range(0, 250, size)]
            found.add(digest(learner) + repr([row for part in parts for row in told(part)]))
    assert len(found) == 1


@pytest.mark.parametrize("options", [{}, {"averaged": True}, {"init": "random"}, {"averaged": True, "init": "random"}])
@pytest.mark.parametrize("frequent", [0, 4])
def test_memory_of_forgotten_features_is_used_again(options, frequent):
    """Ids in turn, each forgotten before it comes again; with `frequent`, features that have rows of their own too."""
    rng, labels = random.Random(3), [f"L{i}" for i in range(40)]
    stream, gone = [], []
    for i in range(2000):
        fresh = 100 + i % 400
        gone.append([fresh, *([i // 40 % 20] if i % 40 == 0 else [])])
        others = dict.fromkeys(rng.sample(range(20), frequent), 1.0)
        stream.append(({fresh: 1.0, **others}, rng.sample(labels, 2)))
    batch, learner, held = forgetful_batch(stream, gone, 500), MLPP(**options), []
    for start in range(0, 2000, 400):
        learner.progress(Events(batch.rows(start, start + 400)))
        held.append(learner.memory_bytes)
    assert held[4] <= held[2] * 1.05
    other, table = pickle.loads(pickle.dumps((learner, batch.feature_names)))
    tail = dataclasses.replace(batch.rows(0, 300), feature_names=table)
    assert told(other.progress(Events(tail))) == told(learner.progress(Events(batch.rows(0, 300))))
    assert state(other) == state(learner)


@every_learner
def test_features_that_a_learner_has_never_seen_are_forgotten_for_nothing(kind):
    stream = numbered(streams.zipf(44, 30, IDS))
    plain, odd = native(kind), native(kind)
    plain.progress(Events(forgetful_batch(stream, [[]] * 30, IDS)))
    odd.progress(Events(forgetful_batch(stream, [[IDS + 5, 2**31 - 1]] * 30, IDS)))
    assert state(odd) == state(plain)


def test_slices_of_what_is_forgotten():
    batch = forgetful_batch([({}, None)] * 5, [[7], [], [1, 2], [3], []], 9)
    middle = batch.rows(1, 4)
    assert (middle.forget.rows.tolist(), middle.forget.features.tolist()) == ([1, 1, 2], [1, 2, 3])
    last = middle.rows(2, 3)
    assert (last.forget.rows.tolist(), last.forget.features.tolist()) == ([0], [3])
    assert batch.rows(4, 5).forget is batch.rows(1, 2).forget is batch.rows(2, 2).forget is None
    assert dataclasses.replace(batch, numbers=batch.numbers + 4).forget is batch.forget


@pytest.mark.parametrize(
    ("rows", "features", "words"),
    [
        ([0, 3], [1, 1], "rows of its own, ascending"),
        ([-1], [1], "rows of its own, ascending"),
        ([1, 0], [1, 1], "rows of its own, ascending"),
        ([1], [-1], "ids from 0"),
        ([1, 2], [1], "one row a feature"),
    ],
)
@pytest.mark.parametrize("make", [BR, MMP, MLPP, NB])
def test_what_cannot_be_forgotten(make, rows, features, words):
    gone, learner = Forget(np.array(rows, np.int32), np.array(features, np.int32)), make()
    batch = dataclasses.replace(batch_of([({"a": 1.0}, ["x"])] * 3), forget=gone)
    with pytest.raises(InputError, match=words):
        learner.progress(Events(batch))
    assert learner.learnt == 0


@every_learner
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda both: pickle.loads(pickle.dumps(both))])
def test_a_learner_copied_with_the_table_of_its_stream_continues_with_it(kind, copied):
    _, _, batch = forgetful(47)
    learner = native(kind)
    learner.progress(Events(batch.rows(0, 100)))
    other, table = copied((learner, batch.feature_names))
    for names in (batch.feature_names, table):
        names.replace(0, "another")
    rest = dataclasses.replace(batch.rows(100, 200), feature_names=table)
    assert told(other.progress(Events(rest))) == told(learner.progress(Events(batch.rows(100, 200))))
    assert state(other) == state(learner)
    other.learn_one({"only told to it": 1.0}, ["x"])
    assert table.get("only told to it") < 0


@every_learner
def test_scores_refuse_a_batch_that_forgets(kind):
    learner = native(kind)
    _, _, batch = forgetful(45, 30)
    with pytest.raises(InputError, match="progress asks only"):
        learner.scores(batch)
    asked = learner.progress(Events(batch, np.arange(30, dtype=np.int32)))
    assert len(asked) == 30
    assert len(learner.scores(dataclasses.replace(batch, forget=None))) == 30


@every_learner
def test_a_learner_with_ids_of_its_own_refuses_to_forget(kind):
    learner = native(kind)
    learner.learn_one({"mine": 1.0}, ["x"])
    _, _, batch = forgetful(46, 30)
    before = state(learner)
    for call in (learner.learn, lambda b: learner.progress(Events(b)), lambda b: list(learner.each(b))):
        with pytest.raises(InputError, match="batches of one table"):
            call(batch)
    assert state(learner) == before

"""Shards predict and learn what one process does, to the bit, and their state is that of the one process."""

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import streams
from oracles.compare import batch_of, forgetful_batch, state, told
from oracles.kinds import KINDS, native

from telex.learners import MLPP, MMP, BatchBuilder, Events
from telex.learners.base import StoppedError, UsageError
from telex.learners.shards import DIVISIONS, LocalCrew, divide
from telex.learners.thresholds import Thresholded

DIVIDED = [
    *(kind for kind in KINDS if native(kind).kernel in DIVISIONS and KINDS[kind][1].get("decode", "votes") == "votes"
      and "storage" not in KINDS[kind][1]),
    "mlpp-random", "mlpp-means",
]  # fmt: skip
every_kind = pytest.mark.parametrize("kind", DIVIDED)


def whole(kind):
    """A learner in one process; of the pairs some forms more than the oracles have, with votes."""
    if kind == "mlpp-random":
        return MLPP(init="random", averaged=True, seed=11)
    return MLPP(averaged=True, ties="first") if kind == "mlpp-means" else native(kind)


def divided(kind, parts):
    learner = whole(kind)
    divide(kind, learner, parts, LocalCrew)
    return learner


def late(rng, rows):
    """Asks in order, each answered some documents later, or never."""
    steps, due = [], []
    for row in range(rows):
        steps.append(row)
        due += [row] if rng.random() < 0.9 else []
        while due and rng.random() < 0.6:
            steps.append(~due.pop(rng.randrange(len(due))))
    return np.array(steps, np.int32)


@every_kind
@settings(max_examples=6)
@given(seed=st.integers(0, 1000), parts=st.integers(1, 5), labels=st.sampled_from([0, 1, 5, 40]), rng=st.randoms())
def test_any_number_of_shards(kind, seed, parts, labels, rng):
    one, several, builder = whole(kind), divided(kind, parts), BatchBuilder()
    documents = streams.zipf(seed, 120, 60, labels, unlabelled=0.1)
    for start, stop in ((0, 1), (1, 50), (50, 90), (90, 120)):
        batch = batch_of(documents[start:stop], builder)
        events = Events(batch, late(rng, len(batch)) if start == 50 else None)
        assert told(several.progress(events)) == told(one.progress(events))
        assert told(several.scores(batch)) == told(one.scores(batch))
    assert state(several) == state(one)
    assert several.finite


@every_kind
def test_a_state_goes_to_any_number_of_shards(kind):
    documents, builder = streams.zipf(3, 300, 60, 40), BatchBuilder()
    first, second = batch_of(documents[:200], builder), batch_of(documents[200:], builder)
    one = whole(kind)
    one.learn(first)
    learners = [divided(kind, 3), whole(kind), divided(kind, 2), divided(kind, 7)]
    learners[0].learn(first)
    for before, learner in pairwise(learners):
        learner.load(before.save())
        assert state(learner) == state(one)
    expected = told(one.progress(Events(second)))
    for learner in learners:
        assert told(learner.progress(Events(second))) == expected
        assert state(learner) == state(one)


@every_kind
def test_the_state_of_shards_is_that_of_one_process_byte_for_byte(kind):
    one, several = whole(kind), divided(kind, 3)
    for learner in (one, several):
        learner.learn(batch_of(streams.zipf(5, 200, 60, 20)))
    expected, found = (learner.save()["packed"] for learner in (one, several))
    if isinstance(one, MLPP):
        # Which features have rows is for each shard to say: the weights are equal, not where they are stored.
        one.load(one.save() | {"packed": found})
        assert state(one) == state(several)
        return
    assert {name: (a.dtype, a.shape, a.tobytes()) for name, a in found.items()} == {
        name: (a.dtype, a.shape, a.tobytes()) for name, a in expected.items()
    }


@every_kind
def test_features_that_are_forgotten(kind):
    documents = [({int(f[1:]): v for f, v in x.items()}, y) for x, y in streams.zipf(7, 200, 60, 40)]
    batch = forgetful_batch(documents, streams.leaving(7, 200, 60), 60)
    one, several = whole(kind), divided(kind, 3)
    assert told(several.progress(Events(batch))) == told(one.progress(Events(batch)))
    assert state(several) == state(one)


def test_a_learner_within_thresholds_is_divided():
    one, several = (Thresholded(native("arow"), "micro") for _ in range(2))
    divide("arow", several, 2, LocalCrew)
    batch = batch_of(streams.zipf(3, 200, 60, 20))
    assert told(several.progress(Events(batch))) == told(one.progress(Events(batch)))
    assert [figures.documents for figures in several.learner.core.figures] == [200, 200]


def test_reasons_are_those_of_one_process():
    one, several, batch = whole("mlpp"), divided("mlpp", 3), batch_of(streams.zipf(3, 100, 60, 30))
    for learner in (one, several):
        learner.learn(batch)
    expected, found = (learner.reasons(batch, 7) for learner in (one, several))
    assert found.contributions.tobytes() == expected.contributions.tobytes()


def test_learners_whose_labels_learn_together_are_refused():
    with pytest.raises(UsageError, match=r"mmp cannot be divided into shards.*take some of arow, br"):
        divide("mmp", MMP(), 2, LocalCrew)
    with pytest.raises(UsageError, match=r"sums margins.*take decode=votes"):
        divide("mlpp", MLPP("weighted"), 2, LocalCrew)
    divide("mlpp", MLPP("weighted"), 1, LocalCrew)
    with pytest.raises(UsageError, match=r"storage=hybrid.*take storage=float32"):
        divide("mlpp", MLPP(storage="hybrid"), 2, LocalCrew)


def test_a_learner_that_has_begun_is_refused():
    learner = native("br")
    learner.learn_one({"a": 1.0}, ["x"])
    with pytest.raises(UsageError, match="has begun already"):
        divide("br", learner, 2, LocalCrew)


def test_single_documents_are_refused():
    with pytest.raises(UsageError, match="take whole batches"):
        divided("br", 2).each(batch_of([({"a": 1.0}, ["x"])]))


def test_a_call_that_was_ended_in_its_midst_leaves_nothing_to_use():
    class Ended(LocalCrew):
        def follow(self, work):
            super().follow(work)
            raise KeyboardInterrupt

    learner, batch = native("br"), batch_of([({"a": 1.0}, ["x"])])
    divide("br", learner, 2, Ended)
    with pytest.raises(KeyboardInterrupt):
        learner.learn(batch)
    with pytest.raises(StoppedError, match="load what was saved before"):
        learner.learn(batch)
    assert list(learner.labels) == []


def test_callers_that_only_ask_come_at_the_same_time():
    both = threading.Barrier(2, timeout=30)

    class Together(LocalCrew):
        def follow(self, work):
            if work.steps is None:
                both.wait()  # until the other call is in its midst too
            return super().follow(work)

    learner, batch = native("br"), batch_of(streams.zipf(3, 50, 20, 5))
    divide("br", learner, 2, Together)
    learner.learn(batch)
    before = [figures.documents for figures in learner.core.figures]
    with ThreadPoolExecutor(2) as pool:
        one, other = (call.result() for call in [pool.submit(learner.scores, batch) for _ in range(2)])
    assert told(one) == told(other)
    assert [figures.documents for figures in learner.core.figures] == [n + 100 for n in before]
    learner.learn(batch)


def test_a_call_that_only_asks_may_be_ended():
    class Ended(LocalCrew):
        def follow(self, work):
            if work.steps is None:
                raise KeyboardInterrupt
            return super().follow(work)

    learner, batch = native("br"), batch_of([({"a": 1.0}, ["x"])])
    divide("br", learner, 2, Ended)
    with pytest.raises(KeyboardInterrupt):
        learner.scores(batch)
    learner.learn(batch)
    assert learner.learnt == 1

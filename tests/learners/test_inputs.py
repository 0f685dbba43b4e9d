"""What learners refuse, by name, and what they take although it looks odd.

No module of its own: each learner refuses the same.
"""

import dataclasses
import itertools
import math
import pickle

import numpy as np
import pytest
from oracles.compare import agree, batch_of, one_by_one, said, state
from oracles.kinds import KINDS, native, oracle

from telex.learners import BR, MLPP, MMP, NB, BatchBuilder, Events
from telex.learners.base import InputError, StoppedError, UsageError
from telex.learners.losses import judge

every_learner = pytest.mark.parametrize("kind", KINDS)


@every_learner
@pytest.mark.parametrize("y", ["sport", b"sport"])
def test_labels_given_as_a_text(kind, y):
    learner = native(kind)
    with pytest.raises(InputError, match="sport"):
        learner.learn_one({"a": 1.0}, y)
    with pytest.raises(ValueError, match="sport"):
        BatchBuilder().add({"a": 1.0}, y)
    assert learner.learnt == 0


@pytest.mark.parametrize(
    "value",
    ["word", "1", math.nan, math.inf, -math.inf, 1e300, 10**400, None, [1.0]],
    ids=lambda v: str(v)[:6],
)
def test_values_that_are_no_finite_numbers(value):
    learner = MMP()
    learner.learn_one({"fine": 1.0}, ["x"])
    before = state(learner)
    for call in (
        learner.predict_one,
        lambda x: learner.learn_one(x, ["x"]),
        lambda x: BatchBuilder().add(x, ["x"]),
    ):
        with pytest.raises(InputError, match="temperature"):
            call({"fine": 1.0, "temperature": value})
    assert state(learner) == before


@every_learner
def test_a_refused_document_leaves_nothing_behind(kind):
    good = [({"a": 1.0, "b": 0.5}, ["x"]), ({"c": 2.0, "a": 1.0}, ["y"])]
    learner, untroubled = native(kind), native(kind)
    one_by_one(untroubled, good)
    one_by_one(learner, good[:1])
    for x, y in (({"aa": math.nan, "c": 1.0}, ["z"]), ({"aa": 1.0}, "text")):
        with pytest.raises(InputError):
            learner.learn_one(x, y)
    one_by_one(learner, good[1:])
    assert state(learner) == state(untroubled)


def test_a_refused_document_leaves_nothing_in_a_builder():
    builder = BatchBuilder()
    builder.add({"a": 1.0}, ["x"])
    for x, y in (({"new": math.nan}, ["z"]), ({"new": "word"}, ["z"]), ({"new": 1.0}, "text")):
        with pytest.raises(InputError):
            builder.add(x, y)
    batch = builder.take()
    assert len(batch) == 1
    assert list(batch.feature_names) == ["a"]
    assert list(batch.label_names) == ["x"]


@pytest.mark.parametrize("value", [1, True, np.float32(1), np.float64(1), np.int64(1), np.bool_(True)], ids=repr)
def test_numbers_of_every_type(value):
    one, two = MMP(), MMP()
    one.learn_one({"a": 1.0}, ["x"])
    two.learn_one({"a": value}, ["x"])
    assert state(one) == state(two)


def test_names_of_several_types():
    documents = [
        ({1: 1.0, "1": 2.0, (1, 2): 1.0}, ["x", 3, (1, "a")]),
        ({"1": 1.0, 2: 1.0}, [10, 9, "x"]),
        ({1: 1.0}, [3]),
    ]
    for kind in KINDS:
        tolerance = 1e-4 if kind.startswith(("nb", "mlpp-weighted", "hrls-online-full")) else None
        agree(native(kind), oracle(kind), documents, tolerance=tolerance)
    learner = MMP()
    one_by_one(learner, documents)
    assert list(learner.labels) == [3, "x", (1, "a"), 9, 10]


@every_learner
def test_documents_without_features_or_labels(kind):
    documents = [
        ({}, []),
        ({}, ["x"]),
        ({"a": 0.0}, []),
        ({}, None),
        ({"a": 1.0}, ["y"]),
        ({}, []),
        ({"a": 1.0}, []),
    ]
    learner = native(kind)
    _, predictions = agree(
        learner,
        oracle(kind),
        documents,
        tolerance=1e-4 if kind.startswith(("nb", "hrls-online-full")) or kind == "mlpp-weighted" else None,
    )
    assert len(predictions) == 7
    assert learner.learnt == 6


@every_learner
def test_batches_of_no_documents(kind):
    learner = native(kind)
    empty = batch_of([])
    assert len(learner.progress(Events(empty))) == 0
    assert len(learner.scores(empty)) == 0
    learner.learn(empty)
    assert (learner.known, learner.learnt) == (0, 0)
    learner.learn_one({"a": 1.0}, ["x"])
    before = state(learner)
    learner.learn(empty)
    learner.progress(Events(batch_of([({"a": 1.0}, ["x"])]), np.empty(0, np.int32)))
    assert state(learner) == before


@every_learner
def test_the_first_prediction_knows_nothing(kind):
    learner = native(kind)
    predictions = learner.scores(batch_of([({"a": 1.0}, None)]))
    assert said(predictions, 0) == ({}, set(), [])
    assert learner.predict_one({"a": 1.0}) == {}


@pytest.mark.parametrize(
    ("make", "options"),
    [
        (MMP, {"loss": "hamming"}),
        (MMP, {"penalty": "none"}),
        (MMP, {"init": "one"}),
        (BR, {"init": "ones"}),
        (MLPP, {"decode": "vote"}),
    ],
)
def test_unknown_options_are_refused_when_first_used(make, options):
    with pytest.raises(UsageError, match=str(next(iter(options.values())))):
        make(**options).learn_one({"a": 1.0}, ["x"])


@pytest.mark.parametrize("steps", [[3], [~3], [0, ~0, 7]])
def test_a_step_outside_the_batch(steps):
    batch = batch_of([({"a": 1.0}, ["x"])] * 3)
    with pytest.raises(InputError, match="outside the batch's 3"):
        MMP().progress(Events(batch, np.array(steps, np.int32)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"features": np.array([1, 0, 0], np.int32)}, "must ascend"),
        ({"features": np.array([-1, 0, 0], np.int32)}, "must ascend"),
        ({"features": np.array([0, 0, 0], np.int32)}, "must ascend"),
        ({"values": np.ones(2, np.float32)}, "as many values"),
        ({"indptr": np.array([0, 2, 9], np.int64)}, "outside its arrays"),
        ({"indptr": np.array([0, 3, 2], np.int64)}, "must not descend"),
        ({"indptr": np.array([0, 1 << 40, 3], np.int64)}, "must not descend"),
        ({"indptr": np.array([0, 2], np.int64)}, "differ in length"),
        ({"labels": np.array([0, 5], np.int32)}, "label table"),
        ({"labels": np.array([0, -1], np.int32)}, "label table"),
        ({"labels": np.array([1, 1], np.int32), "label_indptr": np.array([0, 0, 2], np.int64)}, "a label twice"),
    ],
)
def test_a_batch_made_by_hand_is_looked_through(change, words):
    batch = batch_of([({"a": 1.0, "b": 1.0}, ["x"]), ({"a": 1.0}, ["y"])])
    for learner in (MMP(), BR(), MLPP()):
        with pytest.raises(ValueError, match=words):
            learner.progress(Events(dataclasses.replace(batch, **change)))
        assert learner.learnt == 0


@pytest.mark.parametrize("feature", [-1, 2])
def test_feature_ids_without_names_where_the_learner_has_ids_of_its_own(feature):
    learner = MMP()
    learner.learn_one({"mine": 1.0}, ["x"])
    batch = batch_of([({"a": 1.0, "b": 1.0}, ["x"])])
    with pytest.raises(InputError, match="not in its feature table"):
        learner.learn(dataclasses.replace(batch, features=np.array([0, feature], np.int32)))


@pytest.mark.parametrize(
    "change",
    [
        {"known": np.array([1, 9], np.int32)},
        {"known": np.array([1, -1], np.int32)},
        {"rows": np.array([0, 2], np.int32)},
        {"rows": np.array([-1, 0], np.int32)},
        {"rows": np.array([0], np.int32)},
        {"numbers": np.array([0], np.int64)},
        {"keys": np.empty(0, np.uint64)},
        {"scores": np.ones((1, 2), np.float32)},
        {"relevant": np.ones((2, 1), np.bool_)},
    ],
    ids=str,
)
def test_predictions_that_are_not_about_the_batch(change):
    batch = batch_of([({"a": 1.0, "b": 1.0}, ["x"]), ({"a": 1.0}, ["y"])])
    predictions = MMP().progress(Events(batch))
    with pytest.raises(InputError, match="not about this batch"):
        judge(dataclasses.replace(predictions, **change), batch)


@pytest.mark.parametrize("threads", [-1, 65])
def test_too_many_threads(threads):
    with pytest.raises(UsageError, match="give 1 to 64"):
        MLPP(threads=threads).learn_one({"a": 1.0}, ["x"])


@pytest.mark.parametrize("make", [BR, MMP, MLPP, NB])
def test_a_learner_that_ran_out_of_memory_says_so(make):
    labels = [f"L{i}" for i in range(1000)]
    batch = batch_of([({"a": 1.0}, labels), ({"a": 1.0}, ["L1"])])
    far = dataclasses.replace(batch, features=np.array([0, 2**31 - 1], np.int32))  # terabytes of weights
    learner = make()
    with pytest.raises(MemoryError):
        learner.progress(Events(far))
    still = make().each(far)
    next(still)
    with pytest.raises(MemoryError):
        next(still)
    for call in (
        lambda: learner.learn(batch),
        lambda: learner.predict_one({"a": 1.0}),
        lambda: pickle.dumps(learner),
        lambda: next(still),
    ):
        with pytest.raises(StoppedError, match="ran out of memory"):
            call()
    learner.clone().learn(batch)


@pytest.mark.parametrize("seed", range(40))
def test_ids_that_do_not_ascend_are_found_wherever_they_are(seed):
    rng = np.random.default_rng(seed)
    words = [f"w{i}" for i in range(9)]
    documents = [({words[i]: 1.0 for i in rng.permutation(9)[: rng.integers(5)]}, ["x"]) for _ in range(6)]
    batch = batch_of(documents)
    ids = batch.features.copy()
    for place in rng.integers(len(ids), size=rng.integers(3)) if len(ids) else ():
        ids[place] = rng.integers(-1, 9)
    starts = batch.indptr.tolist()
    rows = [ids[a:b].tolist() for a, b in itertools.pairwise(starts)]
    right = all(row == sorted(set(row)) and min(row, default=0) >= 0 for row in rows)
    changed = dataclasses.replace(batch, features=ids)
    if right:
        BR().progress(Events(changed))
    else:
        with pytest.raises(InputError, match="must ascend"):
            BR().progress(Events(changed))

"""Boosting at the edges, and what a batch learner promises to its users.

mpboost.py, adaboost_mh.py, committee.py and presence.py are parts of one fit, and are tested by it.
document_weights.py and sliding_committee.py are tested by Windowed, in tests/stream/refit/test_sliding_boosting.py.
"""

import copy
import math
import pickle

import numpy as np
import pytest

from telex.learners import AdaBoostMH, Batch, BatchBuilder, BatchLearner, MPBoost, Names, learners
from telex.learners.base import InputError, UsageError
from telex.learners.registry import learner

BOTH = pytest.mark.parametrize("make", [AdaBoostMH, MPBoost])


def batch_of(*documents, like=None):
    """The documents, with features numbered as in the batch `like`."""
    builder = BatchBuilder() if like is None else BatchBuilder(like.feature_names)
    for text, labels in documents:
        builder.add(dict.fromkeys(text.split(), 2.0), labels)
    return builder.take()


WIRE = batch_of(
    ("gold rises", ["metal"]), ("wheat rises", ["grain"]), ("gold falls", ["metal"]), ("oil falls", ["crude", "metal"]),
    ("", []), ("oil steady", []),
)  # fmt: skip


def fitted(make, batch=WIRE, **parameters):
    model = make(**{"rounds": 7, **parameters})
    model.fit(batch)
    return model


@BOTH
def test_it_is_a_batch_learner(make):
    model = make(rounds=7)
    assert isinstance(model, BatchLearner)
    assert repr(model) == f"{make.__name__}(rounds=7, variant='R', threads=0, seed=0)"
    assert model.scores(WIRE).scores.shape == (6, 0)
    model.fit(WIRE)
    assert list(model.labels) == ["metal", "grain", "crude"]
    assert len(model.rounds_of("grain")) == 7


def test_a_perfect_term_is_taken_for_ever():
    # Z = 0: nothing can be better, and the weights stay as they are
    model = fitted(MPBoost, rounds=20)
    rounds = model.rounds_of("grain")
    assert {WIRE.feature_names[stump.pivot] for stump in rounds} == {"wheat"}
    eps = 1 / 18
    assert rounds[0].present == pytest.approx(0.5 * math.log((1 / 18 + eps) / eps))
    assert rounds[0].absent == pytest.approx(0.5 * math.log(eps / (5 / 18 + eps)))
    assert rounds[1].present == pytest.approx(0.5 * math.log((find_weight(rounds[0], eps) + eps) / eps))
    assert all(np.isfinite(stump).all() for stump in rounds)


def find_weight(stump, eps):
    """What the one document with the label weighs after the first round, as a share of all weight."""
    mine, others = eps * math.exp(-stump.present), 5 * eps * math.exp(stump.absent)
    return mine / (mine + others)


@BOTH
@pytest.mark.parametrize("variant", ["R", "RA", "D"])
def test_one_document(make, variant):
    model = fitted(make, batch_of(("gold rises", ["metal"])), variant=variant)
    assert model.scores(WIRE.rows(0, 1)).set_of(0) == ["metal"]


@BOTH
@pytest.mark.parametrize("variant", ["R", "RA", "D"])
def test_no_document_has_a_label(make, variant):
    model = fitted(make, batch_of(("gold rises", []), ("oil", [])), variant=variant)
    assert len(model.labels) == 0
    assert model.scores(WIRE).set_of(0) == []


@BOTH
def test_a_label_that_all_documents_have(make):
    batch = batch_of(("gold", ["news", "metal"]), ("oil", ["news"]), ("", ["news"]))
    model = fitted(make, batch)
    predictions = model.scores(batch_of(("oil", None), ("gold", None), ("never met", None), like=batch))
    assert [predictions.set_of(k) for k in range(3)] == [["news"], ["metal", "news"], ["news"]]


@BOTH
@pytest.mark.parametrize("variant", ["R", "D"])
def test_documents_without_any_term(make, variant):
    model = fitted(make, batch_of(("", ["news"]), ("", []), ("", ["news"])), variant=variant)
    assert {stump.pivot for stump in model.rounds_of("news")} == {-1}
    assert model.scores(WIRE).set_of(0) == ["news"]


def test_an_empty_batch():
    model = fitted(MPBoost)
    model.fit(WIRE.rows(0, 0))
    assert len(model.labels) == 0


@BOTH
def test_a_term_twice_in_a_document_is_refused(make):
    good = batch_of(("a b", ["x"]))
    bad = Batch(
        good.indptr, np.array([0, 0], np.int32), good.values, good.label_indptr, good.labels, good.labelled, good.ids,
        good.times, good.numbers, good.feature_names, good.label_names,
    )  # fmt: skip
    with pytest.raises(InputError, match="must ascend, each once; sort them, or use BatchBuilder"):
        make().fit(bad)


@BOTH
def test_only_presence_counts(make):
    builder = BatchBuilder()
    builder.add({"gold": 1e-9, "oil": 0.0}, ["metal"])
    builder.add({"oil": -3.0, "gold": 0.0}, ["crude"])
    model = fitted(make, builder.take())
    assert {stump.pivot for stump in model.rounds_of("metal")} == {builder.feature_names.get("gold")}
    builder.add({"gold": 7.0}, None)
    builder.add({"gold": 7.0, "oil": 0.0}, None)
    scores = model.scores(builder.take()).scores
    assert scores[0].tobytes() == scores[1].tobytes()


def test_ties_go_to_the_first_name_or_else_to_the_first_id():
    twins = batch_of(("zinc", []), ("metal b a", ["metal"]))
    assert first_pivot(twins) == "a"
    numbers = {twins.feature_names[i]: i for i in range(4)}
    nameless = Batch(
        twins.indptr, twins.features, twins.values, twins.label_indptr, twins.labels, twins.labelled, twins.ids,
        twins.times, twins.numbers, Names(), twins.label_names,
    )  # fmt: skip
    assert fitted(MPBoost, nameless).rounds_of("metal")[0].pivot == min(numbers.values())


def first_pivot(batch):
    return batch.feature_names[fitted(MPBoost, batch).rounds_of("metal")[0].pivot]


@BOTH
def test_scores_do_not_depend_on_the_batch(make):
    model = fitted(make, rounds=40)
    whole = model.scores(WIRE).scores
    for k in range(len(WIRE)):
        assert model.scores(WIRE.rows(k, k + 1)).scores.tobytes() == whole[k : k + 1].tobytes()
    assert model.scores(WIRE.rows(2, 5)).scores.tobytes() == whole[2:5].tobytes()


def test_scores_on_any_number_of_threads():
    builder = BatchBuilder()
    for k in range(2500):
        builder.add({f"t{k % 7}": 1.0, f"t{k % 31}": 1.0}, [c for c in "abc" if (k * ord(c)) % 5 == 0])
    batch, found = builder.take(), set()
    for threads in (1, 2, 3):
        found.add(fitted(MPBoost, batch, threads=threads).scores(batch).scores.tobytes())
    assert len(found) == 1
    alone = fitted(MPBoost, batch).scores(batch.rows(2499, 2500)).scores
    assert alone.tobytes() == next(iter(found))[-len(alone.tobytes()) :]


@BOTH
def test_scores_after_the_first_rounds(make):
    model = fitted(make, rounds=12)
    for rounds in (1, 5, 12):
        short = fitted(make, rounds=rounds)
        assert model.staged_scores(WIRE, rounds).scores.tobytes() == short.scores(WIRE).scores.tobytes()
    assert not model.staged_scores(WIRE, 0).scores.any()
    with pytest.raises(InputError, match="the committee has 12 rounds, not 13; ask for fewer"):
        model.staged_scores(WIRE, 13)


@BOTH
def test_ids_as_large_as_hashes(make):
    small, builder = fitted(make), BatchBuilder()
    large = WIRE.features.astype(np.int64) * 400_000_000 // 2
    big = Batch(
        WIRE.indptr, large.astype(np.int32), WIRE.values, WIRE.label_indptr, WIRE.labels, WIRE.labelled, WIRE.ids,
        WIRE.times, WIRE.numbers, builder.feature_names, WIRE.label_names,
    )  # fmt: skip
    model = fitted(make, big)
    assert model.scores(big).set_of(1) == small.scores(WIRE).set_of(1) == ["grain"]
    assert max(stump.pivot for stump in model.rounds_of("metal")) < 2**31


@BOTH
def test_kept_and_copied(make):
    model = fitted(make, seed=5)
    other = make(rounds=7, seed=5)
    other.load(model.save())
    for twin in (other, copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert repr(twin) == repr(model)
        assert list(twin.labels) == list(model.labels)
        assert twin.scores(WIRE).scores.tobytes() == model.scores(WIRE).scores.tobytes()
    empty = make()
    empty.load(make().save())
    assert len(empty.labels) == 0


@BOTH
@pytest.mark.parametrize(
    "broken",
    [
        {"pivots": np.zeros((7, 2), np.int32)},
        {"pivots": None},
        {"absent": np.zeros((6, 3))},
        {"absent": np.full((7, 3), np.nan)},
        {"present": np.zeros((7, 3), np.float32)},
        {"labels": None},
        {"labels": {"list": ["a", "b"]}},
    ],
)
def test_what_cannot_be_a_committee_is_refused(make, broken):
    with pytest.raises(InputError, match="take another checkpoint"):
        make().load({**fitted(make).save(), **broken})


@BOTH
def test_reasons_sum_to_the_score(make):
    model = fitted(make, rounds=30)
    scores = model.scores(WIRE).scores[:, : len(model.labels)]
    for row in range(len(WIRE)):
        reasons = model.reasons(WIRE, row)
        np.testing.assert_allclose(reasons.contributions.sum(axis=0) + reasons.base, scores[row], rtol=1e-5, atol=1e-5)
    speak, _ = model.reasons(WIRE, 1).strongest(model.labels.get("grain"), 1)
    assert WIRE.feature_names[speak[0][0]] == "wheat"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mpboost:variant=X", "give one of R, RA, D"),
        ("mpboost:rounds=0", "rounds is 0; give 1 or more"),
        ("adaboost-mh:threads=65", "threads is 65; give 1 to 64, or 0 to let Telex choose"),
    ],
)
def test_errors_name_what_is_wrong(spec, message):
    with pytest.raises(UsageError, match=message):
        learner(spec)
    with pytest.raises(UsageError, match="variant is 'X'; choose one of R, RA, D"):
        MPBoost(variant="X")


def test_a_label_it_does_not_know():
    with pytest.raises(InputError, match="does not know the label 'sport'"):
        fitted(MPBoost).rounds_of("sport")


def test_in_a_stream_it_is_refitted():
    model = learner("refit:model=mpboost,every=4,window=6,model.rounds=9,model.variant=RA", seed=3)
    assert repr(model.model) == "MPBoost(rounds=9, variant='RA', threads=0, seed=3)"
    model.learn(WIRE)
    assert model.scores(WIRE).set_of(1) == ["grain"]
    assert model.reasons(WIRE, 1) is not None
    with pytest.raises(UsageError, match="mpboost learns a window at once, not a stream; try refit:model=mpboost"):
        learners(["mpboost"])


def test_a_checkpoint_keeps_the_committee_and_not_its_documents():
    def refit():
        return learner("refit:model=mpboost,every=4,window=6,model.rounds=9")

    model, other = refit(), refit()
    model.learn(WIRE)
    state = model.save()
    assert set(state["model"]) == {"state"}
    other.load(state)
    assert other.scores(WIRE).scores.tobytes() == model.scores(WIRE).scores.tobytes()

"""The figures of a cross-validation, against a loop made by hand.

The loop does what `trial` and `outcome` do, so they have no test of their own.
"""

import math

import numpy as np
import pytest
from oracles.streams import zipf

from telex.learners import NB, BatchBuilder, BoostingMH, MPBoost
from telex.learners.base import StoppedError, UsageError, tie_key
from telex.learners.losses import LOSSES, MEASURES, judge, no_counts
from telex.stream import Story
from telex.stream.crossval import Corpus, stratified
from telex.stream.crossval.cross_validate import cross_validate
from telex.stream.sources import StoryBuilder


@pytest.fixture(scope="module")
def documents():
    builder = BatchBuilder()
    for x, y in zipf(11, documents=120):
        builder.add(x, y)
    return Corpus.read([builder.take()])


@pytest.fixture(scope="module")
def posts():
    """Stories with one label each, in words that mostly reveal it."""
    rng, builder = np.random.default_rng(2), StoryBuilder()
    for i in range(90):
        label = ("gold", "wheat", "oil")[rng.integers(3)]
        words = [label if rng.random() < 0.6 else "share", "market", ("rise", "fall")[rng.integers(2)]]
        builder.add(Story(f"d{i}", " ".join(words), title=f"No. {i}", labels=[label]))
    return Corpus.read([builder.take()], text="weight=tf")


CERTAIN = ("log_loss", "brier")
"""Losses of learners with probabilities."""


def by_hand(documents, make, folds, rounds=None):
    """The mean over the folds of each loss, part by part, learnt and scored without any of ours."""
    found = {}
    for part in ("train", "test"):
        rows = []
        for fold in folds:
            batch, model = documents.features(fold.train), make()
            learnt = batch.take(fold.train)
            in_turn = sorted(range(len(learnt)), key=lambda row: tie_key(0, int(learnt.numbers[row]), "epoch 0"))
            model.fit(learnt) if hasattr(model, "fit") else model.learn(learnt.take(np.array(in_turn, np.int32)))
            asked = learnt if part == "train" else batch.take(fold.test)
            said = model.scores(asked) if rounds is None else model.staged_scores(asked, rounds)
            judged = judge(said, asked)
            values = {name: loss.following(judged, 0, no_counts()) for name, loss in LOSSES.items()}
            rows.append({name: np.nanmean(one) for name, one in values.items() if name not in CERTAIN})
        found[part] = {name: np.mean([row[name] for row in rows]) for name in rows[0]}
    return found


@pytest.mark.parametrize("make", [lambda: MPBoost(rounds=8, threads=1), NB], ids=["mpboost", "nb"])
def test_losses_are_those_of_a_loop_by_hand(documents, make):
    folds = stratified(documents.batch, 3, seed=4)
    outcome = cross_validate(documents, {"it": make()}, folds, rounds=(3,) if make is not NB else ())
    for rounds in (None, *outcome.rounds["it"]):
        expected = by_hand(documents, make, folds, rounds)
        for part in ("train", "test"):
            found = outcome.mean("it", part, rounds)
            assert {name: found[name] for name in expected[part]} == pytest.approx(expected[part], rel=1e-12)
            assert all((found[name] is None) == (make is not NB) for name in CERTAIN)
            assert found["subset_accuracy"] == pytest.approx(1 - found["zero_one"])
    assert outcome.mean("it", "test")["docs"] == 120
    assert outcome.mean("it", "train")["docs"] == 240


def test_the_learners_handed_over_stay_new(documents):
    model = NB()
    cross_validate(documents, {"nb": model}, stratified(documents.batch, 2))
    assert len(model.labels) == 0


def test_learners_of_a_stream_learn_as_often_as_asked(documents):
    folds = stratified(documents.batch, 2)
    once, twice = (cross_validate(documents, {"nb": NB()}, folds, epochs=epochs) for epochs in (1, 2))
    assert once.mean("nb", "train") != twice.mean("nb", "train")


def test_one_label_each_is_decided_for_the_best(posts):
    learners = {"boosting-mh": BoostingMH(rounds=20), "nb": NB()}
    folds = stratified(posts.batch, 5)
    outcome = cross_validate(posts, learners, folds)
    assert (outcome.decision, outcome.headline) == ("best", "accuracy")
    assert outcome.rounds == {"boosting-mh": [1, 2, 5, 10, 20], "nb": []}
    for name in learners:
        found = outcome.mean(name, "test")
        assert found["accuracy"] == pytest.approx(1 - found["oneerr"])
        confusion, wrong = outcome.confusion(name), outcome.wrong(name)
        assert sum(confusion.values()) == 90
        right = sum(count for (true, said), count in confusion.items() if true == said)
        shares = [
            trial.figures["test", None]["accuracy"] * len(f.test)
            for trial, f in zip(outcome.trials[name], folds, strict=True)
        ]
        assert right == pytest.approx(sum(shares))
        assert len(wrong) == 90 - right
        assert [one["id"] for one in wrong] == sorted((one["id"] for one in wrong), key=lambda d: int(d[1:]))
    one = outcome.wrong("nb")[0]
    row = int(one["id"][1:])
    assert (one["title"], one["text"]) == (f"No. {row}", posts.texts[row])
    assert one["labels"] == posts.batch.labels_of(row) != one["predicted"] == [one["top"][0][0]]
    assert [fold.name for fold in folds if row in fold.test] == [one["fold"]]
    sets = cross_validate(posts, {"nb": NB()}, folds, decide="set")
    assert (sets.decision, sets.headline) == ("set", "micro_f1")
    assert sets.mean("nb", "test")["zero_one"] > outcome.mean("nb", "test")["zero_one"]


def test_confusion_is_about_documents_of_one_label(documents):
    outcome = cross_validate(documents, {"nb": NB()}, stratified(documents.batch, 4))
    single = np.diff(documents.batch.label_indptr) == 1
    assert outcome.decision == "set"
    assert sum(outcome.confusion("nb").values()) == np.count_nonzero(single)


def test_means_leave_out_what_is_undefined(documents):
    builder = BatchBuilder()
    for k in range(8):
        builder.add({"x": 1.0}, ["a"] if k % 2 else [])
    few = Corpus.read([builder.take()])
    outcome = cross_validate(few, {"nb": NB()}, stratified(few.batch, 2))
    plain = outcome.plain()
    assert plain["learners"]["nb"]["test"]["avgp"] is None
    assert plain["learners"]["nb"]["test"]["zero_one"] == 0.5
    assert not any(isinstance(x, float) and math.isnan(x) for x in plain["learners"]["nb"]["test"].values())


def test_the_plain_object(documents):
    outcome = cross_validate(
        documents, {"m": MPBoost(rounds=6), "nb": NB()}, stratified(documents.batch, 3), rounds=(2, 6)
    )
    plain = outcome.plain()
    assert list(plain) == [
        "documents", "unlabelled", "duplicates", "dead_letters", "labels", "decision", "shuffle", "errors", "folds",
        "learners",
        "words", "tests",
    ]  # fmt: skip
    assert plain["folds"] == [{"name": str(k), "train": 80, "test": 40} for k in (1, 2, 3)]
    for name, points in (("m", ["2", "6"]), ("nb", [])):
        found = plain["learners"][name]
        assert list(found) == ["train", "test", "rounds", "folds"]
        assert list(found["rounds"]) == points
        assert len(found["folds"]) == 3
        assert set(found["test"]) == {*LOSSES, *MEASURES, "docs", "docs_ranked"}
    assert plain["learners"]["m"]["rounds"]["6"]["test"] == plain["learners"]["m"]["test"]


def test_rounds_that_none_has(documents):
    folds = stratified(documents.batch, 2)
    with pytest.raises(UsageError, match="no learner has 9 rounds; the most are 6"):
        cross_validate(documents, {"m": MPBoost(rounds=6)}, folds, rounds=(2, 9))
    with pytest.raises(UsageError, match=r"no learner has 9 rounds$"):
        cross_validate(documents, {"nb": NB()}, folds, rounds=(9,))


def test_errors_is_within_or_out(documents):
    with pytest.raises(UsageError, match="errors is 'both'; choose within"):
        cross_validate(documents, {"nb": NB()}, stratified(documents.batch, 2), errors="both")


class Moody(NB):
    def learn(self, batch):
        raise ValueError("not today")


def test_a_model_that_fails_is_named(documents):
    message = r"moody failed on fold 1 \(ValueError: not today\), and no learner is left; give it other parameters"
    with pytest.raises(StoppedError, match=message):
        cross_validate(documents, {"moody": Moody()}, stratified(documents.batch, 2))

"""Documents that were labelled wrongly, within the folds and out of them, against learners taught by hand."""

import numpy as np
import pytest

from telex.learners import NB, BoostingMH
from telex.learners.base import tie_key
from telex.stream import Story
from telex.stream.crossval import Corpus, Fold, cross_validate, stratified
from telex.stream.crossval.wrong_document import EXPLAINED
from telex.stream.sources import StoryBuilder


@pytest.fixture(scope="module")
def posts():
    """Stories with one label each, in words that mostly reveal it."""
    rng, builder = np.random.default_rng(5), StoryBuilder()
    for i in range(60):
        label = ("gold", "wheat", "oil")[rng.integers(3)]
        words = [label if rng.random() < 0.6 else "share", f"w{rng.integers(4)}", ("rise", "fall")[rng.integers(2)]]
        builder.add(Story(f"d{i}", " ".join(words), labels=[label]))
    return Corpus.read([builder.take()], text="weight=tf")


def taught(make, batch, rows):
    model, learnt = make(), batch.take(rows)
    if hasattr(model, "fit"):
        model.fit(learnt)
    else:
        in_turn = sorted(range(len(learnt)), key=lambda row: tie_key(0, int(learnt.numbers[row]), "epoch 0"))
        model.learn(learnt.take(np.array(in_turn, np.int32)))
    return model


@pytest.mark.parametrize("errors", ["within", "out"])
@pytest.mark.parametrize("make", [lambda: BoostingMH(rounds=3), NB], ids=["boosting-mh", "nb"])
def test_they_are_those_found_by_hand(posts, make, errors):
    folds = stratified(posts.batch, 3)
    found = cross_validate(posts, {"it": make()}, folds, errors=errors)
    expected = []
    for fold in folds:
        batch = posts.features(fold.train)
        model, asked = taught(make, batch, fold.train), fold.train if errors == "within" else fold.test
        answers = model.scores(batch.take(asked)).best()
        for k, row in enumerate(asked.tolist()):
            if answers.set_of(k) != batch.labels_of(row):
                expected.append((row, fold.name, answers.set_of(k), model, batch))
    wrong = found.wrong("it")
    assert found.errors == found.plain()["errors"] == errors
    assert [(one["id"], one["fold"], one["predicted"]) for one in wrong] == [
        (f"d{row}", name, said) for row, name, said, *_ in sorted(expected, key=lambda one: one[:2])
    ]
    assert len(wrong) > 5
    for one, (row, _, [said], model, batch) in zip(wrong, sorted(expected, key=lambda one: one[:2]), strict=True):
        why, [true] = one["why"], one["labels"]
        if why is None:  # not among those of its fold that are explained
            continue
        assert (why["wrong"], why["missed"]) == (said, true)
        reasons = model.reasons(batch, row)
        a, b = (reasons.labels.get(label) for label in (said, true))
        added = reasons.contributions[:, a] - reasons.contributions[:, b]
        names = [batch.feature_names[f] for f in reasons.features.tolist()]
        likely = sorted((-x, i) for i, x in enumerate(added.tolist()) if x > 0)
        assert why["words"] == [[names[i], -x] for x, i in likely]
        assert why["base"] == reasons.base[a] - reasons.base[b]
        scores = dict(model.scores(batch.take(np.array([row], np.int32))).ranking(0))
        assert added.sum() + why["base"] == pytest.approx(scores[said] - scores[true], abs=1e-4)


def test_a_label_that_was_never_met_and_a_learner_without_reasons(posts):
    class Mute(BoostingMH):
        def reasons(self, batch, row):
            return None

    batch = posts.batch
    is_oil = np.array([batch.labels_of(row) == ["oil"] for row in range(len(batch))])
    fold = Fold("one", np.flatnonzero(~is_oil).astype(np.int32), np.flatnonzero(is_oil).astype(np.int32))
    found = cross_validate(posts, {"b": BoostingMH(rounds=2), "mute": Mute(rounds=2)}, [fold])
    whys = [one["why"] for one in found.wrong("b")]
    assert 0 < sum(why is not None for why in whys) <= EXPLAINED
    assert {why["missed"] for why in whys if why} == {"oil"}
    assert {one["why"] for one in found.wrong("mute")} == {None}


def test_some_are_chosen_by_the_seed_and_explained(posts):
    folds = stratified(posts.batch, 3)
    chosen = {}
    for seed in (0, 1):
        found = cross_validate(posts, {"it": BoostingMH(rounds=1)}, folds, errors="within", seed=seed)
        wrong, some = found.wrong("it"), found.some_wrong("it", 5)
        assert len(some) == 5
        assert all(one["why"] and one in wrong for one in some)
        chosen[seed] = [one["id"] for one in some]
        assert len({one["id"] for one in found.some_wrong("it", 1000)}) == len({one["id"] for one in wrong})
    assert chosen[0] != chosen[1]

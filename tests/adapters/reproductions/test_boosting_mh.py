"""Boosting.MH beside naive Bayes on a small collection: the form, and figures by hand.

tests/conformance has the real collections.
"""

import json

import numpy as np
import pytest

from telex.adapters.formats import Reuters21578
from telex.adapters.reproductions import boosting_mh
from telex.learners import BoostingMH
from telex.stream.crossval import Corpus, stratified

ROUNDS, FOLDS = 25, 3


@pytest.fixture(scope="module")
def found(collections):
    return boosting_mh.reproduce(collections, rounds=ROUNDS, folds=FOLDS, seed=1)


def test_it_is_plain_data_with_its_settings(found):
    assert list(found) == ["reuters21578"]
    assert json.loads(json.dumps(found)) == found
    settings = found["reuters21578"]["settings"]
    assert (settings["rounds"], settings["folds"], settings["seed"]) == (ROUNDS, FOLDS, 1)
    assert sum(settings["classes"].values()) == settings["documents"]
    assert set(settings["classes"]) == {"grain", "metal", "ship"}


def test_each_round_is_that_of_a_committee_fitted_by_hand(found, collections):
    one = found["reuters21578"]
    stories = boosting_mh.single(Reuters21578(sorted((collections / "reuters21578").glob("*.sgm")), order="id"))
    documents = Corpus.read(stories, text="weight=tf")
    right = {"train": [], "test": []}
    for fold, words in zip(stratified(documents.batch, FOLDS, 1), one["words"], strict=True):
        batch, model = documents.features(fold.train), BoostingMH(rounds=ROUNDS, seed=1)
        model.fit(batch.take(fold.train))
        assert words == [batch.feature_names[pivot] for [pivot] in model.committee.pivots.tolist()]
        for part, rows in (("train", fold.train), ("test", fold.test)):
            asked = batch.take(rows)
            right[part].append(
                [
                    np.mean([said.set_of(k) == asked.labels_of(k) for k in range(len(asked))])
                    for said in (model.staged_scores(asked, rounds) for rounds in range(1, ROUNDS + 1))
                ]
            )
    for part, curve in one["accuracy"].items():
        assert list(curve) == [str(rounds) for rounds in range(1, ROUNDS + 1)]
        assert list(curve.values()) == pytest.approx(np.mean(right[part], axis=0))


def test_naive_bayes_with_several_smoothings(found):
    one = found["reuters21578"]
    names = [f"nb:alpha={alpha}" for alpha in boosting_mh.SMOOTHINGS]
    assert list(one["levels"]) == list(one["levels_within"]) == names
    assert boosting_mh.LAPLACE in names
    assert all(0 < level <= 1 for level in (*one["levels"].values(), *one["levels_within"].values()))


def test_words_confusion_and_mistakes(found):
    one = found["reuters21578"]
    assert [at["rounds"] for at in one["agreement"]] == list(range(1, ROUNDS + 1))
    firsts = [words[0] for words in one["words"]]
    pairs = [(a, b) for i, a in enumerate(firsts) for b in firsts[i + 1 :]]
    assert one["agreement"][0]["same"] == pytest.approx(np.mean([a == b for a, b in pairs]))
    for label in one["settings"]["classes"]:
        row = [value for pair, value in one["confusion"].items() if pair.startswith(f"{label} as ")]
        assert sum(row) == pytest.approx(100)
    wrong = one["wrong_within"]
    within = FOLDS * (1 - one["accuracy"]["train"][str(ROUNDS)])
    assert (wrong["count"] == 0) == (within == 0)


def test_the_lines(found):
    text = "\n".join(boosting_mh.lines(found))
    one = found["reuters21578"]
    assert "accuracy after rounds      1      5     10     20     25\n" in text
    assert f"out of fold            {one['accuracy']['test']['1']:.3f}" in text
    assert f"{boosting_mh.LAPLACE}, Laplace's smoothing" in text
    assert "words of boosting-mh in round  fold 1" in text
    assert "percent by boosting-mh" in text


def test_from_which_round_on_boosting_is_better():
    def said(*test):
        curve = {str(after): value for after, value in enumerate(test, 1)}
        levels = {boosting_mh.LAPLACE: 0.5, "nb:alpha=10": 0.9}
        return boosting_mh.passes({"accuracy": {"test": curve}, "levels": levels, "settings": {"rounds": len(test)}})

    laplace, best = said(0.4, 0.6, 0.5, 0.7)
    assert laplace == "boosting is better than nb:alpha=1, Laplace's smoothing, from 4 rounds on"
    assert best == "boosting is not better than nb:alpha=10, the best smoothing, after 4 rounds"


def test_the_picture(found, tmp_path):
    pytest.importorskip("matplotlib", reason="pictures are drawn by matplotlib: pip install 'telex[plots]'")
    one, two = (boosting_mh.picture(found, tmp_path / f"{k}.svg") for k in range(2))
    assert one.read_bytes() == two.read_bytes()
    text = one.read_text()
    assert all(said in text for said in ("reuters21578", "accuracy"))

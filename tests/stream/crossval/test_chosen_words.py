"""The words of each round and fold, against the committees that chose them, and how far two folds agree, by hand."""

from itertools import combinations

import numpy as np
import pytest
from oracles.streams import zipf

from telex.learners import NB, AdaBoostLC, AdaBoostMH, BatchBuilder, MPBoost
from telex.learners.selection import Selected
from telex.stream.crossval import ChosenWords, Corpus, CrossvalFolder, Fold, agreements, cross_validate, stratified


@pytest.fixture(scope="module")
def documents():
    builder = BatchBuilder()
    for x, y in zipf(11, documents=120):
        builder.add(x, y)
    return Corpus.read([builder.take()])


@pytest.mark.parametrize("make", [AdaBoostMH, MPBoost, lambda rounds: Selected(MPBoost(rounds), terms=8)])
def test_they_are_those_of_a_committee_fitted_by_hand(documents, make):
    folds = stratified(documents.batch, 3)
    outcome = cross_validate(documents, {"it": make(rounds=5), "nb": NB()}, folds)
    assert list(outcome.words()) == ["it"]
    for fold, words in zip(folds, outcome.words()["it"], strict=True):
        batch, model = documents.features(fold.train), make(rounds=5)
        model.fit(batch.take(fold.train))
        model = getattr(model, "model", model)
        told = list(words.rows())
        assert len(told) == 5 * len(model.labels)
        for label in model.labels:
            stumps = [
                (number, batch.feature_names[one.pivot], one.absent, one.present)
                for number, one in enumerate(model.rounds_of(label), 1)
            ]
            assert [(n, word, *values) for n, of, word, *values in told if of == label] == stumps
            column = label if words.by_label else None
            assert words.sequences()[column] == [word for _, word, *_ in stumps]
        assert words.by_label == isinstance(model, MPBoost)


def test_a_sequential_update_chooses_words_too(documents):
    folds = stratified(documents.batch, 3)
    learners = {"one": AdaBoostLC("ts", "sequential", rounds=5), "all": AdaBoostLC("ts", rounds=5)}
    outcome = cross_validate(documents, learners, folds)
    assert list(outcome.words()) == ["one"]
    for fold, words in zip(folds, outcome.words()["one"], strict=True):
        batch, model = documents.features(fold.train), AdaBoostLC("ts", "sequential", rounds=5)
        model.fit(batch.take(fold.train))
        expected = [
            (number + 1, label, batch.feature_names[model.pivots[number, k]], 0.0, model.steps[number, k])
            for number in range(5)
            for k, label in enumerate(model.labels)
        ]
        assert words.by_label
        assert list(words.rows()) == expected


def test_agreement_is_that_of_pairs_of_folds(documents):
    outcome = cross_validate(documents, {"it": MPBoost(rounds=6)}, stratified(documents.batch, 3))
    folds = [one.sequences() for one in outcome.words()["it"]]
    found = outcome.plain()["words"]["it"]
    assert found["by_label"]
    assert [one["rounds"] for one in found["agreement"]] == outcome.rounds["it"] == [1, 2, 5, 6]
    for one in found["agreement"]:
        same, shared, rounds = [], [], one["rounds"]
        for a, b in combinations(folds, 2):
            for label in set(a) & set(b):
                x, y = a[label][:rounds], b[label][:rounds]
                same.append(np.mean([p == q for p, q in zip(x, y, strict=True)]))
                shared.append(len(set(x) & set(y)) / len(set(x) | set(y)))
        assert one["same"] == pytest.approx(np.mean(same))
        assert one["shared"] == pytest.approx(np.mean(shared))
        chosen = [{(label, word) for label in fold for word in fold[label][:rounds]} for fold in folds]
        assert one["in_every_fold"] == len(chosen[0] & chosen[1] & chosen[2])
        assert one["in_any_fold"] == len(chosen[0] | chosen[1] | chosen[2])


def test_a_fold_without_features_has_no_words(tmp_path):
    builder = BatchBuilder()
    for k in range(12):
        builder.add({"gold": 1.0} if k < 4 else {}, [("metal", "grain")[k % 2]])
    documents = Corpus.read([builder.take()])
    of = np.array([0] * 4 + [1] * 8)
    folds = [Fold(str(k), np.flatnonzero(of != k), np.flatnonzero(of == k)) for k in (0, 1)]
    outcome = cross_validate(documents, {"lc": AdaBoostLC("zo", "sequential", rounds=3)}, folds)
    CrossvalFolder(tmp_path, {}).write(outcome, {})
    rows = (tmp_path / "words.csv").read_text().splitlines()[1:]
    assert {row.split(",")[1] for row in rows} == {"1"}
    assert {row.split(",")[4] for row in rows} == {"gold"}


def test_no_word_is_none_that_folds_agree_on():
    nothing, rounds = np.full((2, 1), -1, np.int32), np.zeros((2, 1))
    one = ChosenWords(["metal"], [], True, nothing, rounds, rounds)
    [found] = agreements([one, one], (2,))
    assert (found.same, found.shared, found.in_every_fold, found.in_any_fold) == (0, 0, 0, 0)


def test_without_any_term_there_is_no_word():
    builder = BatchBuilder()
    for label in "abab":
        builder.add({}, [label])
    batch, model = builder.take(), AdaBoostMH(rounds=2)
    model.fit(batch)
    words = ChosenWords.of(model, batch.feature_names)
    assert (words.words, words.sequences()) == ([], {None: [None, None]})
    assert [one[:3] for one in words.rows()] == [(n, label, None) for n in (1, 2) for label in "ab"]
    assert agreements([words], (1, 2)) == []

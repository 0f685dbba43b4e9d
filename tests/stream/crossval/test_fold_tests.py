"""Tests over folds, from figures of folds that are known."""

import math

import numpy as np
import pytest

from telex.learners import BR, MMP, NB, Prior
from telex.learners.losses import LOSSES
from telex.stream.compare import holm, resampled_t, wald, wilcoxon
from telex.stream.crossval import Corpus, Fold, cross_validate, fold_tests, stratified
from telex.stream.crossval.trial import Trial
from telex.stream.newswire import Newswire, NewswireSettings

DOCUMENTS = Corpus.read(Newswire(NewswireSettings(n=300, seed=3)))


@pytest.fixture(scope="module")
def outcome():
    folds = stratified(DOCUMENTS.batch, 6)
    learners = {"mmp": MMP(), "br": BR(), "nb": NB(), "prior": Prior()}
    return cross_validate(DOCUMENTS, learners, folds)


def of_folds(outcome, name, figure):
    return np.array([trial.figures["test", None][figure] for trial in outcome.trials[name]])


@pytest.mark.parametrize(("figure", "best"), [("iserr", 0.0), ("micro_f1", 1.0)])
def test_pairs_by_the_figures_of_their_folds(outcome, figure, best):
    found = fold_tests(outcome, [figure])
    assert [(one.a, one.b) for one in found] == [("mmp", "br"), ("mmp", "nb"), ("br", "nb")]
    for one in found:
        apart = np.round(of_folds(outcome, one.a, figure) - of_folds(outcome, one.b, figure), 12)
        costs = apart if best == 0 else -apart
        assert one.difference == pytest.approx(apart.mean())
        assert one.better == (one.a if costs.mean() < 0 else one.b)
        assert one.wilcoxon.p == pytest.approx(wilcoxon(apart)[0])
        assert one.one_sided.p == pytest.approx(wilcoxon(costs * (1 if one.better == one.a else -1), "less")[0])
        assert one.wald.p == pytest.approx(wald(apart)[0])
        assert one.resampled_t.p == pytest.approx(resampled_t(apart, 50 / 250), rel=0.05)
        assert one.folds == 6
    for test in ("wilcoxon", "one_sided", "wald", "resampled_t"):
        assert [getattr(one, test).holm for one in found] == holm([getattr(one, test).p for one in found])


def test_all_figures_are_compared_and_stored(outcome):
    stored = outcome.plain()["tests"]
    assert {one["figure"] for one in stored} >= {"iserr", "avgp", "micro_f1", "zero_one"}
    assert len(stored) == len(fold_tests(outcome)) == 3 * len({one["figure"] for one in stored})
    assert not any(isinstance(x, float) and math.isnan(x) for one in stored for x in one.values())


class Given:
    """An outcome of figures that are given: each fold tests 20 documents and trains on 20."""

    def __init__(self, **accuracies):
        test, train = np.arange(20), np.arange(20, 40)
        self.folds = [Fold(str(k), train, test) for k in range(len(next(iter(accuracies.values()))))]
        self.losses = [LOSSES["accuracy"]]
        self.trials = {
            name: [Trial({("test", None): {"accuracy": value}}, {}, []) for value in values]
            for name, values in accuracies.items()
        }


def test_differences_that_are_always_the_same_have_no_p():
    [pair] = fold_tests(Given(a=[18 / 20, 17 / 20], b=[17 / 20, 16 / 20]), ["accuracy"])
    assert (pair.better, pair.difference) == ("a", 0.05)
    assert math.isnan(pair.wald.p)
    assert math.isnan(pair.resampled_t.p)


def test_equal_means_have_no_winner():
    [pair] = fold_tests(Given(a=[0.9, 0.7, 0.9, 0.7], b=[0.8] * 4), ["accuracy"])
    assert (pair.better, pair.difference) == (None, 0.0)
    assert pair.wilcoxon.p == 1.0


def test_one_fold_or_one_learner_is_not_compared(outcome):
    [first, *_] = folds = stratified(DOCUMENTS.batch, 3)
    assert fold_tests(cross_validate(DOCUMENTS, {"mmp": MMP(), "br": BR()}, [first])) == []
    assert fold_tests(cross_validate(DOCUMENTS, {"mmp": MMP()}, folds)) == []

"""Tests over folds, from figures of folds that are known."""

import math

import numpy as np
import pytest

from telex.learners import BR, MMP, NB, Prior
from telex.stream.compare import holm, resampled_t, wald, wilcoxon
from telex.stream.crossval import Corpus, cross_validate, fold_tests, stratified
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
        apart = of_folds(outcome, one.a, figure) - of_folds(outcome, one.b, figure)
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


def test_one_fold_or_one_learner_is_not_compared(outcome):
    [first, *_] = folds = stratified(DOCUMENTS.batch, 3)
    assert fold_tests(cross_validate(DOCUMENTS, {"mmp": MMP(), "br": BR()}, [first])) == []
    assert fold_tests(cross_validate(DOCUMENTS, {"mmp": MMP()}, folds)) == []

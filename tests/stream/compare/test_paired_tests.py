"""The classical tests, compared with scipy's, and their correction against its definition.

One file for `friedman`, `holm`, `resampled_t`, `wald` and `wilcoxon`, whose peer is the same.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import comparing
from scipy import stats

from telex.learners.base import UsageError
from telex.stream.compare import friedman, holm, resampled_t, wald, wilcoxon

RNG = np.random.default_rng(4)
SAMPLES = {
    "real": RNG.normal(0.2, 1, 200),
    "few": np.array([0.5, -0.25, 1.0, 0.125, 0.75]),
    "signs": RNG.choice([-1.0, 0.0, 0.0, 0.0, 1.0, 1.0], 500),
    "counts": RNG.poisson(2, 3000) - RNG.poisson(2.1, 3000).astype(float),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_wald(name):
    sample = SAMPLES[name]
    p, effect = wald(sample)
    statistic = stats.ttest_1samp(sample, 0).statistic
    assert p == pytest.approx(2 * stats.norm.sf(abs(statistic)), rel=1e-9)
    assert effect == pytest.approx(statistic / math.sqrt(len(sample)))
    assert wald(-sample) == (p, -effect)


@pytest.mark.parametrize("name", SAMPLES)
def test_wilcoxon(name):
    sample = SAMPLES[name]
    p, effect = wilcoxon(sample)
    assert p == stats.wilcoxon(sample).pvalue
    moved = sorted(sample[sample != 0].tolist(), key=abs)
    ranks = {size: np.mean([i for i, x in enumerate(moved, 1) if abs(x) == size]) for size in map(abs, moved)}
    plus, minus = (sum(ranks[abs(x)] for x in moved if x * side > 0) for side in (1, -1))
    assert effect == pytest.approx((plus - minus) / (plus + minus))


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=13).filter(any), st.sampled_from(["two-sided", "less"]))
def test_few_differences_have_an_exact_p(sample, alternative):
    moved = np.array([float(x) for x in sample if x])
    ranks = stats.rankdata(np.abs(moved))
    ways = np.array([((np.arange(2 ** len(moved)) >> i) & 1) * rank for i, rank in enumerate(ranks)]).sum(axis=0)
    below, above = ((ways <= ranks[moved > 0].sum()).mean(), (ways >= ranks[moved > 0].sum()).mean())
    expected = below if alternative == "less" else min(1.0, 2 * min(below, above))
    assert wilcoxon(np.array(sample, float), alternative)[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", SAMPLES)
def test_one_side_alone(name):
    sample = SAMPLES[name]
    assert wilcoxon(sample, "less")[0] == pytest.approx(stats.wilcoxon(sample, alternative="less").pvalue, rel=1e-9)


def test_folds_share_their_training_documents():
    """Nadeau and Bengio's variance: without the shared part it is Student's test."""
    sample = SAMPLES["few"]
    assert resampled_t(sample, 0.0) == pytest.approx(stats.ttest_1samp(sample, 0).pvalue)
    t = stats.ttest_1samp(sample, 0).statistic * math.sqrt(1 / 5 / (1 / 5 + 1 / 4))
    assert resampled_t(sample, 1 / 4) == pytest.approx(2 * stats.t.sf(abs(t), 4))
    assert resampled_t(-sample, 1 / 4) == resampled_t(sample, 1 / 4)
    assert all(math.isnan(resampled_t(np.array(x), 0.25)) for x in ([], [1.0], [0.5, 0.5]))


def test_ranks_over_collections():
    """Demsar's paper has 2.569 as the critical value of four learners: 1.25 ranks over 14 collections."""
    costs = np.random.default_rng(6).integers(0, 9, (14, 4)) + np.array([0, 2, 3, 6])
    found = friedman(costs.astype(float))
    assert found.means.tolist() == pytest.approx([np.mean([stats.rankdata(row)[i] for row in costs]) for i in range(4)])
    assert found.critical == pytest.approx(2.569 * math.sqrt(4 * 5 / (6 * 14)), rel=1e-4)
    chi, p = stats.friedmanchisquare(*costs.T)
    assert found.p == pytest.approx(p)
    assert found.p_iman == pytest.approx(stats.f.sf(13 * chi / (14 * 3 - chi), 3, 39))
    assert ((found.pairs < 0.05) == (np.abs(found.means[:, None] - found.means) > found.critical)).all()


def test_ranks_that_tell_nothing():
    assert math.isnan(friedman(np.ones((3, 2))).p)
    for shape in ((1, 3), (3, 1)):
        with pytest.raises(UsageError, match="give two of each or more"):
            friedman(np.ones(shape))


def test_of_a_loss_that_is_0_or_1_it_is_a_sign_test():
    """With this many ones on either side: McNemar's."""
    ahead, behind = 60, 40
    p, effect = wilcoxon(np.repeat([1.0, -1.0, 0.0], [ahead, behind, 900]))
    assert p == pytest.approx(2 * stats.norm.sf((ahead - behind) / math.sqrt(ahead + behind)))
    assert effect == pytest.approx((ahead - behind) / (ahead + behind))


@pytest.mark.parametrize("sample", [np.zeros(0), np.zeros(9), np.array([0.5])])
def test_where_there_is_nothing_to_judge_by(sample):
    assert all(map(math.isnan, wald(sample)))
    if not sample.any():
        assert all(map(math.isnan, wilcoxon(sample)))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm(values):
    assert holm(values) == pytest.approx(comparing.holm(values))


def test_what_could_not_be_tested_is_not_counted():
    assert holm([0.02, math.nan, 0.01])[::2] == [0.02, 0.02]
    assert math.isnan(holm([0.02, math.nan, 0.01])[1])

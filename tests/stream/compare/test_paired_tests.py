"""The classical tests, compared with scipy's, and their correction against its definition.

One file for `holm`, `wald` and `wilcoxon`, whose peer and whose cases are the same.
"""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import comparing
from scipy import stats

from telex.stream.compare import holm, wald, wilcoxon

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

"""The boundary against its integral, and what it promises against simulated streams."""

import math

import numpy as np
import pytest
from oracles import comparing
from oracles.differences import EQUAL, signs

from telex.stream.compare.confidence_sequence import BINARY, GRADED, Mixture
from telex.stream.compare.running_sums import RunningSums


@pytest.mark.parametrize("tightest", [BINARY, GRADED])
@pytest.mark.parametrize("level", [0.025, 0.05 / 90])
@pytest.mark.parametrize(("s", "v"), [(0.0, 0.5), (3.0, 2.0), (25.0, 10.0), (60.0, 400.0), (150.0, 2500.0)])
def test_the_value_is_the_integral(level, s, v, tightest):
    mixture = Mixture(level, tightest)
    found = mixture.log_value(np.array([s]), np.array([v]))
    assert found == pytest.approx(math.log(comparing.mixed(s, v, *mixture.rhos)), abs=1e-7)


@pytest.mark.parametrize("tightest", [BINARY, GRADED])
@pytest.mark.parametrize("v", [0.01, 1.0, 40.0, 1000.0])
def test_the_radius_is_where_the_integral_reaches_the_threshold(v, tightest):
    mixture = Mixture(0.004, tightest)
    assert mixture.radius(np.array([v])) == pytest.approx(comparing.radius(v, 0.004, *mixture.rhos), rel=1e-7)


def test_small_differences_are_found_with_half_of_the_evidence():
    spreads = np.array([0.1, 1.0, 500.0, 1e4])
    graded, binary = (Mixture(0.025, tightest).radius(spreads) for tightest in (GRADED, BINARY))
    assert (graded[:2] < 0.5 * binary[:2]).all()
    assert (graded[2:] < 1.1 * binary[2:]).all()


def test_far_out_it_stays_a_number():
    spreads = 10.0 ** np.arange(-3, 10)
    radii = Mixture(1e-5).radius(spreads)
    assert np.isfinite(radii).all()
    assert (np.diff(radii) > 0).all()
    assert (radii > np.sqrt(2 * math.log(1e5) * spreads)).all()  # that of a bound for one moment alone


@pytest.mark.parametrize("tightest", [BINARY, GRADED])
def test_what_is_crossed_is_what_is_beyond_the_radius(tightest):
    rng, mixture = np.random.default_rng(2), Mixture(0.01, tightest)
    spreads = np.sort(rng.uniform(0, 1, (40, 300)) ** 4 * 10.0 ** rng.integers(-1, 6, (40, 1)), axis=1)
    radii = mixture.radius(spreads)
    sums = (
        radii
        * rng.choice([-1, 1], spreads.shape)
        * rng.choice([0.0, 0.5, 0.97, 0.9999, 1.0001, 1.03, 2], spreads.shape)
    )
    expected = np.where(np.abs(sums) > radii, np.sign(sums), 0)
    assert (mixture.crossed(sums, spreads) == expected).all()
    for width in (1, 7):  # a row at a time, however long
        pieces = [mixture.crossed(sums[:, i : i + width], spreads[:, i : i + width]) for i in range(0, 300, width)]
        assert (np.concatenate(pieces, axis=1) == expected).all()
    assert not mixture.crossed(0 * sums[:, :5], 0 * spreads[:, :5]).any()


# -- what it promises

STREAMS, DOCUMENTS, AT_ONCE, ALPHA = 2000, 4000, 500, 0.05


def watched(make, level, documents=DOCUMENTS, streams=STREAMS, tightest=BINARY):
    """Yield what is seen of streams after each document, some documents at a time."""
    rng, running, mixture = np.random.default_rng(7), RunningSums(streams), Mixture(level, tightest)
    for start in range(0, documents, AT_ONCE):
        trace = running.add(make(rng, (streams, AT_ONCE), start))
        yield trace, mixture.crossed(trace.sums, trace.spreads)


@pytest.mark.parametrize("tightest", [BINARY, GRADED])
@pytest.mark.parametrize("kind", EQUAL)
def test_where_none_is_better_it_is_hardly_ever_claimed(kind, tightest):
    """Of streams looked at after every document; 95 % intervals for one moment err in a third of them, and more."""
    ever, naive = np.zeros(STREAMS, bool), np.zeros(STREAMS, bool)
    for trace, crossed in watched(EQUAL[kind], ALPHA / 2, tightest=tightest):
        ever |= crossed.any(axis=1)
        late = trace.counts >= 100
        naive |= (late & (np.abs(trace.sums) > 1.96 * np.sqrt(trace.spreads))).any(axis=1)
    assert ever.mean() <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / STREAMS)
    assert naive.mean() > 0.3


def test_it_is_not_so_wide_that_nothing_is_ever_claimed():
    """A difference of .02 of a loss that differs on a tenth of the documents, with alpha over six pairs."""
    first = np.full(400, np.inf)
    for number, (_, crossed) in enumerate(
        watched(lambda rng, shape, _: signs(rng, shape, 0.1) + gains(rng, shape), ALPHA / 12, 12_000, 400)
    ):
        new = (crossed < 0).any(axis=1) & np.isinf(first)
        first[new] = number * AT_ONCE + 1 + (crossed[new] < 0).argmax(axis=1)
    assert np.median(first) < 4500
    assert np.isfinite(first).mean() > 0.95


def gains(rng, shape):
    """Take .02 off on average."""
    return np.where(rng.random(shape) < 0.02, -1.0, 0.0)

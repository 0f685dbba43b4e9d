"""Times: never back, at the rate asked for, in a rhythm."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from telex.stream.newswire.clock import Clock

MONDAY = datetime(2024, 1, 1, tzinfo=UTC).timestamp()
WEEK = 7 * 86400


@given(st.integers(-(2**33), 2**33), st.integers(1, 10**6), st.integers(0, 10**9))
def test_never_back_and_never_before_the_start(start, rate, first):
    clock = Clock(start, rate)
    times = clock.times(first, 300)
    assert (np.diff(times) >= 0).all()
    assert times[0] >= start
    assert times[0] == clock.times(first, 1)[0]
    assert clock.times(first + 299, 1)[0] == times[299]


@pytest.mark.parametrize("rate", [1, 24, 2200, 10**6])
def test_a_week_has_seven_times_the_rate(rate):
    clock = Clock(MONDAY, rate)
    last, following = clock.times(7 * rate - 1, 2)
    assert last < MONDAY + WEEK <= following


def test_weekends_and_nights_are_quiet():
    times = Clock(MONDAY, 2200).times(0, 7 * 2200) - MONDAY
    days = np.bincount((times // 86400).astype(int))
    hours = np.bincount((times % 86400 // 3600).astype(int))
    assert days[:5].min() > 3 * days[5:].max()
    assert hours[9:17].min() > 2 * hours[0:5].max()

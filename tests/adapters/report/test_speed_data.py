"""Documents per second, from the seconds at which a run reached its documents."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.report.speed_data import speed_data

STEPS = st.lists(st.tuples(st.integers(1, 10), st.integers(1, 1000)), min_size=2, max_size=900)


@given(STEPS)
def test_speeds_are_means_of_stretches_that_are_long_enough(steps):
    reached, seconds, documents = [], 0, 0
    for step, more in steps:
        seconds, documents = seconds + step, documents + more
        reached.append((seconds, documents))
    found = speed_data(reached)
    if found is None:  # no point is far enough from the first
        assert reached[-1][0] - reached[0][0] < reached[-1][0] / 200
        return
    assert 1 <= len(found["seconds"]) <= 200
    ends = [reached[0][0], *found["seconds"]]
    steps = np.diff(ends)
    assert (steps >= reached[-1][0] / 200).all()
    documents = dict(reached)
    wanted = np.diff([documents[second] for second in ends]) / steps
    np.testing.assert_allclose(found["pace"], wanted, rtol=1e-4)


def test_one_point_says_nothing():
    assert speed_data([(1.0, 5)]) is None

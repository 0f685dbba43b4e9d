"""Thinning keeps what a line shows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.adapters.report.thinned_points import thin

VALUES = st.lists(st.floats(-1, 1) | st.just(float("nan")), min_size=1, max_size=300)


@given(VALUES, st.integers(1, 20))
def test_no_extreme_is_lost(values, stretches):
    values = np.array(values)
    found = thin(values, stretches)
    assert len(found) <= max(4 * stretches, 1)
    assert found.tolist() == sorted(set(found.tolist()))
    assert {0, len(values) - 1} <= set(found.tolist())
    if len(values) <= 4 * stretches:
        return
    width = -(-len(values) // stretches)
    for begin in range(0, len(values), width):
        stretch, some = values[begin : begin + width], values[found[(found >= begin) & (found < begin + width)]]
        if not np.isnan(stretch).all():
            assert (np.nanmin(some), np.nanmax(some)) == (np.nanmin(stretch), np.nanmax(stretch))

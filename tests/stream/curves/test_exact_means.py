"""Sums to the last bit.

`curve` and `point` are tested by runs, in tests/stream/run/test_run.py, and `label_table` in
tests/stream/delayed_labels/test_delay_queue_counts.py.
"""

import math
from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.stream.curves.exact_means import Columns, Means

VALUES = st.one_of(
    st.integers(-5, 300).map(float),
    st.floats(-1e6, 1e6),
    st.sampled_from([0.1, 1 / 3, math.nan, 2.0**40, 2.0**52, -0.0, math.inf]),
)


@given(st.lists(st.tuples(VALUES, VALUES), max_size=40), st.lists(st.integers(0, 40), max_size=6))
def test_means_are_those_of_adding_one_after_the_other(documents, cuts):
    values = np.array(documents, float).reshape(-1, 2).T.copy()
    means = Means(2)
    edges = sorted({0, *(min(cut, len(documents)) for cut in cuts), len(documents)})
    with np.errstate(invalid="ignore"):
        for start, stop in pairwise(edges):
            means.add(Columns(values[:, start:stop]))
        for row, mean in zip(values.tolist(), means.figures(), strict=True):
            total, n = 0.0, 0
            for x in row:
                if not math.isnan(x):
                    total, n = total + x, n + 1
            expected = total / n if n else math.nan
            assert mean == expected or (math.isnan(mean) and math.isnan(expected))

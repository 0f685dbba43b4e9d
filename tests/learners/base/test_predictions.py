"""The one best label of each document."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from telex.learners import BatchBuilder, Names
from telex.learners.base.predictions import Predictions


@given(
    rows=st.lists(st.lists(st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 2.0]), min_size=4, max_size=4), max_size=6),
    known=st.lists(st.integers(0, 4), min_size=6, max_size=6),
    seed=st.integers(0, 9),
)
def test_the_best_label_is_the_one_ranked_first(rows, known, seed):
    builder = BatchBuilder()
    for _ in rows:
        builder.add({}, ["a"])
    n = len(rows)
    scores = np.array(rows, np.float32).reshape(n, 4)
    full = Predictions.of_all(scores, np.ones((n, 4), np.bool_), builder.take(), Names("abcd"), seed)
    some = Predictions(
        full.scores, full.relevant, np.array(known[:n], np.int32), full.rows, full.columns, full.labels, full.keys,
        full.seed, full.numbers,
    )  # fmt: skip
    best = some.best()
    for k in range(n):
        assert best.set_of(k) == [label for label, _ in some.ranking(k, 1)]
        assert best.ranking(k) == some.ranking(k)

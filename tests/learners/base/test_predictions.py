"""Rankings and sets of many documents at once are those of each by itself, and so is the one best label."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.compare import batch_of
from oracles.streams import zipf

from telex.learners import BR, MLPP, BatchBuilder, Events, Last, Names
from telex.learners.base import InputError, Predictions, check_predictions, in_order

STREAM = zipf(13, documents=80, unlabelled=0.2)


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


@pytest.mark.parametrize("learner", [BR(seed=3), MLPP(seed=-1), Last(seed=9)])
@pytest.mark.parametrize("top", [0, 1, 4, 12, 100])
def test_they_are_those_of_the_rankings(learner, top):
    predictions = learner.clone().progress(Events(batch_of(STREAM)))
    rankings = [predictions.ranking(k, top) for k in range(len(predictions))]
    assert predictions.rankings(top) == rankings
    assert predictions.rankings(top, 7, 30) == rankings[7:30]
    assert predictions.rankings(top, 5, 5) == []
    assert predictions.sets() == [in_order(predictions.set_of(k)) for k in range(len(predictions))]
    tied = [np.unique(predictions.scores[k, :known]).size < known for k, known in enumerate(predictions.known.tolist())]
    assert sum(tied) > 10


def test_probabilities_are_between_0_and_1_where_they_are_defined():
    predictions = BR().progress(Events(batch_of(STREAM)))
    asks, width = predictions.scores.shape
    undefined = np.arange(width) >= predictions.known[:, None]
    right = np.where(undefined, np.nan, 0.5).astype(np.float32)
    for probabilities in (None, right, np.ones((asks, width), np.float32)):
        check_predictions(replace(predictions, probabilities=probabilities), asks)
    for wrong in (1.5, -0.1, np.nan):
        broken = right.copy()
        broken[-1, 0] = wrong
        with pytest.raises(InputError, match="not within 0 and 1"):
            check_predictions(replace(predictions, probabilities=broken), asks)
    with pytest.raises(InputError, match="give each score its probability"):
        check_predictions(replace(predictions, probabilities=right[:, 1:]), asks)

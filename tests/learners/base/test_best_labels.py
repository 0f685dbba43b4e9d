"""Sets and best labels of many documents at once are those of each by itself."""

import numpy as np
import pytest
from oracles.compare import batch_of
from oracles.streams import zipf

from telex.learners import BR, MLPP, Events, Last
from telex.learners.base import in_order
from telex.learners.base.best_labels import best, sets

STREAM = zipf(13, documents=80, unlabelled=0.2)


@pytest.mark.parametrize("learner", [BR(seed=3), MLPP(seed=-1), Last(seed=9)])
@pytest.mark.parametrize("top", [0, 1, 4, 12, 100])
def test_they_are_those_of_the_rankings(learner, top):
    predictions = learner.clone().progress(Events(batch_of(STREAM)))
    rankings = [predictions.ranking(k, top) for k in range(len(predictions))]
    assert best(predictions, top) == rankings
    assert best(predictions, top, 7, 30) == rankings[7:30]
    assert best(predictions, top, 5, 5) == []
    assert sets(predictions) == [in_order(predictions.set_of(k)) for k in range(len(predictions))]
    tied = [np.unique(predictions.scores[k, :known]).size < known for k, known in enumerate(predictions.known.tolist())]
    assert sum(tied) > 10

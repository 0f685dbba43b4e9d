"""Which classifiers of river there are by name, and what can be set."""

import pytest
from river import linear_model

from telex.adapters.river.family import RIVER, RiverLearner
from telex.learners.base import UsageError


def test_names():
    assert {"linear_model.PAClassifier", "tree.HoeffdingTreeClassifier"} <= set(RIVER.members())
    assert "multioutput.ClassifierChain" not in RIVER.members()
    assert RIVER.make("forest.ARFClassifier", {"seed": 5}).estimator.seed == 5
    assert RIVER.make("linear_model.PAClassifier", {"seed": 5, "C": 0.5}).seed == 5
    for name in RIVER.members():
        assert "seed" in RIVER.parameters(name), name
    with pytest.raises(UsageError, match=r"no classifier 'PAClassifier' .*did you mean 'linear_model.PAClassifier'"):
        RIVER.parameters("PAClassifier")
    with pytest.raises(UsageError, match="LinearRegression of river is no classifier"):
        RiverLearner(linear_model.LinearRegression())

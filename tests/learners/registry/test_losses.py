"""Losses by name."""

import pytest

from telex.learners.base import UsageError
from telex.learners.losses import LOSSES
from telex.learners.registry import usual_losses


def test_runs_measure_the_usual_losses_and_those_that_are_named():
    usual = list(usual_losses())
    assert usual == [name for name, loss in LOSSES.items() if not loss.optional]
    assert {"iserr", "ranking_loss", "example_f1"} < set(usual)
    assert set(usual_losses(["ndcg5", "iserr"])) == {*usual, "ndcg5"}
    assert list(usual_losses(["all"])) == list(LOSSES)
    with pytest.raises(
        UsageError, match=r"no loss 'ndcg4' \(did you mean 'ndcg5'\?\); choose all, or some of accuracy, prec1"
    ):
        usual_losses(["ndcg4"])

"""Losses as Python gives them."""

import pytest

from telex.adapters.front_door.given_losses import given_losses
from telex.learners import registry
from telex.learners.base import UsageError
from telex.learners.losses import LOSSES, Loss
from telex.learners.trees import Tree


class Missed(Loss):
    name = "missed"

    def of(self, judged):
        return judged.fn.astype(float)


def names(given, tree=None):
    return [loss.name for loss in given_losses(given, tree)]


def test_what_they_mean():
    usual = list(registry.usual_losses())
    assert given_losses(None, None) is None
    assert sorted(names("prec1, ndcg5")) == sorted([*usual, "prec1", "ndcg5"])
    assert names(["avgp", Missed()]) == ["avgp", "missed"]
    assert names(["usual", Missed()]) == [*usual, "missed"]
    assert names({"iserr": LOSSES["iserr"]}) == ["iserr"]
    assert "l_h" in names(["usual"], Tree.of_paths("/"))


def test_what_they_cannot_mean():
    with pytest.raises(UsageError, match=r"no loss 'isrr' .did you mean 'iserr'"):
        given_losses(["isrr"], None)
    with pytest.raises(UsageError, match="two losses have the name 'missed'"):
        given_losses([Missed(), Missed()], None)

"""Learners as Python gives them."""

import pytest

from telex.adapters.front_door.given_learners import given_learners
from telex.learners import AROW, MMP, PerDocument, registry
from telex.learners.base import UsageError
from telex.learners.boosting import MPBoost
from telex.stream import Refit
from telex.stream.run import describe


class Votes(PerDocument):
    def __init__(self, k=1):
        self.k, self.votes = k, {}

    def ask(self, x):
        return {}

    def answer(self, x, y):
        pass


@pytest.mark.parametrize(
    ("given", "specs"),
    [
        ("mmp", ("mmp",)),
        (["mmp", "small=mlpp:decode=votes"], ("mmp", "small=mlpp:decode=votes")),
        ([AROW(r=0.5, seed=3)], ("arow=arow:r=0.5,seed=3",)),
        ({"a": "mmp", "b": MMP(averaged=True)}, ("a=mmp", "b=mmp:averaged=True")),
        ((), registry.DEFAULT_LEARNERS),
    ],
)
def test_the_command_line_makes_the_same(given, specs):
    found = given_learners(given, 0, baselines=False)
    assert found.specs == specs
    made = registry.learners(specs, seed=0, baselines=False)
    assert {name: describe(one) for name, one in made.items()} == {
        name: describe(one) for name, one in found.made.items()
    }
    assert {name: describe(one) for name, one in found.fresh().items()} == {
        name: describe(one) for name, one in made.items()
    }


@pytest.mark.parametrize("given", [{"v": Votes()}, [Votes(2), "mmp"], {"r": Refit(MPBoost(), every=5)}])
def test_learners_that_only_python_makes(given):
    found = given_learners(given, 0, baselines=False)
    assert found.specs is None
    fresh = found.fresh()
    assert fresh.keys() == found.made.keys()
    assert all(fresh[name] is not one and describe(fresh[name]) == describe(one) for name, one in found.made.items())


def test_baselines_run_beside_a_list_alone():
    assert list(given_learners(["nb", Votes()], 0, baselines=True).made) == ["nb", "votes", "prior", "last"]
    assert list(given_learners({"nb": "nb"}, 0, baselines=True).made) == ["nb"]


def test_wrong_learners():
    with pytest.raises(UsageError, match="two learners have the name 'votes'; give them names"):
        given_learners([Votes(), Votes()], 0, baselines=False)
    with pytest.raises(UsageError, match="mpboost is of type MPBoost, which does not follow a stream"):
        given_learners([MPBoost()], 0, baselines=False)

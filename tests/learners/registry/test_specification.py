"""Learners by their specifications."""

import pytest

from telex.learners import AROW, BR, MLPP, MMP, NB
from telex.learners.base import UsageError
from telex.learners.registry import learner, learners


def test_specifications():
    made = learner("mmp:loss=avgp,penalty=worst,averaged=true,seed=5")
    assert type(made) is MMP
    assert (made.loss, made.penalty, made.averaged, made.init, made.seed) == (
        "avgp",
        "worst",
        True,
        "zero",
        5,
    )
    assert learner("mlpp:decode=votes+weight, threads=2").decode == "votes+weight"


def test_the_seed_is_for_those_that_name_none():
    made = learners(["mmp", "x=br:seed=1"], seed=7)
    assert {name: one.seed for name, one in made.items()} == {"mmp": 7, "x": 1, "prior": 7, "last": 7}


def test_the_usual_learners_and_the_baselines():
    assert list(learners([])) == ["arow", "mlpp", "mmp", "br", "nb", "prior", "last"]
    assert [type(one) for one in learners([], baselines=False).values()] == [AROW, MLPP, MMP, BR, NB]
    assert list(learners(["last", "p=prior"])) == ["last", "p", "prior"]


def test_aliases():
    assert list(learners(["mmp:loss=avgp", "a=mmp:loss=avgp"], baselines=False)) == ["mmp:loss=avgp", "a"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "mmmp",
            r"no learner 'mmmp' \(did you mean 'mmp'\?\); choose one of br, mmp, mlpp, arow, pa, .*nb, prior, last",
        ),
        ("mmp:los=iserr", r"no parameter 'los' \(did you mean 'loss'\?\); choose one of loss, penalty"),
        (
            "mmp:loss=iser",
            r"loss of the learner mmp cannot be 'iser' \(did you mean 'iserr'\?\); give one of iserr,",
        ),
        ("mmp:averaged=perhaps", "give true or false"),
        ("br:seed=1.5", "give a whole number"),
        ("br:seed", "is no key=value; try key=value,key=value"),
        ("br:seed=1,seed=2", "'seed' is given twice"),
        ("=br", "has no name before '='; try name=br"),
        ("", "there is no learner ''"),
    ],
)
def test_errors_name_what_is_wrong(spec, message):
    with pytest.raises(UsageError, match=message):
        learners([spec])


def test_one_name_twice():
    with pytest.raises(UsageError, match="two learners have the name 'mmp'; give one another"):
        learners(["mmp", "mmp"])
